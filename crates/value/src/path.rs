//! Attribute paths.

use std::fmt;
use std::sync::Arc;

use crate::nfc_string::NfcString;
use crate::quote::hcl_string;
use crate::value::Value;

/// One step of a [`Path`].
///
/// The enum is exhaustive: the plugin protocol defines exactly these steps.
///
/// ```
/// use ferroform_value::Step;
///
/// assert_eq!(Step::from(0), Step::Index(0));
/// assert_eq!(Step::from("env"), Step::Key("env".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The attribute of an object: `.name`.
    Attribute(Arc<str>),
    /// The element of a list or tuple, by its index: `[0]`.
    Index(usize),
    /// The element of a map, by its key: `["key"]`.
    Key(NfcString),
    /// The element of a set that is equal to this value. The plugin protocol cannot transmit this step.
    Element(Box<Value>),
}

/// An attribute path: the steps from the root of a value to one of its attributes or elements.
///
/// `Display` prints a path as HCL. It does not print the elements of sets, because they can be sensitive.
///
/// ```
/// use ferroform_value::{Path, Step, Value};
///
/// let path = Path::attribute("rules").then(Step::from(0)).name("port");
/// assert_eq!(path.to_string(), "rules[0].port");
/// assert_eq!(Path::attribute("tags").then(Step::from("a")).to_string(), "tags[\"a\"]");
///
/// let rules = Value::List(vec![Value::object([("port", 80.into())])]);
/// assert_eq!(Value::object([("rules", rules)]).at(&path), Some(&80.into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Path {
    steps: Vec<Step>,
}

impl Path {
    /// The path of the root, which has no steps.
    pub const ROOT: Path = Path { steps: Vec::new() };

    /// Returns the path of an attribute of the root.
    pub fn attribute(name: impl Into<Arc<str>>) -> Path {
        Path { steps: vec![Step::Attribute(name.into())] }
    }

    /// Appends a step.
    #[must_use]
    pub fn then(mut self, step: Step) -> Path {
        self.steps.push(step);
        self
    }

    /// Appends the step to an attribute.
    #[must_use]
    pub fn name(self, name: impl Into<Arc<str>>) -> Path {
        self.then(Step::Attribute(name.into()))
    }

    /// Prepends the path `parent`.
    #[must_use]
    pub fn below(self, parent: &Path) -> Path {
        Path { steps: parent.steps.iter().cloned().chain(self.steps).collect() }
    }

    /// Appends a step to this path.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Removes and returns the last step.
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.pop()
    }

    /// Returns the path without its last step; `None` for the root.
    pub fn parent(&self) -> Option<Path> {
        let (_, steps) = self.steps.split_last()?;
        Some(Path { steps: steps.to_vec() })
    }

    /// Returns the last step; `None` for the root.
    pub fn last(&self) -> Option<&Step> {
        self.steps.last()
    }

    /// Returns the steps, starting at the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns true if the path has no steps.
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Prints the path as HCL: `tags[2]`, `owner.name`, `labels["env"]`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Attribute(name) if i == 0 => f.write_str(name)?,
                Step::Attribute(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => write!(f, "[{}]", hcl_string(key))?,
                Step::Element(_) => f.write_str("[an element of the set]")?,
            }
        }
        Ok(())
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Path {
        Path { steps: steps.into_iter().collect() }
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(index)
    }
}

impl From<&str> for Step {
    fn from(key: &str) -> Step {
        Step::Key(key.into())
    }
}

// A loop over a `BTreeMap<String, _>` has keys of this type.
impl From<&String> for Step {
    fn from(key: &String) -> Step {
        Step::from(key.as_str())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Step {
        Step::Key(key.into())
    }
}
