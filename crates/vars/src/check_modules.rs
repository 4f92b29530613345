//! Checks of the modules of a repository, without Terraform, providers and initialization: their declarations, their
//! calls of other modules, and the values of each environment.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};

use ferroform_lang::marks::{Marked, Marks};

use crate::call_check::CallChecker;
use crate::diagnostic::{Diagnostic, DiagnosticCategory, Severity};
use crate::diagnostic_collector::DiagnosticCollector;
use crate::document::{self, Document};
use crate::evaluation::{EvaluatedVariables, Evaluation, select_behavior};
use crate::inputs::{self, InputOrigin};
use crate::module::Module;
use crate::report::Report;
use crate::repository::{self, Repository, UnavailableReason, run_in_parallel};
use crate::request::{AsErrors, Request, Setting};
use crate::secrecy::{Redaction, Secrecy};
use crate::source::{Location, Source};
use crate::target::Target;
use crate::validation::ValidationMode;

/// The modules to check.
///
/// ```
/// use ferroform_vars::{CheckRequest, check};
///
/// let directory = std::env::temp_dir().join(format!("check-{}", std::process::id()));
/// std::fs::create_dir_all(directory.join("network"))?;
/// std::fs::write(directory.join("main.tf"), "module \"a\" {\n  source = \"./network\"\n  size = 1\n}\n")?;
/// std::fs::write(directory.join("network/main.tf"), "variable \"sizes\" {\n  type = list(number)\n}\n")?;
///
/// let request = CheckRequest { directories: vec![".".into()], working_directory: directory, ..CheckRequest::default() };
/// let (report, summary) = check(&request);
/// assert!(report.diagnostics().contains("error: Unsupported argument\n --> main.tf:3:3"));
/// assert_eq!(summary.calls, 1);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckRequest {
    /// The directories of the modules. A path can be a pattern, such as `modules/*`.
    pub directories: Vec<PathBuf>,
    /// True if the directories below them are checked as well, except for those whose names start with a period.
    pub is_recursive: bool,
    /// Patterns for variables files, such as `envs/*.tfvars`, relative to each directory. Each file is an environment: the
    /// values of the directory are completed with those of the file, and each required variable must have a value.
    pub environments: Vec<String>,
    /// The directory that relative paths of this request refer to. If it is empty, they refer to the working directory of
    /// the process.
    pub working_directory: PathBuf,
    /// The version whose behavior applies. `None` selects for each directory the latest version that satisfies its
    /// `required_version`.
    pub target: Option<Target>,
    /// The warnings that are errors.
    pub as_errors: AsErrors,
}

/// The numbers of checked modules, environments and calls, and of errors and warnings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The number of modules, with those that other modules call.
    pub modules: usize,
    /// The number of variables files that are environments.
    pub environments: usize,
    /// The number of `module` blocks that were checked.
    pub calls: usize,
    /// The number of `module` blocks whose modules are not available.
    pub unchecked_calls: usize,
    /// The number of validations that were not evaluated, because they use an unsupported function or reference.
    pub unevaluated_validations: usize,
    /// The number of local values and of arguments of module calls that were not evaluated, because they call an unsupported
    /// function.
    pub unevaluated_expressions: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        write!(f, "Checked {}, {}", count(self.modules, "module"), count(self.calls, "module call"))?;
        write!(f, " and {}", count(self.environments, "environment"))?;
        write!(f, ": {}, {}", count(self.errors, "error"), count(self.warnings, "warning"))?;
        if self.unchecked_calls > 0 {
            write!(f, "; {} not checked", count(self.unchecked_calls, "module call"))?;
        }
        let unevaluated =
            [(self.unevaluated_validations, "validation"), (self.unevaluated_expressions, "expression")];
        for (number, what) in unevaluated.into_iter().filter(|it| it.0 > 0) {
            write!(f, "; {} not evaluated", count(number, what))?;
        }
        Ok(())
    }
}

/// The inputs of one evaluation of a directory.
struct CheckRun {
    /// The index of the module.
    module: usize,
    inputs: Range<usize>,
    origins: Vec<InputOrigin>,
    /// The file of an environment.
    environment: Option<PathBuf>,
    is_complete: bool,
    errors: Vec<Diagnostic>,
}

/// The result of a [`CheckRun`].
#[derive(Default)]
struct CheckResult {
    diagnostics: Vec<Diagnostic>,
    checked: BTreeSet<Location>,
    unchecked: BTreeMap<Location, UnavailableReason>,
    secret_arguments: BTreeSet<Location>,
}

/// Checks modules: their declarations, the validations of their defaults, their calls of other modules, and the values
/// of their environments.
pub fn check(request: &CheckRequest) -> (Report, Summary) {
    let (report, summary, _) = check_files(request);
    (report, summary)
}

/// Checks modules as [`check`] does. Also returns the directories that were searched for files.
pub(crate) fn check_files(request: &CheckRequest) -> (Report, Summary, BTreeSet<PathBuf>) {
    let mut diagnostics = Vec::new();
    let base = Request {
        working_directory: request.working_directory.clone(),
        target: request.target.clone(),
        ..Request::default()
    };
    let mut searched: BTreeSet<PathBuf> = request.directories.iter().cloned().collect();
    let directories = find_directories(request, &base, (&mut searched, &mut diagnostics));
    let repository = Repository::read(&base, &directories);
    let (runs, sources, repository) =
        read_runs(request, &base, directories.len(), repository, &mut diagnostics);
    let environments = runs.iter().filter_map(|it| it.environment.as_ref()?.parent());
    searched.extend(environments.map(Path::to_owned));
    for directory in &repository.directories {
        searched.insert(directory.path.clone());
        // `terraform init` writes the list of installed modules.
        searched.insert(directory.path.join(".terraform/modules"));
    }
    let searched: BTreeSet<PathBuf> = searched.iter().map(|it| base.resolve(it)).collect();
    let module_files = repository.directories.iter().map(|it| it.files.end).max().unwrap_or_default();
    let documents = repository::parse(&sources, module_files);
    let mut modules = repository::load(&repository, &sources, &documents);
    for (directory, module) in repository.directories.iter().zip(&mut modules) {
        let mut own = std::mem::take(&mut module.diagnostics);
        // Modules that `terraform init` has installed are third-party code: only the arguments passed to them are checked.
        if !directory.is_installed() {
            diagnostics.append(&mut own);
        }
    }
    let mut secrecy = determine_secrecy(&repository, &modules, &runs, &sources, &documents);
    let checker = ModuleChecker {
        request,
        repository: &repository,
        modules: &modules,
        sources: &sources,
        documents: &documents,
    };
    let results = run_in_parallel(runs.len(), |i| checker.check(&runs[i]));

    let mut summary = Summary {
        modules: modules.len(),
        environments: runs.iter().filter(|it| it.environment.is_some()).count(),
        ..Summary::default()
    };
    let (mut checked, mut unchecked) = (BTreeSet::new(), BTreeMap::new());
    let mut environments = BTreeMap::new();
    let mut collector = DiagnosticCollector::default();
    diagnostics.into_iter().for_each(|it| collector.add(it, None));
    for (run, result) in runs.into_iter().zip(results) {
        let environment = run.environment.map(|it| base.describe(&it));
        *environments.entry(run.module).or_default() += usize::from(environment.is_some());
        for diagnostic in run.errors.into_iter().chain(result.diagnostics) {
            // A location in a variables file names the environment.
            let is_input = diagnostic.location().is_some_and(|it| run.inputs.contains(&it.source));
            collector
                .add(diagnostic, environment.as_deref().filter(|_| !is_input).map(|name| (run.module, name)));
        }
        result
            .secret_arguments
            .into_iter()
            .for_each(|it| secrecy.redact(it.source, it.range(), Redaction::Everything));
        checked.extend(result.checked);
        unchecked.extend(result.unchecked);
    }
    secrecy.sort();
    unchecked.retain(|it, _| !checked.contains(it));
    report_unchecked_calls(&unchecked, &sources).into_iter().for_each(|it| collector.add(it, None));
    let mut diagnostics = collector.into_diagnostics(&environments);
    let of_category = |category| diagnostics.iter().filter(move |it: &&Diagnostic| it.category() == category);
    summary.unevaluated_validations = of_category(DiagnosticCategory::UnevaluatedValidation).count();
    let expressions = of_category(DiagnosticCategory::UnevaluatedExpression).filter_map(Diagnostic::location);
    summary.unevaluated_expressions = expressions.collect::<BTreeSet<_>>().len();
    if !request.as_errors.unevaluated {
        // The summary contains their number.
        diagnostics.retain(|it| it.severity != Severity::Note || !it.is_unevaluated());
    }
    diagnostics.iter_mut().for_each(|it| it.escalate(request.as_errors));
    diagnostics.sort_by(|a, b| (a.severity, a.location()).cmp(&(b.severity, b.location())));
    let count = |severity| diagnostics.iter().filter(|it| it.severity == severity).count();
    summary.calls = checked.len();
    summary.unchecked_calls = unchecked.len();
    summary.errors = count(Severity::Error);
    summary.warnings = count(Severity::Warning);
    drop(modules);
    drop(documents);
    let unevaluated = summary.unevaluated_validations;
    let report = Report { unevaluated, ..Report::from_diagnostics(diagnostics, sources, secrecy) };
    (report, summary, searched)
}

/// Returns the directories of a request.
fn find_directories(
    request: &CheckRequest,
    base: &Request,
    (searched, diagnostics): (&mut BTreeSet<PathBuf>, &mut Vec<Diagnostic>),
) -> Vec<PathBuf> {
    let mut directories = Vec::new();
    for path in &request.directories {
        let mut matching = vec![path.clone()];
        if path.to_str().is_some_and(|it| it.contains(['*', '?', '['])) && !base.resolve(path).exists() {
            searched.extend(path.parent().map(Path::to_owned));
            matching = expand(Path::new(""), path, base, diagnostics);
            // A pattern also matches files, and directories without a module.
            matching.retain(|directory| match request.is_recursive {
                true => base.resolve(directory).is_dir(),
                false => document::has_module_files(&base.resolve(directory)),
            });
            if matching.is_empty() {
                diagnostics.push(report_no_match(&base.describe(path)));
            }
        }
        for directory in matching {
            match request.is_recursive {
                true => find_modules_below(&directory, base, searched, &mut directories),
                false => directories.push(directory),
            }
        }
    }
    let mut seen = HashSet::new();
    directories.retain(|it| seen.insert(repository::normalize(it)));
    directories
}

/// Returns the paths in a directory that match a pattern, sorted by name.
fn expand(
    directory: &Path,
    pattern: &Path,
    base: &Request,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<PathBuf> {
    let root = base.resolve(directory);
    // The directory itself is not a pattern.
    let escaped = PathBuf::from(glob::Pattern::escape(&root.to_string_lossy()));
    let matches = match glob::glob(&escaped.join(pattern).to_string_lossy()) {
        Ok(it) => it.filter_map(Result::ok),
        Err(error) => {
            let detail = format!("The pattern {} is invalid: {}.", pattern.display(), error.msg);
            diagnostics.push(Diagnostic::new("Invalid pattern", detail, None));
            return Vec::new();
        }
    };
    matches.map(|it| it.strip_prefix(&root).map(|it| directory.join(it)).unwrap_or(it)).collect()
}

fn report_no_match(pattern: &str) -> Diagnostic {
    Diagnostic::new("No match for pattern", format!("No file or directory matches {pattern}."), None)
}

/// Adds the directories at and below a path that contain modules.
fn find_modules_below(
    directory: &Path,
    base: &Request,
    searched: &mut BTreeSet<PathBuf>,
    directories: &mut Vec<PathBuf>,
) {
    searched.insert(directory.to_owned());
    let Ok(entries) = base.resolve(directory).read_dir() else {
        // The error is reported when the files are read.
        return directories.push(directory.to_owned());
    };
    let mut nested = Vec::new();
    let mut has_files = false;
    for entry in entries.flatten() {
        let name = entry.file_name();
        match entry.file_type() {
            // A symbolic link can lead to a directory that contains it.
            Ok(it) if it.is_dir() && !name.as_encoded_bytes().starts_with(b".") => nested.push(name),
            _ => has_files |= document::is_module_file(&name),
        }
    }
    if has_files {
        directories.push(directory.to_owned());
    }
    nested.sort_unstable();
    nested.iter().for_each(|it| find_modules_below(&directory.join(it), base, searched, directories));
}

/// Reads the inputs of each directory and environment. The result contains the files of the modules, followed by the
/// inputs.
fn read_runs(
    request: &CheckRequest,
    base: &Request,
    directories: usize,
    mut repository: Repository,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<CheckRun>, Vec<Source>, Repository) {
    let mut sources = std::mem::take(&mut repository.sources);
    let mut runs = Vec::new();
    let mut unmatched: BTreeSet<&str> = request.environments.iter().map(String::as_str).collect();
    let count = directories.min(repository.directories.len());
    for module in 0..count {
        let directory = repository.directories[module].path.clone();
        if let Some(error) = repository.directories[module].error.take() {
            diagnostics.push(error);
            continue;
        }
        let mut environments: Vec<Option<PathBuf>> = Vec::new();
        for pattern in &request.environments {
            let files = expand(&directory, Path::new(pattern), base, diagnostics);
            if !files.is_empty() {
                unmatched.remove(&**pattern);
            }
            environments.extend(files.into_iter().map(Some));
        }
        if environments.is_empty() {
            environments.push(None);
        }
        for environment in environments {
            let options = environment.clone().map(Setting::File).into_iter().collect();
            let request = Request { directory: directory.clone(), options, ..base.clone() };
            let start = sources.len();
            let (origins, errors) = inputs::read(&request, &mut sources);
            let is_complete = environment.is_some() && errors.is_empty();
            let errors = errors.into_iter().map(|error| match error.is_missing && environment.is_none() {
                // A dangling symbolic link to a variables file that each user creates is an error only if the values of an
                // environment are checked.
                true => error.diagnostic.with_severity(Severity::Warning),
                false => error.diagnostic,
            });
            let errors = errors.collect();
            runs.push(CheckRun {
                module,
                inputs: start..sources.len(),
                origins,
                environment,
                is_complete,
                errors,
            });
        }
    }
    diagnostics.extend(unmatched.into_iter().map(report_no_match));
    (runs, sources, repository)
}

fn determine_secrecy(
    repository: &Repository,
    modules: &[Module<'_>],
    runs: &[CheckRun],
    sources: &[Source],
    documents: &[Document<'_>],
) -> Secrecy {
    let mut secrecy = Secrecy::new(sources.len());
    for (index, module) in modules.iter().enumerate() {
        let files = repository.directories[index].files.clone();
        secrecy.add_module(sources, documents, module, files);
    }
    for run in runs {
        let inputs = (run.inputs.start, &*run.origins);
        secrecy.add_inputs(sources, documents, &modules[run.module], inputs);
    }
    secrecy
}

/// The modules of all runs.
struct ModuleChecker<'a, 'd> {
    request: &'a CheckRequest,
    repository: &'a Repository,
    modules: &'a [Module<'d>],
    sources: &'d [Source],
    documents: &'d [Document<'d>],
}

impl ModuleChecker<'_, '_> {
    fn check(&self, run: &CheckRun) -> CheckResult {
        let module = &self.modules[run.module];
        let files = self.repository.directories[run.module].files.clone();
        let has_tofu_files = document::has_tofu_files(&self.sources[files]);
        let mut result = CheckResult::default();
        let target = self.request.target.as_ref();
        let behavior = select_behavior(target, module, has_tofu_files, &mut result.diagnostics);
        let evaluation = Evaluation {
            module,
            sources: self.sources,
            documents: self.documents,
            inputs: (run.inputs.start, &run.origins),
            is_complete: run.is_complete,
            behavior,
            mode: if run.environment.is_some() { ValidationMode::Partial } else { ValidationMode::Defaults },
        };
        let EvaluatedVariables { variables, inputs, .. } = evaluation.evaluate(&mut result.diagnostics);
        let has_inputs = !inputs.is_empty();
        // Without values, the defaults can be overridden later. Then the variables are unknown, as in `terraform validate`.
        let values =
            variables.into_iter().filter(|_| has_inputs || run.environment.is_some()).map(|variable| {
                let marks = Marks::of_flags(variable.is_sensitive, variable.is_ephemeral);
                (variable.name().to_owned(), Marked { typed: variable.typed().clone(), marks })
            });
        let mut checker = CallChecker::new(self.repository, self.modules, self.sources, run.module, behavior);
        checker.check_root(values.collect());
        result.diagnostics.append(&mut checker.diagnostics);
        (result.checked, result.unchecked) = (checker.checked, checker.unchecked);
        result.secret_arguments = checker.secret_arguments;
        result
    }
}

/// Returns a note for each source of modules that are not available, and for each reason.
fn report_unchecked_calls(
    unchecked: &BTreeMap<Location, UnavailableReason>,
    sources: &[Source],
) -> Vec<Diagnostic> {
    let mut calls: BTreeMap<&UnavailableReason, Vec<&Location>> = BTreeMap::new();
    for (location, reason) in unchecked {
        calls.entry(reason).or_default().push(location);
    }
    let note = |(reason, locations): (&UnavailableReason, Vec<&Location>)| {
        let (first, others) = locations.split_first()?;
        let mut detail = reason.to_string();
        if let [next, ..] = others {
            let next = next.describe(sources);
            detail.push_str(&match others.len() {
                1 => format!(" This also applies to the call at {next}."),
                more => format!(" This also applies to {more} other calls, such as that at {next}."),
            });
        }
        Some(
            Diagnostic::new("Module call not checked", detail, (*first).clone())
                .with_severity(Severity::Note),
        )
    };
    calls.into_iter().filter_map(note).collect()
}
