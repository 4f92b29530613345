//! The evaluation of a module: reading its files and its inputs, and determining the values of its variables.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use ferroform_lang::body::Variables;

use crate::check;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{self, Document};
use crate::explain::{self, Outcomes};
use crate::inputs::{self, Input, Origin};
use crate::module::{self, Module};
use crate::report::Report;
use crate::request::{AsErrors, Request};
use crate::secrecy::Secrecy;
use crate::source::Source;
use crate::target::{Behavior, Target};
use crate::validation::{Mode, Validator};
use crate::variable_value::VariableValue;

/// A module and its values in memory, as file names with their contents.
#[derive(Clone, Debug, Default)]
pub struct SourceTexts {
    /// The files of the module.
    pub module: Vec<(String, String)>,
    /// The files of values. A later file takes precedence over an earlier one.
    pub values: Vec<(String, String)>,
}

/// The sources that were read, and the errors of those that could not be read.
#[derive(Default)]
pub(crate) struct Reading {
    /// The files of the module, followed by one source for each of the origins.
    pub(crate) sources: Vec<Source>,
    pub(crate) module: Range<usize>,
    pub(crate) origins: Vec<Origin>,
    /// False if a source of values could not be read.
    pub(crate) is_complete: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) target: Option<Target>,
    pub(crate) as_errors: AsErrors,
    pub(crate) explain: bool,
}

impl Reading {
    /// Reads the files of a module and its inputs.
    pub(crate) fn new(request: &Request) -> Reading {
        let mut reading = Reading::of_module(request);
        let (origins, errors) = inputs::read(request, &mut reading.sources);
        reading.origins = origins;
        reading.is_complete = errors.is_empty();
        reading.diagnostics.extend(errors.into_iter().map(|it| it.diagnostic));
        reading
    }

    /// Reads the files of a module.
    pub(crate) fn of_module(request: &Request) -> Reading {
        let mut reading = Reading {
            target: request.target.clone(),
            as_errors: request.as_errors,
            explain: request.explain,
            ..Reading::default()
        };
        match document::files(request) {
            Ok(sources) => reading.sources = sources,
            Err(error) => reading.diagnostics.push(error),
        }
        document::sort(&mut reading.sources);
        reading.module = 0..reading.sources.len();
        reading
    }
}

/// Evaluates the variables of a module.
pub(crate) fn evaluate_reading(reading: Reading) -> Report {
    let Reading { sources, module: files, origins, is_complete, mut diagnostics, .. } = reading;
    let Reading { target, as_errors, explain, .. } = reading;
    let (module_sources, inputs) = sources.split_at(files.end);
    let inputs = inputs.iter().zip(&origins).map(|(source, origin)| match origin {
        Origin::File => Document::of_values(source),
        Origin::Environment(_) | Origin::Option(_) => Document::Value,
    });
    let documents: Vec<Document<'_>> = module_sources.iter().map(Document::of_module).chain(inputs).collect();
    let mut module = module::load(&sources, &documents, files.clone());
    diagnostics.append(&mut module.diagnostics);
    let mut secrecy = Secrecy::new(sources.len());
    secrecy.add_module(&sources, &documents, &module, files.clone());
    secrecy.add_inputs(&sources, &documents, &module, (files.end, &origins));
    secrecy.sort();
    let has_tofu_files = document::has_tofu_files(&sources[files.clone()]);
    let behavior = behavior(target.as_ref(), &module, has_tofu_files, &mut diagnostics);
    let evaluation = Evaluation {
        module: &module,
        sources: &sources,
        documents: &documents,
        inputs: (files.end, &origins),
        is_complete,
        behavior,
        mode: Mode::Complete,
    };
    let Evaluated { variables, inputs, unevaluated, outcomes } =
        evaluate_variables(evaluation, &mut diagnostics);
    let explanations = match explain {
        true => explain::explanations(&module, &inputs, &sources, &variables, outcomes),
        false => Vec::new(),
    };
    diagnostics.iter_mut().for_each(|it| it.escalate(as_errors));
    diagnostics.sort_by_key(|it| it.severity);
    drop(module);
    drop(documents);
    Report { variables, diagnostics, sources, secrecy, unevaluated, explanations }
}

/// Loads a module without inputs, and calls a function if it is valid.
pub(crate) fn with_module<T>(
    reading: Reading,
    use_module: impl FnOnce(&[Source], &[Document<'_>], &Module<'_>, Behavior) -> T,
) -> (Report, Option<T>) {
    let Reading { mut sources, mut diagnostics, target, as_errors, .. } = reading;
    document::sort(&mut sources);
    let documents: Vec<Document<'_>> = sources.iter().map(Document::of_module).collect();
    let mut module = module::load(&sources, &documents, 0..sources.len());
    diagnostics.append(&mut module.diagnostics);
    let has_tofu_files = document::has_tofu_files(&sources);
    let behavior = behavior(target.as_ref(), &module, has_tofu_files, &mut diagnostics);
    diagnostics.iter_mut().for_each(|it| it.escalate(as_errors));
    diagnostics.sort_by_key(|it| it.severity);
    let is_valid = diagnostics.first().is_none_or(|it| it.severity != Severity::Error);
    let result = is_valid.then(|| use_module(&sources, &documents, &module, behavior));
    let mut secrecy = Secrecy::new(sources.len());
    secrecy.add_module(&sources, &documents, &module, 0..sources.len());
    secrecy.sort();
    drop(module);
    drop(documents);
    (Report::of_diagnostics(diagnostics, sources, secrecy), result)
}

/// A module and its inputs.
pub(crate) struct Evaluation<'a, 'd> {
    pub(crate) module: &'a Module<'d>,
    pub(crate) sources: &'d [Source],
    pub(crate) documents: &'d [Document<'d>],
    /// The index of the first source of the inputs, and the origin of each one.
    pub(crate) inputs: (usize, &'d [Origin]),
    /// True if variables without a value are reported.
    pub(crate) is_complete: bool,
    pub(crate) behavior: Behavior,
    /// [`Mode::Defaults`] applies only if there are no inputs.
    pub(crate) mode: Mode,
}

/// The result of an [`Evaluation`].
pub(crate) struct Evaluated<'d> {
    pub(crate) variables: Vec<VariableValue>,
    pub(crate) inputs: BTreeMap<&'d str, Input<'d>>,
    /// The number of validations that were not evaluated.
    pub(crate) unevaluated: usize,
    pub(crate) outcomes: Outcomes,
}

/// Evaluates the variables of a module and their validations.
pub(crate) fn evaluate_variables<'d>(it: Evaluation<'_, 'd>, found: &mut Vec<Diagnostic>) -> Evaluated<'d> {
    let Evaluation { module, sources, documents, inputs: (start, origins), behavior, mode, .. } = it;
    let is_broken = documents[start..start + origins.len()].iter().any(Document::is_broken);
    let inputs = inputs::gather(sources, documents, (start, origins), module, found);
    let mut names = Variables::default();
    let variables = check::values(module, &inputs, it.is_complete && !is_broken, &mut names, found);
    let mut validator = Validator {
        module,
        sources,
        inputs: &inputs,
        valid: check::valid_names(&variables),
        secret: HashSet::new(),
        names,
        locals: BTreeSet::new(),
        behavior,
        mode: if mode == Mode::Defaults && !inputs.is_empty() { Mode::Partial } else { mode },
        found,
        unevaluated: 0,
        outcomes: Outcomes::new(),
    };
    validator.check_all();
    let (unevaluated, outcomes) = (validator.unevaluated, validator.outcomes);
    Evaluated { variables, inputs, unevaluated, outcomes }
}

/// Returns the behavior of the target version, and reports a version that does not satisfy the constraints of the module.
pub(crate) fn behavior(
    target: Option<&Target>,
    module: &Module<'_>,
    has_tofu_files: bool,
    found: &mut Vec<Diagnostic>,
) -> Behavior {
    let constraints = &module.required_version;
    if let Some(target) = target.filter(|it| !it.satisfies(constraints)) {
        let detail = format!("The target version {target} does not satisfy the module's required_version.");
        found.push(Diagnostic::new("Unsupported Terraform Core version", detail, None));
    }
    Behavior::new(target, constraints, has_tofu_files)
}
