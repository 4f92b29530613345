//! The evaluation of a module: loads its files and inputs, and determines the values of its variables.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::ops::Range;

use ferroform_lang::body::Variables;
use ferroform_lang::version_constraint::VersionConstraint;

use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{self, Document};
use crate::explain::{self, ValidationOutcomes};
use crate::input_values;
use crate::inputs::{self, Input, InputOrigin};
use crate::module::{self, Module};
use crate::report::Report;
use crate::request::{AsErrors, Request};
use crate::secrecy::Secrecy;
use crate::source::Source;
use crate::target::{self, Behavior, Target};
use crate::validation::{ValidationMode, Validator};
use crate::variable_value::VariableValue;

/// A module and its values in memory, as file names with their contents.
#[derive(Clone, Debug, Default)]
pub struct SourceTexts {
    /// The files of the module.
    pub module: Vec<(String, String)>,
    /// The variables files. A later file takes precedence over an earlier one.
    pub values: Vec<(String, String)>,
}

/// The sources that were read, and the errors of those that could not be read.
#[derive(Default)]
pub(crate) struct LoadedSources {
    /// The files of the module, followed by one source for each of the origins.
    pub(crate) sources: Vec<Source>,
    pub(crate) module: Range<usize>,
    pub(crate) origins: Vec<InputOrigin>,
    /// False if a source of values could not be read.
    pub(crate) is_complete: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) target: Option<Target>,
    pub(crate) as_errors: AsErrors,
    pub(crate) explain: bool,
}

impl LoadedSources {
    /// Reads the files of a module and its inputs.
    pub(crate) fn load(request: &Request) -> LoadedSources {
        let mut loaded = LoadedSources::load_module(request);
        let (origins, errors) = inputs::read(request, &mut loaded.sources);
        loaded.origins = origins;
        loaded.is_complete = errors.is_empty();
        loaded.diagnostics.extend(errors.into_iter().map(|it| it.diagnostic));
        loaded
    }

    /// Reads the files of a module.
    pub(crate) fn load_module(request: &Request) -> LoadedSources {
        let mut loaded = LoadedSources {
            target: request.target.clone(),
            as_errors: request.as_errors,
            explain: request.explain,
            ..LoadedSources::default()
        };
        match document::read_module_files(request) {
            Ok(sources) => loaded.sources = sources,
            Err(error) => loaded.diagnostics.push(error),
        }
        document::sort(&mut loaded.sources);
        loaded.module = 0..loaded.sources.len();
        loaded
    }
}

impl From<&SourceTexts> for LoadedSources {
    fn from(texts: &SourceTexts) -> LoadedSources {
        let source = |(name, text): &(String, String)| Source::new(name.clone(), text.clone());
        let mut sources: Vec<Source> = texts.module.iter().map(source).collect();
        document::retain_module_files(&mut sources, |it| OsStr::new(&it.name), true);
        document::sort(&mut sources);
        let module = 0..sources.len();
        sources.extend(texts.values.iter().map(source));
        let origins = vec![InputOrigin::File; texts.values.len()];
        LoadedSources { sources, module, origins, is_complete: true, ..LoadedSources::default() }
    }
}

/// Evaluates the variables of a module.
pub(crate) fn evaluate_loaded(loaded: LoadedSources) -> Report {
    let explain = loaded.explain;
    let (report, (variables, unevaluated, explanations)) = analyze(loaded, |evaluation, diagnostics| {
        let EvaluatedVariables { variables, inputs, unevaluated, outcomes } =
            evaluation.evaluate(diagnostics);
        let explanations = match explain {
            true => explain::explain(evaluation.module, &inputs, evaluation.sources, &variables, outcomes),
            false => Vec::new(),
        };
        (variables, unevaluated, explanations)
    });
    Report { variables, unevaluated, explanations, ..report }
}

/// Calls a function with a module if it is valid. The module has no inputs.
pub(crate) fn with_valid_module<T>(
    mut loaded: LoadedSources,
    use_module: impl FnOnce(&Evaluation<'_, '_>) -> T,
) -> (Report, Option<T>) {
    loaded.sources.truncate(loaded.module.end);
    loaded.origins.clear();
    let as_errors = loaded.as_errors;
    analyze(loaded, |evaluation, diagnostics| {
        diagnostics.iter_mut().for_each(|it| it.escalate(as_errors));
        let is_valid = diagnostics.iter().all(|it| it.severity != Severity::Error);
        is_valid.then(|| use_module(evaluation))
    })
}

/// Parses the sources, and calls a function that can add diagnostics.
fn analyze<T>(
    loaded: LoadedSources,
    evaluate: impl FnOnce(&Evaluation<'_, '_>, &mut Vec<Diagnostic>) -> T,
) -> (Report, T) {
    let LoadedSources { sources, module: files, origins, is_complete, mut diagnostics, .. } = loaded;
    let documents: Vec<Document<'_>> =
        sources.iter().enumerate().map(|(i, it)| Document::parse(it, i < files.end)).collect();
    let mut module = module::load(&sources, &documents, files.clone());
    diagnostics.append(&mut module.diagnostics);
    let mut secrecy = Secrecy::new(sources.len());
    secrecy.add_module(&sources, &documents, &module, files.clone());
    secrecy.add_inputs(&sources, &documents, &module, (files.end, &origins));
    secrecy.sort();
    let has_tofu_files = document::has_tofu_files(&sources[files.clone()]);
    let behavior = select_behavior(loaded.target.as_ref(), &module, has_tofu_files, &mut diagnostics);
    let evaluation = Evaluation {
        module: &module,
        sources: &sources,
        documents: &documents,
        inputs: (files.end, &origins),
        is_complete,
        behavior,
        mode: ValidationMode::Complete,
    };
    let result = evaluate(&evaluation, &mut diagnostics);
    diagnostics.iter_mut().for_each(|it| it.escalate(loaded.as_errors));
    diagnostics.sort_by_key(|it| it.severity);
    drop(module);
    drop(documents);
    (Report::from_diagnostics(diagnostics, sources, secrecy), result)
}

/// A module and its inputs.
pub(crate) struct Evaluation<'a, 'd> {
    pub(crate) module: &'a Module<'d>,
    pub(crate) sources: &'d [Source],
    pub(crate) documents: &'d [Document<'d>],
    /// The index of the first source of the inputs, and the origin of each one.
    pub(crate) inputs: (usize, &'d [InputOrigin]),
    /// True if variables without a value are reported.
    pub(crate) is_complete: bool,
    pub(crate) behavior: Behavior,
    /// [`ValidationMode::Defaults`] applies only if there are no inputs.
    pub(crate) mode: ValidationMode,
}

/// The result of an [`Evaluation`].
pub(crate) struct EvaluatedVariables<'d> {
    pub(crate) variables: Vec<VariableValue>,
    pub(crate) inputs: BTreeMap<&'d str, Input<'d>>,
    /// The number of validations that were not evaluated.
    pub(crate) unevaluated: usize,
    pub(crate) outcomes: ValidationOutcomes,
}

impl<'d> Evaluation<'_, 'd> {
    /// Evaluates the variables of the module and their validations.
    pub(crate) fn evaluate(&self, diagnostics: &mut Vec<Diagnostic>) -> EvaluatedVariables<'d> {
        let &Evaluation { module, sources, documents, inputs: (start, origins), behavior, mode, .. } = self;
        let has_syntax_errors =
            documents[start..start + origins.len()].iter().any(Document::has_syntax_errors);
        let inputs = inputs::gather(sources, documents, (start, origins), module, diagnostics);
        let mut values = Variables::default();
        let is_complete = self.is_complete && !has_syntax_errors;
        let variables = input_values::evaluate(module, &inputs, is_complete, &mut values, diagnostics);
        let has_inputs = !inputs.is_empty();
        let mode = match mode {
            ValidationMode::Defaults if has_inputs => ValidationMode::Partial,
            mode => mode,
        };
        let mut validator = Validator {
            variables_with_values: variables.iter().map(VariableValue::name).collect(),
            values,
            ..Validator::new(module, sources, &inputs, behavior, mode, diagnostics)
        };
        validator.check_all();
        let (unevaluated, outcomes) = (validator.unevaluated, validator.outcomes);
        EvaluatedVariables { variables, inputs, unevaluated, outcomes }
    }
}

/// Returns the behavior of the target version, and reports a version that does not satisfy the constraints of the module,
/// or constraints that no version satisfies.
pub(crate) fn select_behavior(
    target: Option<&Target>,
    module: &Module<'_>,
    has_tofu_files: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Behavior {
    let required = &module.required_versions;
    let constraints: Vec<VersionConstraint> =
        required.iter().flat_map(|(_, it)| it.iter().cloned()).collect();
    let is_satisfied = |it: &[VersionConstraint]| match target {
        Some(target) => target.satisfies(it),
        None => target::can_be_satisfied(it),
    };
    if !is_satisfied(&constraints) {
        let detail = match target {
            Some(it) => format!("The target version {it} does not satisfy the module's required_version."),
            None => "No version of Terraform or OpenTofu before 2.0 satisfies the module's required_version."
                .to_owned(),
        };
        let wrong = required.iter().find(|(_, it)| !is_satisfied(it)).or(required.first());
        let location = wrong.map(|(location, _)| location.clone());
        diagnostics.push(Diagnostic::new("Unsupported Terraform Core version", detail, location));
    }
    Behavior::new(target, &constraints, has_tofu_files)
}
