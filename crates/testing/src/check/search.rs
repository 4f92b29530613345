//! The search for a sequence that violates an invariant.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use super::choices::{Choices, Random, shrink};
use super::provider_under_test::ProviderUnderTest;
use super::run::SequenceRun;
use super::scenarios::{SCENARIOS, Scenario, Stage};
use super::step::{Progress, SequenceEnd, StepResult};
use super::target::Target;
use crate::Invariant;
use crate::harness::RpcTimeout;
use crate::invariant::Violation;

/// The maximum number of sequences for shrinking.
const SHRINKS: usize = 300;

/// The maximum time for shrinking.
const SHRINK_TIME: Duration = Duration::from_secs(3);

/// A violated invariant, with the minimal sequence of steps that was found.
pub(super) struct Finding {
    pub(super) violation: Violation,
    pub(super) steps: Vec<String>,
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
}

/// The next sequence of a scenario.
struct Sequence<'a> {
    target: &'a Target,
    scenario: &'a Scenario,
    number: usize,
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
        let harness = match self.start() {
            Ok(harness) => harness,
            Err(SequenceEnd::Violated(violation)) => {
                return (Err(Some(Finding { violation, steps: Vec::new() })), Vec::new());
            }
            Err(SequenceEnd::Rejected) => return (Err(None), Vec::new()),
        };
        let mut run = SequenceRun { provider: self, harness, choices, steps: Vec::new() };
        let result = catch_unwind(AssertUnwindSafe(|| steps(&mut run)));
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
        drop(cleaned);
        let SequenceRun { choices, steps, .. } = run;
        let result = result.map_err(|interruption| match interruption {
            SequenceEnd::Violated(it) if self.skipped.contains(&it.invariant) => None,
            SequenceEnd::Violated(violation) => Some(Finding { violation, steps }),
            SequenceEnd::Rejected => None,
        });
        (result, choices.into_made())
    }

    /// Runs steps that prepare sequences.
    pub(super) fn prepare<T>(
        &self,
        steps: impl FnOnce(&mut SequenceRun<'_>) -> StepResult<T>,
    ) -> Result<Option<T>, Finding> {
        match self.run(Choices::replay(Vec::new()), steps).0 {
            Ok(result) => Ok(Some(result)),
            Err(None) => Ok(None),
            Err(Some(finding)) => Err(finding),
        }
    }

    fn run_sequence(&self, it: &Sequence<'_>, choices: Choices) -> (SequenceOutcome, Vec<u64>) {
        let (result, made) = self.run(choices, |run| (it.scenario.run)(run, it.target, it.number));
        let outcome = match result {
            Ok(progress) => SequenceOutcome::Ended(progress),
            Err(None) => SequenceOutcome::Rejected,
            Err(Some(finding)) => SequenceOutcome::Found(finding),
        };
        (outcome, made)
    }

    /// Searches until the budget is exhausted, first in the systematic sequences, then in random ones.
    pub(super) fn search(&self, seed: u64, end: Instant, statistics: &mut Statistics) -> Option<Finding> {
        let mut all: Vec<Sequence<'_>> = Vec::new();
        for target in &self.targets {
            let scenarios = SCENARIOS.iter().filter(|it| it.kind == target.kind);
            all.extend(scenarios.map(|scenario| Sequence {
                target,
                scenario,
                number: 0,
                is_finished: false,
            }));
        }
        // Each stage has its own share of the time. Unfinished systematic sequences run after the stages.
        let share = end.saturating_duration_since(Instant::now()) / 4;
        for stage in [Stage::Lifecycle, Stage::Faults, Stage::BoundaryValues] {
            let stage_end = end.min(Instant::now() + share);
            if let Some(finding) = self.search_stage(&mut all, Some(stage), stage_end, statistics) {
                return Some(finding);
            }
        }
        if let Some(finding) = self.search_stage(&mut all, None, end, statistics) {
            return Some(finding);
        }
        let mut random = Random(seed);
        while Instant::now() < end && !all.is_empty() {
            let chosen = &all[(random.next() % all.len() as u64) as usize];
            let number = (random.next() % chosen.number.max(1) as u64) as usize;
            let it = Sequence { number, ..*chosen };
            statistics.sequences += 1;
            match self.run_sequence(&it, Choices::random(random.next())) {
                (SequenceOutcome::Found(finding), choices) => {
                    if let Some(finding) = self.shrink(&it, choices, finding) {
                        return Some(finding);
                    }
                }
                (SequenceOutcome::Rejected, _) => statistics.rejected += 1,
                _ => {}
            }
        }
        None
    }

    /// Runs the systematic sequences of a stage, or of all stages, in rounds: first those with the number 0, then those with the number
    /// 1, and so on.
    fn search_stage(
        &self,
        all: &mut [Sequence<'_>],
        stage: Option<Stage>,
        end: Instant,
        statistics: &mut Statistics,
    ) -> Option<Finding> {
        loop {
            let is_active =
                |it: &Sequence<'_>| !it.is_finished && stage.is_none_or(|stage| it.scenario.stage == stage);
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
        shrink(choices, |choices| {
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
        });
        Some(minimal)
    }
}
