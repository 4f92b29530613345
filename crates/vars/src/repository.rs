//! The modules of a repository: the directories to check, and the modules that they call.
//!
//! A call with a path, such as `./network`, is that of a local module. The modules of other sources are available if
//! `terraform init` has installed them in the directory `.terraform/modules` of the root module.

use std::collections::HashMap;
use std::fmt;
use std::fs;
use std::num::NonZero;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use ferroform_lang::version_constraint::{VersionConstraint, parse_version};

use crate::call::{Calls, ModuleCall};
use crate::diagnostic::Diagnostic;
use crate::document::{self, Document};
use crate::json::{self, Kind, Node, members};
use crate::module::{self, Module};
use crate::module_source::{has_changed, is_local_source, is_registry_source};
use crate::request::Request;
use crate::source::Source;

/// The files of the modules, before they are parsed.
#[derive(Debug, Default)]
pub(crate) struct Repository {
    pub(crate) directories: Vec<Directory>,
    pub(crate) sources: Vec<Source>,
    /// The indices of the directories.
    index: HashMap<PathBuf, usize>,
}

/// The directory of a module.
#[derive(Debug)]
pub(crate) struct Directory {
    /// The path without `.` and `..`, relative to the working directory of the request or absolute.
    pub(crate) path: PathBuf,
    /// The indices of the files of the module.
    pub(crate) files: Range<usize>,
    pub(crate) error: Option<Diagnostic>,
    /// The modules that `terraform init` has installed for this module and the modules that it calls, by the names of the
    /// calls: `network.subnets`.
    installed: HashMap<String, InstalledModule>,
}

/// A module that `terraform init` has installed.
#[derive(Debug)]
struct InstalledModule {
    directory: PathBuf,
    /// The source of the call at that time.
    source: Option<String>,
    /// The version of a module from a registry.
    version: Option<String>,
}

/// The module of a call.
pub(crate) enum CalledModule {
    /// The index of the module.
    Module(usize),
    /// The path of a local module does not exist.
    Missing(PathBuf),
    /// The module is not available.
    Unavailable(UnavailableReason),
}

/// The reason why the module of a call is not available.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum UnavailableReason {
    /// The source is not a path, and the module is not installed.
    NotInstalled { source: String },
    /// The installed module has another source.
    SourceChanged { source: String },
    /// The installed version does not satisfy the version constraint of the call.
    VersionChanged { source: String, installed: String },
    /// The source is not a constant string.
    DynamicSource,
}

impl fmt::Display for UnavailableReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnavailableReason::NotInstalled { source } => {
                write!(f, "The module {source:?} is not installed.")?;
            }
            UnavailableReason::SourceChanged { source } => {
                write!(f, "The source was changed to {source:?} since the module was installed.")?;
            }
            UnavailableReason::VersionChanged { source, installed } => write!(
                f,
                "The version requirements of {source:?} were changed since the module was installed, and the installed version {installed} does not satisfy them."
            )?,
            UnavailableReason::DynamicSource => {
                return f.write_str("The source of the module is not a constant string.");
            }
        }
        f.write_str(" Run `terraform init` to install it.")
    }
}

impl Directory {
    /// Returns true if `terraform init` has installed the module.
    pub(crate) fn is_installed(&self) -> bool {
        self.path.components().any(|it| it.as_os_str() == ".terraform")
    }
}

impl Repository {
    /// Reads the files of these directories, and of all modules that they call. The directories have the first indices.
    pub(crate) fn read(request: &Request, directories: &[PathBuf]) -> Repository {
        let mut repository = Repository::default();
        for directory in directories {
            repository.add(request, &normalize(directory));
        }
        let mut next = 0;
        while let Some(directory) = repository.directories.get(next) {
            let path = directory.path.clone();
            let mut called: Vec<PathBuf> =
                directory.installed.values().map(|it| it.directory.clone()).collect();
            called.sort_unstable();
            for source in &repository.sources[directory.files.clone()] {
                let document = Document::parse(source, true);
                let mut calls = Calls::default();
                calls.add(module::read_calls(&document, (0, &source.text)), false, &mut Vec::new());
                called.extend(
                    calls
                        .iter()
                        .filter_map(ModuleCall::source)
                        .filter_map(|it| resolve_local_path(&path, &it)),
                );
            }
            for directory in called {
                repository.add(request, &directory);
            }
            next += 1;
        }
        repository
    }

    fn add(&mut self, request: &Request, path: &Path) {
        if self.index.contains_key(path) {
            return;
        }
        let request = Request { directory: path.to_owned(), ..request.clone() };
        let start = self.sources.len();
        let error = match document::read_module_files(&request) {
            Ok(mut sources) => {
                document::sort(&mut sources);
                self.sources.append(&mut sources);
                None
            }
            Err(error) => Some(error),
        };
        self.index.insert(path.to_owned(), self.directories.len());
        self.directories.push(Directory {
            path: path.to_owned(),
            files: start..self.sources.len(),
            error,
            installed: read_installed_modules(&request),
        });
    }

    /// Returns the module of a call in a module. `path` contains the names of the calls from the root module to this call.
    pub(crate) fn find_called_module(
        &self,
        root: usize,
        module: usize,
        call: &ModuleCall<'_>,
        path: &[String],
    ) -> CalledModule {
        let Some(source) = call.source() else {
            return CalledModule::Unavailable(UnavailableReason::DynamicSource);
        };
        if let Some(path) = resolve_local_path(&self.directories[module].path, &source) {
            return self.find(&path).map_or(CalledModule::Missing(path), CalledModule::Module);
        }
        let installed = self.directories[root].installed.get(&path.join("."));
        let Some((installed, index)) = installed.and_then(|it| Some((it, self.find(&it.directory)?))) else {
            return CalledModule::Unavailable(UnavailableReason::NotInstalled { source });
        };
        match installed.find_change(source, call) {
            Some(reason) => CalledModule::Unavailable(reason),
            None => CalledModule::Module(index),
        }
    }

    /// Returns the index of a directory whose files could be read.
    fn find(&self, path: &Path) -> Option<usize> {
        self.index.get(path).copied().filter(|it| self.directories[*it].error.is_none())
    }
}

impl InstalledModule {
    /// Returns the change of the call since the module was installed, as `terraform validate` reports it.
    fn find_change(&self, source: String, call: &ModuleCall<'_>) -> Option<UnavailableReason> {
        if self.source.as_ref().is_some_and(|it| has_changed(&source, it)) {
            return Some(UnavailableReason::SourceChanged { source });
        }
        let constraints = VersionConstraint::parse(&call.version()?)?;
        let installed = self.version.clone().filter(|_| is_registry_source(&source))?;
        let (version, _) = parse_version(&installed)?;
        // Only a constraint with a prerelease or `!=` accepts a prerelease.
        let is_prerelease = installed.split('+').next().is_some_and(|it| it.contains('-'));
        let is_accepted =
            |it: &VersionConstraint| it.accepts(version) && (!is_prerelease || it.is_exclusion());
        let is_satisfied = constraints.iter().all(is_accepted);
        (!is_satisfied).then_some(UnavailableReason::VersionChanged { source, installed })
    }
}

/// Returns the modules that `terraform init` has installed for the module of the request.
fn read_installed_modules(request: &Request) -> HashMap<String, InstalledModule> {
    let manifest = request.resolve(&request.directory).join(".terraform/modules/modules.json");
    let Some(node) = fs::read_to_string(manifest).ok().and_then(|it| json::parse(&it).ok()) else {
        return HashMap::new();
    };
    let property = |module: &Node, name: &str| {
        let found = members(module).find(|it| it.name == name)?;
        if let Kind::String(it) = &found.value.kind { Some(it.clone()) } else { None }
    };
    let modules = members(&node).find(|it| it.name == "Modules").map(|it| &it.value.kind);
    let Some(Kind::Array(modules)) = modules else { return HashMap::new() };
    let entry = |module: &Node| {
        let directory = normalize(&request.directory.join(property(module, "Dir")?));
        let (source, version) = (property(module, "Source"), property(module, "Version"));
        Some((property(module, "Key")?, InstalledModule { directory, source, version }))
    };
    modules.iter().filter_map(entry).filter(|(key, _)| !key.is_empty()).collect()
}

/// Returns the directory of a local module; `None` for any other source.
fn resolve_local_path(directory: &Path, source: &str) -> Option<PathBuf> {
    is_local_source(source).then(|| normalize(&directory.join(source.replace('\\', "/"))))
}

/// Removes `.` and `..` from a path.
pub(crate) fn normalize(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normalized.components().next_back(), Some(Component::Normal(_))) =>
            {
                normalized.pop();
            }
            it => normalized.push(it),
        }
    }
    normalized
}

/// Parses sources on all processors. The files of modules are first.
pub(crate) fn parse(sources: &[Source], module_files: usize) -> Vec<Document<'_>> {
    run_in_parallel(sources.len(), |i| Document::parse(&sources[i], i < module_files))
}

/// Loads the modules of all directories.
pub(crate) fn load<'d>(
    repository: &'d Repository,
    sources: &'d [Source],
    documents: &'d [Document<'d>],
) -> Vec<Module<'d>> {
    run_in_parallel(repository.directories.len(), |i| {
        module::load(sources, documents, repository.directories[i].files.clone())
    })
}

/// Returns the results of a function for `0..count`, which all processors compute.
pub(crate) fn run_in_parallel<T: Send>(count: usize, compute: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..processors.min(count) {
            scope.spawn(|| {
                let mut own = Vec::new();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    own.push((i, compute(i)));
                }
                results.lock().unwrap_or_else(PoisonError::into_inner).append(&mut own);
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, it)| it).collect()
}
