//! The diagnostics of several evaluations of the same modules, without duplicates.
//!
//! The same error in two module instances is reported twice, with the address of each instance. It is reported once if
//! it does not depend on the values of an instance, or if it occurs whenever the called module itself is checked.

use std::collections::{BTreeMap, HashMap};

use crate::diagnostic::{DeduplicationKey, Diagnostic, Severity};

/// The diagnostics of several evaluations.
#[derive(Debug, Default)]
pub(crate) struct DiagnosticCollector {
    found: Vec<CollectedDiagnostic>,
    index: HashMap<DeduplicationKey, usize>,
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
        let index = *self.index.entry(diagnostic.deduplication_key()).or_insert(next);
        match self.found.get_mut(index) {
            None => self.found.push(CollectedDiagnostic { diagnostic, environments: BTreeMap::new() }),
            Some(found) => {
                let is_secret = diagnostic.is_redacted() || found.diagnostic.is_redacted();
                // The default that a validation rejects is a warning, but a call that uses it is an error.
                if diagnostic.severity < found.diagnostic.severity {
                    found.diagnostic = diagnostic;
                }
                found.diagnostic.set_redacted(is_secret);
            }
        }
        if let Some((module, name)) = environment {
            let names = self.found[index].environments.entry(module).or_default();
            // An evaluation can find an error twice.
            if names.last().is_none_or(|it| it != name) {
                names.push(name.to_owned());
            }
        }
    }

    /// Returns the diagnostics in the order in which they were found. If a diagnostic occurs in only some environments of
    /// its module, a note names these. `environments` contains the number of environments of each module.
    pub(crate) fn into_diagnostics(mut self, environments: &BTreeMap<usize, usize>) -> Vec<Diagnostic> {
        for found in &mut self.found {
            let is_in_some = |(module, names): (&usize, &Vec<String>)| environments[module] > names.len();
            if !found.environments.iter().any(is_in_some) {
                found.environments.clear();
            }
        }
        let mut is_redundant = vec![false; self.found.len()];
        for (key, &index) in &self.index {
            let broader = key.broader_keys().filter_map(|it| self.index.get(&it).copied());
            for broader in broader.filter(|it| self.found[*it].environments.is_empty()) {
                let severity = |index: usize| self.found[index].diagnostic.severity;
                is_redundant[if severity(index) < severity(broader) { broader } else { index }] = true;
            }
        }
        let with_environments =
            |CollectedDiagnostic { mut diagnostic, environments }: CollectedDiagnostic| {
                let names: Vec<String> = environments.into_values().flatten().collect();
                if !names.is_empty() {
                    let plural = if names.len() == 1 { "" } else { "s" };
                    let names = names.join(", ");
                    diagnostic.add_note(&match diagnostic.severity {
                        Severity::Error => {
                            format!("The error occurs with the variables file{plural} {names}.")
                        }
                        Severity::Warning | Severity::Note => format!("Variables file{plural}: {names}."),
                    });
                }
                diagnostic
            };
        let found = self.found.into_iter().zip(is_redundant).filter(|(_, is_redundant)| !is_redundant);
        found.map(|(it, _)| with_environments(it)).collect()
    }
}
