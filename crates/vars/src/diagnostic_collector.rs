//! The diagnostics of several evaluations of the same modules, without duplicates.

use std::collections::{BTreeMap, HashMap};

use crate::diagnostic::{Diagnostic, Identity};

/// The diagnostics of several evaluations.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticCollector {
    found: Vec<CollectedDiagnostic>,
    index: HashMap<Identity, usize>,
}

#[derive(Debug)]
struct CollectedDiagnostic {
    diagnostic: Diagnostic,
    /// The environments in which it was found, by the index of the root module.
    environments: BTreeMap<usize, Vec<String>>,
}

impl DiagnosticCollector {
    /// Adds a diagnostic. `environment` is the index of the root module and the name of the environment, if the diagnostic
    /// depends on it.
    pub(crate) fn add(&mut self, diagnostic: Diagnostic, environment: Option<(usize, &str)>) {
        let next = self.found.len();
        let index = *self.index.entry(diagnostic.identity()).or_insert(next);
        match self.found.get_mut(index) {
            None => self.found.push(CollectedDiagnostic { diagnostic, environments: BTreeMap::new() }),
            // The default that a validation rejects is a warning, but a call that uses it is an error.
            Some(found) if diagnostic.severity < found.diagnostic.severity => found.diagnostic = diagnostic,
            Some(_) => {}
        }
        if let Some((module, name)) = environment {
            self.found[index].environments.entry(module).or_default().push(name.to_owned());
        }
    }

    /// Returns the diagnostics in the order in which they were found. If a diagnostic occurs in only some environments of
    /// its module, a note names these. `environments` contains the number of environments of each module.
    pub(crate) fn into_diagnostics(self, environments: &BTreeMap<usize, usize>) -> Vec<Diagnostic> {
        let with_environments =
            |CollectedDiagnostic { mut diagnostic, environments: found }: CollectedDiagnostic| {
                let is_in_some =
                    |(module, names): &(usize, Vec<String>)| environments.get(module) > Some(&names.len());
                if let Some((_, names)) = found.into_iter().find(is_in_some) {
                    let noun = if names.len() == 1 { "variables file is" } else { "variables files are" };
                    diagnostic.add_note(&format!("The {noun} {}.", names.join(", ")));
                }
                diagnostic
            };
        self.found.into_iter().map(with_environments).collect()
    }
}
