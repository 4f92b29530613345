//! The open files of an editor: their diagnostics, and the hover and completion texts for a cursor.
//!
//! A variables file belongs to the module in its directory, or else in the nearest parent directory of the same
//! repository that contains a module. The module is evaluated as by `-var-file` with this file; the texts of open files
//! replace those on disk.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use ferroform_lang::console;
use ferroform_lang::expression::LogicalOperators;
use ferroform_value::convert::convert;
use ferroform_value::json::encode_simple;
use ferroform_value::{Step, Type};
use serde_json::{Value, json};

use crate::accepted_constants;
use crate::constraint_node::ConstraintNode;
use crate::cursor::Cursor;
use crate::declaration::Declaration;
use crate::diagnostic::Severity;
use crate::document;
use crate::evaluation::{LoadedSources, evaluate_loaded};
use crate::input_values::MISSING_VALUE;
use crate::inputs::InputOrigin;
use crate::module::{self, Module};
use crate::repository;
use crate::request::{Request, describe};
use crate::schema;
use crate::source::Source;

/// The maximum number of diagnostics of a file.
const MAX_DIAGNOSTICS: usize = 500;

#[derive(Default)]
pub(crate) struct Workspace {
    /// The options that apply to every module.
    pub(crate) base: Request,
    /// True if columns are bytes instead of code units of UTF-16.
    pub(crate) is_utf8: bool,
    files: BTreeMap<PathBuf, OpenFile>,
}

struct OpenFile {
    uri: String,
    text: String,
    /// The diagnostics that the editor shows.
    published: Value,
}

/// The context of a cursor in a variables file.
struct CursorContext<'a, 'd> {
    sources: &'d [Source],
    module: &'a Module<'d>,
    cursor: Cursor,
    /// The name or value at the cursor.
    word: &'d str,
    /// The range of the word in the protocol.
    range: Value,
    is_json: bool,
}

impl Workspace {
    pub(crate) fn open(&mut self, file: PathBuf, uri: &str, text: &str) {
        let opened = OpenFile { uri: uri.to_owned(), text: text.to_owned(), published: Value::Null };
        self.files.insert(file, opened);
    }

    pub(crate) fn change(&mut self, file: &Path, text: &str) {
        if let Some(open) = self.files.get_mut(file) {
            text.clone_into(&mut open.text);
        }
    }

    pub(crate) fn close(&mut self, file: &Path) {
        self.files.remove(file);
    }

    /// Returns the URIs of the files whose diagnostics have changed, with the diagnostics.
    pub(crate) fn update_diagnostics(&mut self) -> Vec<(String, Value)> {
        let mut found: BTreeMap<PathBuf, Vec<Value>> = BTreeMap::new();
        for file in self.files.keys().filter(|it| is_variables_file(it)) {
            self.evaluate(file, &mut found);
        }
        let mut changed = Vec::new();
        for (file, open) in &mut self.files {
            let diagnostics = Value::from(found.remove(file).unwrap_or_default());
            if open.published != diagnostics {
                open.published = diagnostics.clone();
                changed.push((open.uri.clone(), diagnostics));
            }
        }
        changed
    }

    /// Adds the diagnostics of a module with a variables file to those of the open files.
    fn evaluate(&self, file: &Path, found: &mut BTreeMap<PathBuf, Vec<Value>>) {
        let Some((loaded, directory, _)) = self.read(file) else { return };
        let mut add = |file: PathBuf, diagnostic: Value| {
            let diagnostics = found.entry(file).or_default();
            // An error in a file of the module is found once for each open variables file.
            if diagnostics.len() < MAX_DIAGNOSTICS && !diagnostics.contains(&diagnostic) {
                diagnostics.push(diagnostic);
            }
        };
        let report = evaluate_loaded(loaded);
        let mut missing = Vec::new();
        for diagnostic in report.redacted_diagnostics() {
            let Some(location) = diagnostic.range.as_ref().filter(|it| it.file().is_some()) else { continue };
            let source = directory.join(location.name());
            if diagnostic.summary == MISSING_VALUE {
                missing.push(diagnostic.detail);
            } else if self.files.contains_key(&source) {
                let message = format!("{}: {}", diagnostic.summary, diagnostic.message());
                add(
                    source,
                    encode_diagnostic(
                        encode_range(location.code_units(self.is_utf8)),
                        diagnostic.severity,
                        &message,
                    ),
                );
            }
        }
        if !missing.is_empty() {
            // Sources that the editor does not know, such as the environment, can set the variables.
            let message = format!("{MISSING_VALUE}: {}", missing.join(" "));
            add(file.to_owned(), encode_diagnostic(encode_range([(0, 0); 2]), Severity::Note, &message));
        }
    }

    /// Returns the text for the name at a position.
    pub(crate) fn hover(&self, file: &Path, at: (usize, usize)) -> Option<Value> {
        self.with_cursor(file, at, |context| {
            let text = context.hover_text().filter(|_| !context.cursor.is_value)?;
            Some(json!({ "contents": { "kind": "markdown", "value": text }, "range": context.range }))
        })
    }

    /// Returns the names or values for a position.
    pub(crate) fn completion(&self, file: &Path, at: (usize, usize)) -> Option<Value> {
        self.with_cursor(file, at, |it| Some(it.completion_items().into()))
    }

    fn with_cursor(
        &self,
        file: &Path,
        at: (usize, usize),
        respond: impl FnOnce(CursorContext<'_, '_>) -> Option<Value>,
    ) -> Option<Value> {
        let (loaded, _, index) = self.read(file)?;
        let (sources, files) = (&loaded.sources, loaded.module.clone());
        let source = &sources[index];
        let is_json = document::is_json(&source.name);
        let cursor = Cursor::at(&source.text, source.byte_at(at, self.is_utf8), is_json)?;
        let word = &source.text[cursor.word.clone()];
        let range = encode_range(
            [cursor.word.start, cursor.word.end].map(|it| source.code_unit_position(it, self.is_utf8)),
        );
        let documents = repository::parse(sources, files.end);
        let module = module::load(sources, &documents, files);
        respond(CursorContext { sources, module: &module, cursor, word, range, is_json })
    }

    /// Reads the module of a variables file. Returns it with the directory that the names of its sources refer to, and
    /// with the index of the file.
    fn read(&self, file: &Path) -> Option<(LoadedSources, PathBuf, usize)> {
        let open = self.files.get(file).filter(|_| is_variables_file(file))?;
        let directory = find_module_directory(file);
        let mut loaded = match &directory {
            Some(directory) => LoadedSources::load(&Request {
                directory: directory.clone(),
                working_directory: directory.clone(),
                ..self.base.clone()
            }),
            // Only syntax errors are reported.
            None => LoadedSources::default(),
        };
        let directory = directory.or_else(|| Some(file.parent()?.to_owned()))?;
        for source in &mut loaded.sources {
            if let Some(open) = self.files.get(&directory.join(&source.name)) {
                *source = Source::new(std::mem::take(&mut source.name), open.text.clone());
            }
        }
        let name = describe(file, &directory);
        let index = loaded.sources.iter().position(|it| it.name == name).unwrap_or_else(|| {
            loaded.sources.push(Source::new(name, open.text.clone()));
            loaded.origins.push(InputOrigin::File);
            loaded.sources.len() - 1
        });
        // If there are several variables files, others can belong to them, such as the base of an environment.
        loaded.is_complete &= loaded.origins.len() == 1;
        Some((loaded, directory, index))
    }
}

impl CursorContext<'_, '_> {
    /// Returns a text in Markdown about the variable or the attribute at the cursor.
    fn hover_text(&self) -> Option<String> {
        let name = self.word.trim_matches('"');
        if let Some(Type::Object(object)) = self.expected_type() {
            let attribute = object.get(name)?;
            let required = if attribute.optional { "Optional" } else { "Required" };
            return Some(format!("```hcl\n{name}: {}\n```\n\n- {required}\n", attribute.ty));
        }
        let declaration = self.module.variables.get(name).filter(|_| self.cursor.path.is_root())?;
        // The source contains the defaults of optional attributes.
        let type_text = declaration.type_text(self.sources).filter(|_| !declaration.is_secret);
        let ty = type_text.unwrap_or_else(|| format_type(declaration));
        let mut out = format!("```hcl\n{name}: {ty}\n```\n");
        if let Some(description) = declaration.description.as_ref().filter(|it| !it.is_empty()) {
            out.push_str(&format!("\n{description}\n"));
        }
        out.push('\n');
        if let Some(variable) = &declaration.variable {
            match variable.default.as_ref() {
                None => out.push_str("- Required\n"),
                Some(_) if declaration.is_secret => out.push_str("- Default: (sensitive value)\n"),
                Some(default) => {
                    let default = console::show(default).replace('\n', "\n  ");
                    out.push_str(&format!("- Default:\n  ```hcl\n  {default}\n  ```\n"));
                }
            }
            let flags = [
                (variable.sensitive, "Sensitive"),
                (variable.ephemeral, "Ephemeral"),
                (!variable.nullable, "Not nullable"),
            ];
            flags.iter().filter(|it| it.0).for_each(|it| out.push_str(&format!("- {}\n", it.1)));
        }
        if let Some(message) = &declaration.deprecated {
            out.push_str(&format!("- Deprecated: {}\n", message.trim()));
        }
        for validation in &declaration.validations {
            let at = &validation.message.location;
            let source = || format!("`{}`", &self.sources[at.source].text[at.range()]);
            let message = validation.constant_message().unwrap_or_else(source);
            out.push_str(&format!("- Validation: {}\n", message.trim()));
        }
        out.push_str(&format!("- Declared at {}\n", declaration.location.describe(self.sources)));
        Some(out)
    }

    /// Returns the type of the value at the cursor, or that of the object that contains the name at the cursor.
    fn expected_type(&self) -> Option<&Type> {
        let (first, rest) = self.cursor.path.steps().split_first()?;
        let Step::Attribute(name) = first else { return None };
        let variable = self.module.variables.get(&**name)?.variable.as_ref()?;
        let root = ConstraintNode::from(&variable.constraint);
        rest.iter().try_fold(root, |node, step| node.child(step)).map(|it| it.ty)
    }

    fn completion_items(&self) -> Vec<Value> {
        let siblings: HashSet<&str> = self.cursor.siblings.iter().map(String::as_str).collect();
        match self.expected_type() {
            None if self.cursor.path.is_root() && !self.cursor.is_value => {
                let unset = self.module.variables.iter().filter(|(name, _)| !siblings.contains(&***name));
                let item = |(name, declaration): (&String, &Declaration<'_>)| {
                    let mut item = self.name_item(name, &format_type(declaration), declaration.is_required());
                    let description = declaration.description.as_deref().unwrap_or_default();
                    item["documentation"] = json!({ "kind": "markdown", "value": description });
                    item
                };
                unset.map(item).collect()
            }
            Some(Type::Object(object)) if !self.cursor.is_value => {
                let unset = object.attributes().iter().filter(|it| !siblings.contains(&*it.name));
                unset.map(|it| self.name_item(&it.name, &it.ty.to_string(), !it.optional)).collect()
            }
            Some(Type::Bool) if self.cursor.is_value => ["true", "false"].map(|it| self.item(it, it)).into(),
            Some(ty) if self.cursor.is_value => self.constant_items(ty),
            _ => Vec::new(),
        }
    }

    /// Returns the completions of a value: the constants that the validations of the variable accept, in their order.
    fn constant_items(&self, ty: &Type) -> Vec<Value> {
        let Some((Step::Attribute(name), path)) = self.cursor.path.steps().split_first() else {
            return Vec::new();
        };
        let declaration = self.module.variables.get(&**name).filter(|it| !it.is_secret);
        let validations = declaration.into_iter().flat_map(|it| &it.validations);
        let conditions = validations
            .filter_map(|it| schema::read_condition(self.module, it, LogicalOperators::default()))
            .collect::<Vec<_>>();
        let constants = accepted_constants::find(&conditions, name, path).into_iter();
        let texts = constants.filter_map(|it| {
            let converted = convert(it.value.clone(), &it.ty, ty).ok()?;
            if self.is_json {
                return String::from_utf8(encode_simple(&converted.value).ok()?).ok();
            }
            // The console does not escape templates, and it prints several lines as a heredoc.
            let text = console::show(&converted).replace("${", "$${").replace("%{", "%%{");
            (!text.contains('\n')).then_some(text)
        });
        let item = |(index, text): (usize, String)| {
            let mut item = self.item(&text, &text);
            // A value.
            item["kind"] = 12.into();
            item["sortText"] = format!("{index:04}").into();
            item
        };
        texts.enumerate().map(item).collect()
    }

    /// Returns the completion of a name. Required ones are first.
    fn name_item(&self, name: &str, ty: &str, is_required: bool) -> Value {
        let is_quoted = self.is_json || self.word.starts_with('"');
        let name_text = if is_quoted { format!("\"{name}\"") } else { name.to_owned() };
        let assignment = match self.is_json {
            _ if self.cursor.is_assigned => "",
            true => ": ",
            false => " = ",
        };
        let mut item = self.item(name, &format!("{name_text}{assignment}"));
        // A variable or a field.
        item["kind"] = if self.cursor.path.is_root() { 6 } else { 5 }.into();
        item["detail"] = if is_required { format!("{ty} (required)") } else { ty.to_owned() }.into();
        item["sortText"] = format!("{}{name}", u8::from(!is_required)).into();
        item
    }

    fn item(&self, label: &str, text: &str) -> Value {
        let edit = json!({ "range": self.range, "newText": text });
        json!({ "label": label, "filterText": text, "textEdit": edit })
    }
}

/// Returns the type of a variable without the defaults of optional attributes.
fn format_type(declaration: &Declaration<'_>) -> String {
    declaration.variable.as_ref().map_or("any".to_owned(), |it| it.constraint.ty.to_string())
}

fn is_variables_file(file: &Path) -> bool {
    let name = file.as_os_str().as_encoded_bytes();
    name.ends_with(b".tfvars") || name.ends_with(b".tfvars.json")
}

/// Returns the nearest directory above a file that contains a module. The search ends at the root of a repository.
fn find_module_directory(file: &Path) -> Option<PathBuf> {
    let mut is_inside = true;
    let mut directories = file
        .ancestors()
        .skip(1)
        .take_while(|it| std::mem::replace(&mut is_inside, !it.join(".git").exists()));
    directories.find(|it| document::has_module_files(it)).map(Path::to_owned)
}

fn encode_diagnostic(range: Value, severity: Severity, message: &str) -> Value {
    let severity = match severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    json!({ "range": range, "severity": severity, "source": env!("CARGO_PKG_NAME"), "message": message })
}

fn encode_range(positions: [(usize, usize); 2]) -> Value {
    let [start, end] = positions.map(|(line, column)| json!({ "line": line, "character": column }));
    json!({ "start": start, "end": end })
}
