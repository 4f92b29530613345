//! Calls of modules: `module` blocks.

use std::collections::{BTreeMap, BTreeSet};

use ferroform_lang::body::{Block, Expression};
use ferroform_lang::values::AssignedValue;

use crate::argument_expression::{ArgumentExpression, ReferencedNames};
use crate::diagnostic::Diagnostic;
use crate::json::{Member, members};
use crate::source::Location;
use crate::terraform_names::RESERVED;

/// The arguments of a `module` block that are not inputs of the module.
const META_ARGUMENTS: [&str; 6] = ["source", "version", "providers", "depends_on", "count", "for_each"];

/// A call of a module.
#[derive(Debug)]
pub(crate) struct ModuleCall<'d> {
    pub(crate) name: String,
    /// The header of the block.
    pub(crate) location: Location,
    arguments: BTreeMap<String, CallArgument<'d>>,
    /// The errors of the block.
    errors: Vec<Diagnostic>,
}

/// An argument of a call.
#[derive(Debug)]
pub(crate) struct CallArgument<'d> {
    pub(crate) name_location: Location,
    pub(crate) value: ArgumentExpression<'d>,
    /// The names that the value refers to.
    pub(crate) names: ReferencedNames,
    pub(crate) assigned: AssignedValue<'d>,
}

impl<'d> ModuleCall<'d> {
    /// Reads a block in HCL; `None` if it does not have exactly one label.
    pub(crate) fn from_block(
        block: &'d Block<'d>,
        (source, text): (usize, &'d str),
    ) -> Option<ModuleCall<'d>> {
        let [label] = &*block.labels else { return None };
        let arguments = block.body.arguments.iter();
        let arguments = arguments.map(|argument| {
            let name_location = Location::new(source, argument.name_at.clone());
            (
                argument.name.to_owned(),
                CallArgument::new(name_location, ArgumentExpression::Native(&argument.value), text),
            )
        });
        let arguments = arguments.collect();
        let mut errors: Vec<Diagnostic> = report_repetition(&arguments).into_iter().collect();
        for inner in block.body.blocks.iter().filter(|it| !RESERVED.contains(&it.name)) {
            let detail = format!("Blocks of type {:?} are not expected in a module block.", inner.name);
            let help = format!("to set the argument, write {} = {{ … }}", inner.name);
            let location = Location::new(source, inner.name_at.clone());
            errors.push(Diagnostic::new("Unsupported block type", detail, location).with_help(Some(help)));
        }
        let location = Location::new(source, block.header.clone());
        Some(ModuleCall { name: label.text.clone(), location, arguments, errors })
    }

    /// Reads a block in JSON, whose property name is the name of the call.
    pub(crate) fn from_json(label: &'d Member, (source, text): (usize, &'d str)) -> ModuleCall<'d> {
        let arguments = members(&label.value).filter(|it| it.name != "//").map(|member| {
            let name_location = Location::new(source, member.name_at.clone());
            (
                member.name.clone(),
                CallArgument::new(name_location, ArgumentExpression::Json(&member.value), text),
            )
        });
        let location = Location::new(source, label.name_at.clone());
        let arguments = arguments.collect();
        let errors = report_repetition(&arguments).into_iter().collect();
        ModuleCall { name: label.name.clone(), location, arguments, errors }
    }

    /// Replaces the arguments that a block in an override file sets.
    pub(crate) fn override_with(&mut self, other: ModuleCall<'d>) {
        self.arguments.extend(other.arguments);
    }

    /// Returns an argument that is not an input of the module, such as `source`.
    pub(crate) fn meta_argument(&self, name: &str) -> Option<&CallArgument<'d>> {
        self.arguments.get(name)
    }

    /// Returns true if the call has `count` or `for_each`.
    pub(crate) fn is_repeated(&self) -> bool {
        ["count", "for_each"].iter().any(|it| self.arguments.contains_key(*it))
    }

    /// Returns the inputs of the module by name.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&str, &CallArgument<'d>)> {
        let arguments = self.arguments.iter().filter(|(name, _)| !META_ARGUMENTS.contains(&&***name));
        arguments.map(|(name, it)| (&**name, it))
    }

    /// Returns the input with this name.
    pub(crate) fn input(&self, name: &str) -> Option<&CallArgument<'d>> {
        self.arguments.get(name).filter(|_| !META_ARGUMENTS.contains(&name))
    }

    /// Returns the names of the local values that the inputs, `count` and `for_each` refer to.
    pub(crate) fn locals(&self) -> BTreeSet<String> {
        let meta = ["count", "for_each"].into_iter().filter_map(|it| self.arguments.get(it));
        self.inputs().map(|(_, it)| it).chain(meta).flat_map(|it| it.names.locals.iter().cloned()).collect()
    }

    /// Returns the value of `source`, if it is a constant string.
    pub(crate) fn source(&self) -> Option<String> {
        self.constant_string("source")
    }

    /// Returns the value of `version`, if it is a constant string.
    pub(crate) fn version(&self) -> Option<String> {
        self.constant_string("version")
    }

    fn constant_string(&self, name: &str) -> Option<String> {
        let mut constant = |it: &Expression<'_>| it.constant().map(Into::into);
        let value = self.arguments.get(name)?.value.evaluate(&mut constant).ok()?;
        value.typed.value.as_str().map(str::to_owned)
    }
}

impl<'d> CallArgument<'d> {
    fn new(name_location: Location, value: ArgumentExpression<'d>, text: &'d str) -> CallArgument<'d> {
        CallArgument { name_location, value, names: value.names(), assigned: value.assigned(text) }
    }

    /// Returns the location of the value.
    pub(crate) fn location(&self) -> Location {
        Location::new(self.name_location.source, self.assigned.at())
    }
}

/// Returns the error of a block with both `count` and `for_each`.
fn report_repetition(arguments: &BTreeMap<String, CallArgument<'_>>) -> Option<Diagnostic> {
    arguments.get("count")?;
    let location = arguments.get("for_each")?.name_location.clone();
    let detail = "The arguments \"count\" and \"for_each\" are mutually exclusive.";
    Some(Diagnostic::new("Invalid combination of \"count\" and \"for_each\"", detail, location))
}

/// The calls of a module, by name.
#[derive(Debug, Default)]
pub(crate) struct Calls<'d> {
    calls: BTreeMap<String, ModuleCall<'d>>,
}

impl<'d> Calls<'d> {
    /// Adds the blocks of a file. Those of an override file change existing calls.
    pub(crate) fn add(
        &mut self,
        calls: impl Iterator<Item = ModuleCall<'d>>,
        overrides: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for mut new in calls {
            diagnostics.append(&mut new.errors);
            match (self.calls.get_mut(&new.name), overrides) {
                (Some(call), true) => call.override_with(new),
                (Some(_), false) => {
                    let detail = format!(
                        "A module call named {:?} was already defined. Module calls must have unique names within a module.",
                        new.name
                    );
                    diagnostics.push(Diagnostic::new("Duplicate module call", detail, new.location));
                }
                (None, true) => {
                    let detail = format!(
                        "There is no module call named {:?}. An override file can only override a module call that was defined in a primary configuration file.",
                        new.name
                    );
                    let summary = "Missing module call to override";
                    diagnostics.push(Diagnostic::new(summary, detail, new.location));
                }
                (None, false) => drop(self.calls.insert(new.name.clone(), new)),
            }
        }
    }

    /// Returns the call with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&ModuleCall<'d>> {
        self.calls.get(name)
    }

    /// Returns the calls in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &ModuleCall<'d>> {
        self.calls.values()
    }
}
