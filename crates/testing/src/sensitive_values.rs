//! The sensitive values that a test has seen, and where they must not turn up.

use std::collections::BTreeMap;

use ferroform::schema::{Block, Nesting};
use ferroform::value::{Path, Step, Value};

/// Shorter strings turn up everywhere: `a`, `no`, `443`.
const SHORTEST: usize = 4;

/// Sensitive strings, each with the path where it was seen first.
#[derive(Clone, Debug, Default)]
pub(crate) struct SensitiveValues {
    all: BTreeMap<String, Path>,
}

impl SensitiveValues {
    /// Notes the sensitive strings of an object.
    pub(crate) fn record(&mut self, block: &Block, value: &Value) {
        self.block(block, value, &mut Path::ROOT.clone());
    }

    fn block(&mut self, block: &Block, value: &Value, path: &mut Path) {
        let Value::Object(object) = value else { return };
        for it in &block.attributes {
            let Some(value) = object.get(&it.name) else {
                continue;
            };
            path.push(Step::Attribute(it.name.clone()));
            match &it.nested {
                _ if it.sensitive || it.write_only => self.strings(value, path),
                Some(nested) => self.nested(nested.nesting, &nested.block, value, path),
                None => {}
            }
            path.pop();
        }
        for it in &block.blocks {
            let Some(value) = object.get(&it.name) else {
                continue;
            };
            path.push(Step::Attribute(it.name.clone()));
            self.nested(it.nesting, &it.block, value, path);
            path.pop();
        }
    }

    fn nested(&mut self, nesting: Nesting, block: &Block, value: &Value, path: &mut Path) {
        if nesting == Nesting::Single {
            return self.block(block, value, path);
        }
        for (step, value) in parts(value) {
            path.push(step);
            self.block(block, value, path);
            path.pop();
        }
    }

    fn strings(&mut self, value: &Value, path: &Path) {
        value.walk(&mut |inside, it| {
            if let Value::String(text) = it
                && text.chars().count() >= SHORTEST
            {
                self.all.entry(text.to_string()).or_insert_with(|| inside.clone().below(path));
            }
            true
        });
    }

    /// The path of a sensitive value that the text shows, as it is or as Rust prints it.
    pub(crate) fn find_in(&self, text: &str) -> Option<&Path> {
        let shows = |secret: &str| {
            let debug = format!("{secret:?}");
            text.contains(secret) || text.contains(debug.trim_matches('"'))
        };
        self.all.iter().find(|(secret, _)| shows(secret)).map(|(_, path)| path)
    }

    /// The text without any of them.
    pub(crate) fn redact(&self, text: &str) -> String {
        self.all.keys().fold(text.to_owned(), |text, secret| {
            let debug = format!("{secret:?}");
            text.replace(secret.as_str(), "(sensitive value)")
                .replace(debug.trim_matches('"'), "(sensitive value)")
        })
    }
}

/// The elements of a collection, each with its step.
fn parts(value: &Value) -> Vec<(Step, &Value)> {
    match value {
        Value::List(it) => it.iter().enumerate().map(|(i, it)| (Step::Index(i), it)).collect(),
        Value::Set(it) => it.iter().map(|it| (Step::Element(Box::new(it.clone())), it)).collect(),
        Value::Map(it) => it.iter().map(|(key, it)| (Step::Key(key.clone()), it)).collect(),
        _ => Vec::new(),
    }
}
