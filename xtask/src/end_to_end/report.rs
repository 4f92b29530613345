//! The scenarios that ran with each client.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use crate::client::{Client, TestSet};
use crate::result::Result;

/// The scenarios that each client ran, in the order of the clients.
#[derive(Default)]
pub(super) struct Report {
    pub(super) clients: Vec<Column>,
}

/// The scenarios of one client.
pub(super) struct Column {
    pub(super) client: String,
    /// True if only the smoke test ran.
    pub(super) is_smoke: bool,
    duration: Duration,
    /// The names of the scenarios, with the features that they require.
    ran: BTreeMap<String, String>,
    skipped: BTreeMap<String, String>,
}

/// Whether a client has a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    /// This number of scenarios that require the feature ran.
    Ran(usize),
    /// All scenarios that require the feature were skipped.
    Skipped,
    /// No scenario requires the feature.
    NoScenario,
}

impl Report {
    /// Adds the lines of a client's report: the client, the package, `ran` or `skipped`, the name of the scenario, and the
    /// features that it requires, separated by tabs.
    ///
    /// # Errors
    ///
    /// Returns an error if a line has another format.
    pub(super) fn add(&mut self, client: &Client, duration: Duration, lines: &str) -> Result {
        let mut column = Column {
            client: client.name.clone(),
            is_smoke: client.test_set == TestSet::Smoke,
            duration,
            ran: BTreeMap::new(),
            skipped: BTreeMap::new(),
        };
        for line in lines.lines() {
            let [_, package, status, name, features] = line.split('\t').collect::<Vec<_>>()[..] else {
                return Err(format!("unexpected line in the report of the tests: {line}").into());
            };
            let scenarios = if status == "ran" { &mut column.ran } else { &mut column.skipped };
            scenarios.insert(format!("{package}: {name}"), features.to_owned());
        }
        self.clients.push(column);
        Ok(())
    }

    /// The features that scenarios require.
    pub(super) fn features(&self) -> BTreeSet<&str> {
        let scenarios = self.clients.iter().flat_map(|it| it.ran.values().chain(it.skipped.values()));
        scenarios.flat_map(|it| it.split(", ")).filter(|it| !it.is_empty()).collect()
    }

    /// Checks that at least one client ran each scenario.
    ///
    /// # Errors
    ///
    /// Returns an error that names the other scenarios.
    pub(super) fn check(&self) -> Result {
        let ran: BTreeSet<&String> = self.clients.iter().flat_map(|it| it.ran.keys()).collect();
        let skipped = self.clients.iter().flat_map(|it| &it.skipped);
        let never: BTreeSet<String> = skipped
            .filter(|(name, _)| !ran.contains(name))
            .map(|(name, features)| format!("{name} requires {features}"))
            .collect();
        if never.is_empty() {
            return Ok(());
        }
        let never: Vec<String> = never.into_iter().collect();
        Err(format!("no client runs these scenarios:\n{}", never.join("\n")).into())
    }
}

impl Column {
    pub(super) fn support(&self, feature: &str) -> Support {
        let count = |scenarios: &BTreeMap<String, String>| {
            scenarios.values().filter(|it| it.split(", ").any(|it| it == feature)).count()
        };
        match (count(&self.ran), count(&self.skipped)) {
            (0, 0) => Support::NoScenario,
            (0, _) => Support::Skipped,
            (ran, _) => Support::Ran(ran),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n| client | scenarios | skipped | time |\n|---|---|---|---|")?;
        for it in &self.clients {
            let kind = if it.is_smoke { "smoke test: " } else { "" };
            let (ran, skipped, seconds) = (it.ran.len(), it.skipped.len(), it.duration.as_secs());
            writeln!(f, "| {} | {kind}{ran} | {skipped} | {seconds} s |", it.client)?;
        }
        let names: Vec<&str> = self.clients.iter().map(|it| &*it.client).collect();
        let line = "|---".repeat(names.len());
        writeln!(f, "\n| scenarios that require | {} |\n|---{line}|", names.join(" | "))?;
        for feature in self.features() {
            let support = self.clients.iter().map(|it| it.support(feature));
            let cells = support.map(|it| match it {
                Support::Ran(count) => count.to_string(),
                Support::Skipped => "–".to_owned(),
                Support::NoScenario => String::new(),
            });
            writeln!(f, "| {feature} | {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
        Ok(())
    }
}
