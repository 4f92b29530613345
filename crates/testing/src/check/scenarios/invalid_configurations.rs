//! Configurations with one invalid attribute.

use ferroform::value::{Path, Value};

use super::super::run::SequenceRun;
use super::super::step::{Progress, StepResult};
use super::super::target::{Target, attribute_names};
use super::super::values::with_member;
use crate::Invariant;

/// The maximum number of invalid values of each attribute.
const VALUES: usize = 24;

/// Validates boundary values and invalid values of one attribute.
pub(super) fn validate_values(
    run: &mut SequenceRun<'_>,
    target: &Target,
    number: usize,
) -> StepResult<Progress> {
    let Some(field) = target.values.0.get(number) else { return Ok(Progress::Finished) };
    let owner = target.kind.named(&target.name);
    // Boundary values are accepted or rejected, without a panic.
    for (value, _) in &field.boundary {
        run.validate(owner, &with_member(&target.base, &field.name, value.clone()))?;
    }
    let unknown = with_member(&target.base, &field.name, Value::UNKNOWN);
    if run.validate(owner, &unknown)?.has_error() {
        let invariant = Invariant::UnknownValuesAreAccepted;
        run.record_configuration("validate", target, "a", &unknown);
        return Err(
            run.violated(invariant, "validation rejects an unknown value, although a known value is valid")
        );
    }
    for value in field.rejected.iter().take(VALUES) {
        let config = with_member(&target.base, &field.name, value.clone());
        let found = run.validate(owner, &config)?;
        let is_at_field = |path: &Path| attribute_names(path).first() == Some(&field.name);
        if !found.errors().any(|it| it.path.as_ref().is_some_and(is_at_field)) {
            run.record_configuration("validate", target, "a", &config);
            let rejected = Invariant::InvalidConfigurationIsRejected;
            let path = Path::attribute(field.name.clone());
            let problem = match found.has_error() {
                true => {
                    format!("no validation error has the path of the invalid value: {}", run.redacted(&found))
                }
                false => "a validator rejects the value, but the validation of the configuration accepts it"
                    .to_owned(),
            };
            return Err(run.violated_at(rejected, path, problem));
        }
    }
    Ok(Progress::More)
}
