//! One case: a schema, a backend, and a sequence of configurations.

use std::fmt::Write;
use std::sync::Arc;

use ferroform::schema::Schema;
use ferroform::value::Path;
use ferroform_testing::{Action, Diff, Instance};

use crate::backend::{ApiBehavior, Backend};
use crate::common::{harness, panic_message};
use crate::config::{self, Object};
use crate::coverage::Coverage;
use crate::rng::Rng;
use crate::schema::{self, Field, SchemaSource};
use crate::state_preservation::Update;

/// The properties that all cases of a test have in common.
#[derive(Clone, Copy)]
pub(crate) struct Scenario {
    /// The name of the test.
    pub(crate) name: &'static str,
    /// Distinguishes the cases of this test from those of the other tests.
    pub(crate) seed: u64,
    pub(crate) api_behavior: ApiBehavior,
    /// The percentage of values that are unknown in the first plan.
    pub(crate) unknowns: u64,
}

pub(crate) struct Case {
    pub(crate) number: u64,
    pub(crate) scenario: Scenario,
}

/// A case that violated an invariant.
pub(crate) struct Failure {
    pub(crate) number: u64,
    /// The schema, the configurations and the violation.
    pub(crate) report: String,
}

const STEPS: usize = 4;

impl Case {
    pub(crate) fn run(&self, coverage: &mut Coverage) -> Result<(), Failure> {
        let seed = self.number << 8 | self.scenario.seed;
        let mut rng = Rng::new(seed);
        // Some properties can be checked only if every value is known in the first plan.
        let unknowns = if rng.chance(25) { 0 } else { self.scenario.unknowns };
        let fields = schema::resource(&mut rng);
        let mut transcript = self.head(&fields);
        let errors = Schema::new(schema::block(&fields)).definition_errors();
        coverage.schema(&fields, !errors.is_empty());
        if !errors.is_empty() {
            return Ok(());
        }
        let backend = Backend::new(&fields, self.scenario.api_behavior, seed);
        let mut lifecycle = Lifecycle {
            fields: &fields,
            rng,
            unknowns,
            backend: &backend,
            transcript: &mut transcript,
            coverage,
        };
        let violation = panic_message(|| lifecycle.run());
        coverage.api_behavior(backend.changed_values());
        match violation {
            Some(violation) => {
                Err(Failure { number: self.number, report: format!("{transcript}\n{violation}") })
            }
            None => Ok(()),
        }
    }

    fn head(&self, fields: &[Field]) -> String {
        let Case { number, scenario } = self;
        format!(
            "case {number}: FERROFORM_CASES={number}..{} cargo test -p ferroform-testing --test random_schemas {}\n{}",
            number + 1,
            scenario.name,
            SchemaSource(fields)
        )
    }
}

/// The lifecycle of an object, and its transcript.
struct Lifecycle<'a> {
    fields: &'a [Field],
    rng: Rng,
    unknowns: u64,
    backend: &'a Arc<Backend>,
    transcript: &'a mut String,
    coverage: &'a mut Coverage,
}

impl Lifecycle<'_> {
    fn run(&mut self) {
        let mut instance = harness(self.backend.resource()).resource("test_thing");
        let mut final_config = None;
        for _ in 0..STEPS {
            let next = match final_config {
                // The same configuration with other unknown values.
                Some(it) if self.rng.chance(25) => it,
                before => config::any(&mut self.rng, self.fields, before.as_ref()),
            };
            self.step(&mut instance, &next);
            final_config = Some(next);
        }
        if instance.exists() {
            instance.destroy();
        }
    }

    fn step(&mut self, instance: &mut Instance, final_config: &Object) {
        let percent = if self.rng.chance(60) { self.unknowns } else { 0 };
        let first = final_config.with_unknowns(&mut self.rng, percent);
        self.record(format_args!("first  {first}\nlast   {final_config}"));
        let planned = instance.apply_once_known(first.configuration(), final_config.configuration());
        self.coverage.plan(&planned, first.to_string() != final_config.to_string());
        self.record(format_args!("{planned}\n"));
        self.check_state_preservation(&planned, &first);
        self.backend.drift();
        let read = instance.refresh();
        self.coverage.read(&read);
        self.record(format_args!("read: {read}\n"));
    }

    fn check_state_preservation(&self, planned: &Diff, config: &Object) {
        if let (Action::Update, Some(before), Some(after)) = (planned.action, &planned.before, &planned.after)
        {
            let update = Update { before: before.value(), after: after.value() };
            update.check(self.fields, config, &Path::ROOT);
        }
    }

    fn record(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.transcript, "{line}");
    }
}
