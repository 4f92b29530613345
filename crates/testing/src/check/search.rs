//! The search for a sequence that violates an invariant.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ferroform::value::Value;
use ferroform_engine::Kind;

use super::choices::{Choices, Random, shrink};
use super::provider_under_test::ProviderUnderTest;
use super::run::SequenceRun;
use super::scenarios::{SCENARIOS, Scenario, Stage};
use super::service::new_objects;
use super::step::{Progress, SequenceEnd, StepResult};
use super::target::Target;
use crate::Invariant;
use crate::harness::{RpcTimeout, lock};
use crate::invariant::Violation;

/// The environment variable with the budget of each check in seconds.
pub(super) const SECONDS: &str = "FERROFORM_CHECK_SECONDS";

/// The maximum number of sequences for shrinking.
const SHRINKS: usize = 300;

/// The numbers of rounds after which the next stage continues. The most valuable sequences of each stage come first.
const PASSES: [usize; 5] = [4, 10, 24, 60, usize::MAX];

/// The share of the time after which the last stage starts.
const STAGES_SHARE: f64 = 0.9;

/// The exclusive upper bound of generated seeds. Short seeds are easier to copy.
pub(super) const MAX_SEED: u64 = 100_000_000;

/// The maximum time for shrinking.
const SHRINK_TIME: Duration = Duration::from_secs(3);

/// A violated invariant, with the minimal sequence of steps that was found.
pub(super) struct Finding {
    pub(super) violation: Violation,
    pub(super) steps: Vec<String>,
    /// The seed of the sequence, if it is random.
    pub(super) seed: Option<u64>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.violation)?;
        if !self.steps.is_empty() {
            write!(f, "\n\nMinimal sequence of steps that violates the invariant:")?;
        }
        for (i, step) in self.steps.iter().enumerate() {
            write!(f, "\n  {}. {}", i + 1, step.replace('\n', "\n     "))?;
        }
        Ok(())
    }
}

/// The numbers of sequences that were run and rejected.
#[derive(Default)]
pub(super) struct Statistics {
    pub(super) sequences: usize,
    pub(super) rejected: usize,
    /// The checked types by their kinds, such as `2 resources, 1 data source`.
    pub(super) types: String,
    /// The types and functions with systematic sequences that did not run within the budget.
    pub(super) unfinished: BTreeSet<String>,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { sequences, rejected, types, unfinished } = self;
        let noun = if *sequences == 1 { "sequence" } else { "sequences" };
        write!(f, "checked {types} in {sequences} {noun}")?;
        match rejected {
            0 => {}
            1 => f.write_str(", 1 of them with a rejected configuration")?,
            _ => write!(f, ", {rejected} of them with rejected configurations")?,
        }
        if unfinished.is_empty() {
            return Ok(());
        }
        let unfinished: Vec<&str> = unfinished.iter().map(String::as_str).collect();
        write!(
            f,
            "\nthe budget ended before all systematic sequences ran for: {}. Increase `budget` or {SECONDS}",
            unfinished.join(", ")
        )
    }
}

/// The next sequence of a scenario.
#[derive(Clone)]
pub(super) struct Sequence<'a> {
    target: &'a Target,
    scenario: &'a Scenario,
    number: usize,
    /// The attributes of the base configuration that are omitted, with the values that they then have.
    omitted: Vec<(Arc<str>, Value)>,
    /// True if there are no sequences with this number or a greater one.
    is_finished: bool,
}

/// The end of a sequence.
enum SequenceOutcome {
    Ended(Progress),
    Rejected,
    Found(Finding),
}

impl ProviderUnderTest {
    /// Runs a sequence. `steps` is its body.
    fn run<T>(
        &self,
        choices: Choices,
        steps: impl FnOnce(&mut SequenceRun<'_>) -> StepResult<T>,
    ) -> (Result<T, Option<Finding>>, Vec<u64>) {
        self.interceptor.reset();
        if let Some(service) = &self.service {
            service.clear_faults();
        }
        let configured = match self.configured() {
            Ok(configured) => configured,
            Err(SequenceEnd::Violated(violation)) => {
                let steps = vec![self.configuration_step()];
                return (Err(Some(Finding { violation, steps, seed: None })), Vec::new());
            }
            Err(SequenceEnd::Rejected) => return (Err(None), Vec::new()),
        };
        let harness = configured.harness.clone();
        let before = self.service.as_ref().map(|it| it.objects());
        let mut run = SequenceRun {
            provider: self,
            harness,
            choices,
            omitted: Vec::new(),
            steps: Vec::new(),
            related_steps: Vec::new(),
            next_fault: None,
        };
        let result = catch_unwind(AssertUnwindSafe(|| steps(&mut run)));
        let has_ended = result.is_ok();
        let result = result.unwrap_or_else(|panic| {
            // The violation about the RPC that exceeded its time limit has been collected.
            if !panic.is::<RpcTimeout>() {
                resume_unwind(panic);
            }
            run.check()?;
            Err(SequenceEnd::Rejected)
        });
        self.interceptor.disarm();
        if let Some(service) = &self.service {
            service.clear_faults();
        }
        let cleaned = catch_unwind(AssertUnwindSafe(|| run.harness.clean_up()));
        // An object that remains would change the next sequence.
        if let (Some(service), Some(before)) = (&self.service, before) {
            new_objects(&**service, &before).iter().for_each(|it| service.remove(it));
        }
        if has_ended && cleaned.is_ok() {
            self.keep(configured);
        }
        let SequenceRun { choices, steps, related_steps, .. } = run;
        let steps = [related_steps, steps].concat();
        let result = result.map_err(|end| match end {
            SequenceEnd::Violated(it) if self.skipped.contains(&it.invariant) => None,
            SequenceEnd::Violated(violation) => Some(Finding { violation, steps, seed: None }),
            SequenceEnd::Rejected => None,
        });
        (result, choices.into_made())
    }

    /// Runs the steps that prepare sequences. If they violate [`Invariant::MethodEnds`], repeats them once, because a busy machine can
    /// be the cause.
    pub(super) fn prepare<T>(
        &self,
        mut steps: impl FnMut(&mut SequenceRun<'_>) -> StepResult<T>,
    ) -> Result<Option<T>, Finding> {
        let mut result = self.run(Choices::replay(Vec::new()), &mut steps).0;
        if matches!(&result, Err(Some(it)) if it.violation.invariant == Invariant::MethodEnds) {
            result = self.run(Choices::replay(Vec::new()), steps).0;
        }
        match result {
            Ok(result) => Ok(Some(result)),
            Err(None) => Ok(None),
            Err(Some(finding)) => Err(finding),
        }
    }

    /// Runs a sequence. A violation must not depend on the sequences before it, so it is reproduced with a new provider.
    fn run_sequence(&self, it: &Sequence<'_>, choices: Choices) -> (SequenceOutcome, Vec<u64>) {
        let is_new = lock(&self.idle).is_none();
        let (outcome, made) = self.run_once(it, choices);
        if is_new || !matches!(outcome, SequenceOutcome::Found(_)) {
            return (outcome, made);
        }
        self.discard_idle();
        self.run_once(it, Choices::replay(made))
    }

    fn run_once(&self, it: &Sequence<'_>, choices: Choices) -> (SequenceOutcome, Vec<u64>) {
        let (result, made) = self.run(choices, |run| {
            run.omitted.clone_from(&it.omitted);
            let target = run.with_related(it.target)?;
            (it.scenario.run)(run, &target, it.number)
        });
        let outcome = match result {
            Ok(progress) => SequenceOutcome::Ended(progress),
            Err(None) => SequenceOutcome::Rejected,
            Err(Some(finding)) => SequenceOutcome::Found(finding),
        };
        // These scenarios configure the provider themselves.
        if matches!(it.target.kind, Kind::Provider | Kind::StateStore) {
            self.discard_idle();
        }
        (outcome, made)
    }

    /// The first sequence of each scenario. Without a service, there are no stale reads.
    pub(super) fn sequences(&self) -> Vec<Sequence<'_>> {
        let sequences = self.targets.iter().flat_map(|target| {
            let is_possible = |it: &&Scenario| it.stage != Stage::StaleReads || self.service.is_some();
            let scenarios = SCENARIOS.iter().filter(is_possible).filter(|it| it.kind == target.kind);
            scenarios.map(move |scenario| Sequence {
                target,
                scenario,
                number: 0,
                omitted: Vec::new(),
                is_finished: false,
            })
        });
        sequences.collect()
    }

    /// Searches until the budget is exhausted, first in the systematic sequences, then in random ones.
    pub(super) fn search(&self, seed: u64, budget: Duration, statistics: &mut Statistics) -> Option<Finding> {
        let mut all = self.sequences();
        let end = Instant::now() + budget;
        let share = if self.service.is_some() { STAGES_SHARE } else { 1.0 };
        let stages_end = Instant::now() + budget.mul_f64(share);
        for rounds in PASSES {
            // The stages have the same share of the time of a pass, and in each round, each type has a sequence of each scenario.
            let share = stages_end.saturating_duration_since(Instant::now()) / 4;
            for stage in [Stage::Lifecycle, Stage::Faults, Stage::BoundaryValues] {
                let stage_end = stages_end.min(Instant::now() + share);
                if let Some(finding) = self.search_stage(&mut all, stage, rounds, stage_end, statistics) {
                    return Some(finding);
                }
            }
        }
        let mut random = Random(seed);
        let seeds = std::iter::once(seed).chain(std::iter::repeat_with(|| random.next() % MAX_SEED));
        for seed in seeds.take_while(|_| Instant::now() < stages_end) {
            if let Some(finding) = self.search_random(&all, seed, statistics) {
                return Some(finding);
            }
        }
        let found = self.search_stage(&mut all, Stage::StaleReads, usize::MAX, end, statistics);
        if found.is_none() {
            let unfinished = all.iter().filter(|it| !it.is_finished).map(|it| it.target);
            statistics.unfinished = unfinished.map(|it| it.kind.named(&it.name).to_string()).collect();
        }
        found
    }

    /// Runs the random sequence with this seed.
    pub(super) fn search_random(
        &self,
        all: &[Sequence<'_>],
        seed: u64,
        statistics: &mut Statistics,
    ) -> Option<Finding> {
        let mut random = Random(seed);
        let mut below = |bound: usize| (random.next() % bound as u64) as usize;
        let all: Vec<_> = all.iter().filter(|it| it.scenario.stage != Stage::StaleReads).collect();
        let chosen = all[below(all.len())];
        // Most scenarios finish long before their limit.
        let bound = 1 << below(chosen.scenario.limit.ilog2() as usize + 2);
        let number = below(chosen.scenario.limit.min(bound));
        let it = Sequence { number, ..chosen.clone() };
        statistics.sequences += 1;
        match self.run_sequence(&it, Choices::random(random.next())) {
            (SequenceOutcome::Found(finding), choices) => {
                let finding = self.shrink(&it, choices, finding);
                finding.map(|it| Finding { seed: Some(seed), ..it })
            }
            (SequenceOutcome::Rejected, _) => {
                statistics.rejected += 1;
                None
            }
            _ => None,
        }
    }

    /// Runs the systematic sequences of a stage in rounds: first those with the number 0, then those with the number 1, and so on, up to
    /// the number of rounds.
    fn search_stage(
        &self,
        all: &mut [Sequence<'_>],
        stage: Stage,
        rounds: usize,
        end: Instant,
        statistics: &mut Statistics,
    ) -> Option<Finding> {
        loop {
            let is_active =
                |it: &Sequence<'_>| !it.is_finished && it.scenario.stage == stage && it.number < rounds;
            let mut has_run = false;
            for it in all.iter_mut().filter(|it| is_active(it)) {
                if Instant::now() > end {
                    return None;
                }
                has_run = true;
                statistics.sequences += 1;
                let is_more = match self.run_sequence(it, Choices::replay(Vec::new())).0 {
                    SequenceOutcome::Ended(progress) => progress == Progress::More,
                    SequenceOutcome::Rejected => {
                        statistics.rejected += 1;
                        true
                    }
                    SequenceOutcome::Found(finding) => match self.shrink(it, Vec::new(), finding) {
                        Some(finding) => return Some(finding),
                        None => true,
                    },
                };
                it.number += 1;
                it.is_finished = !is_more || it.number == it.scenario.limit;
            }
            if !has_run {
                return None;
            }
        }
    }

    /// Shrinks a sequence: finds a smaller one that violates the same invariant. `None` if the violation depends on the load of the machine.
    fn shrink(&self, it: &Sequence<'_>, choices: Vec<u64>, finding: Finding) -> Option<Finding> {
        let invariant = finding.violation.invariant;
        let mut minimal = finding;
        if invariant == Invariant::MethodEnds {
            match self.run_sequence(it, Choices::replay(choices.clone())).0 {
                SequenceOutcome::Found(finding) => minimal = finding,
                _ => return None,
            }
        }
        let (start, mut runs) = (Instant::now(), 0);
        let mut is_violated = |it: &Sequence<'_>, choices: &[u64]| {
            runs += 1;
            if runs > SHRINKS || start.elapsed() > SHRINK_TIME {
                return false;
            }
            match self.run_sequence(it, Choices::replay(choices.to_vec())).0 {
                SequenceOutcome::Found(finding) if finding.violation.invariant == invariant => {
                    minimal = finding;
                    true
                }
                _ => false,
            }
        };
        let choices = shrink(choices, |choices| is_violated(it, choices));
        // The base configuration can contain optional attributes of an example.
        let mut it = it.clone();
        for field in &it.target.values.0 {
            let Some(absent) = field.absent.clone() else { continue };
            if *it.target.base.attribute_or_null(&field.name) != absent {
                it.omitted.push((field.name.clone(), absent));
                if !is_violated(&it, &choices) {
                    it.omitted.pop();
                }
            }
        }
        Some(minimal)
    }
}
