//! One case: a schema, a backend, and some configurations in a row.

use std::fmt::Write;
use std::sync::Arc;

use ferroform::schema::Schema;
use ferroform::value::Path;
use ferroform_testing::{Action, Diff, Instance};

use crate::backend::{Backend, Habit};
use crate::common::{core, panic_of};
use crate::config::{self, Object};
use crate::dice::Dice;
use crate::kept::Update;
use crate::schema::{self, Field, Shown};
use crate::tally::Tally;

/// What all cases of a test have in common.
#[derive(Clone, Copy)]
pub(crate) struct World {
    /// The name of the test.
    pub(crate) name: &'static str,
    /// Makes its cases others than those of the other tests.
    pub(crate) seed: u64,
    pub(crate) habit: Habit,
    /// How many parts of a configuration are unknown at first, in percent.
    pub(crate) unknowns: u64,
}

pub(crate) struct Case {
    pub(crate) number: u64,
    pub(crate) world: World,
}

/// A case that broke a law.
pub(crate) struct Failure {
    pub(crate) number: u64,
    /// The schema, each configuration, and the law.
    pub(crate) text: String,
}

const STEPS: usize = 4;

impl Case {
    pub(crate) fn run(&self, tally: &mut Tally) -> Result<(), Failure> {
        let seed = self.number << 8 | self.world.seed;
        let mut dice = Dice::new(seed);
        // Some things can be said only where all is known from the start.
        let unknowns = if dice.chance(25) { 0 } else { self.world.unknowns };
        let fields = schema::resource(&mut dice);
        let mut story = self.head(&fields);
        let faults = Schema { version: 0, block: schema::block(&fields) }.definition_errors();
        tally.schema(&fields, !faults.is_empty());
        if !faults.is_empty() {
            return Ok(());
        }
        let backend = Backend::new(&fields, self.world.habit, seed);
        let mut life = Life { fields: &fields, dice, unknowns, backend: &backend, story: &mut story, tally };
        let broken = panic_of(|| life.run());
        tally.habit(backend.shown());
        match broken {
            Some(law) => Err(Failure { number: self.number, text: format!("{story}\n{law}") }),
            None => Ok(()),
        }
    }

    fn head(&self, fields: &[Field]) -> String {
        let Case { number, world } = self;
        format!(
            "case {number}: FERROFORM_CASES={number}..{} cargo test -p ferroform-testing --test any_schema {}\n{}",
            number + 1,
            world.name,
            Shown(fields)
        )
    }
}

/// The life of an object, and the story of it.
struct Life<'a> {
    fields: &'a [Field],
    dice: Dice,
    unknowns: u64,
    backend: &'a Arc<Backend>,
    story: &'a mut String,
    tally: &'a mut Tally,
}

impl Life<'_> {
    fn run(&mut self) {
        let mut thing = core(self.backend.thing()).resource("test_thing");
        let mut last = None;
        for _ in 0..STEPS {
            let next = match last {
                // The same once more, of which other parts are unknown.
                Some(it) if self.dice.chance(25) => it,
                before => config::any(&mut self.dice, self.fields, before.as_ref()),
            };
            self.step(&mut thing, &next);
            last = Some(next);
        }
        if thing.exists() {
            thing.destroy();
        }
    }

    fn step(&mut self, thing: &mut Instance, last: &Object) {
        let percent = if self.dice.chance(60) { self.unknowns } else { 0 };
        let first = last.at_first(&mut self.dice, percent);
        self.tell(format_args!("first  {first}\nlast   {last}"));
        let planned = thing.apply_once_known(first.configuration(), last.configuration());
        self.tally.plan(&planned, first.to_string() != last.to_string());
        self.tell(format_args!("{planned}\n"));
        self.check_kept(&planned, &first);
        self.backend.time_passes();
        let read = thing.refresh();
        self.tally.read(&read);
        self.tell(format_args!("read: {read}\n"));
    }

    fn check_kept(&self, planned: &Diff, config: &Object) {
        if let (Action::Update, Some(before), Some(after)) = (planned.action, &planned.before, &planned.after)
        {
            let update = Update { before: before.value(), after: after.value() };
            update.check(self.fields, config, &Path::ROOT);
        }
    }

    fn tell(&mut self, what: std::fmt::Arguments<'_>) {
        // Writing to a text cannot fail.
        let _ = writeln!(self.story, "{what}");
    }
}
