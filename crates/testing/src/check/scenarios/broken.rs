//! Configurations that are invalid in one place.

use ferroform::value::{Path, Value};

use super::super::hcl;
use super::super::run::Run;
use super::super::step::{Interruption, Progress, Step};
use super::super::target::Target;
use super::super::values::with_member;
use crate::Invariant;

/// The number of invalid values of each attribute.
const VALUES: usize = 24;

/// Validates unusual and invalid values of one attribute.
pub(super) fn configurations(run: &mut Run<'_>, target: &Target, number: usize) -> Step<Progress> {
    let Some(field) = target.fields.0.get(number) else { return Ok(Progress::Finished) };
    let owner = target.kind.named(&target.name);
    // Unusual values are accepted or rejected, without a panic.
    for (value, _) in &field.limits {
        run.validate(owner, &with_member(&target.base, &field.name, value.clone()))?;
    }
    let unknown = with_member(&target.base, &field.name, Value::UNKNOWN);
    if run.validate(owner, &unknown)?.has_error() {
        let invariant = Invariant::UnknownIsNotNull;
        run.record(format!(
            "validate {}",
            hcl::block(target.kind, &target.name, "a", target.block(), &unknown)
        ));
        return Err(
            run.violated(invariant, "the validation rejects an unknown value, although a known one is valid")
        );
    }
    for value in field.rejected.iter().take(VALUES) {
        let config = with_member(&target.base, &field.name, value.clone());
        let found = run.validate(owner, &config)?;
        let is_at_field =
            |path: &Path| super::super::target::attribute_names(path).first() == Some(&field.name);
        if !found.errors().any(|it| it.path.as_ref().is_some_and(is_at_field)) {
            run.record(format!(
                "validate {}",
                hcl::block(target.kind, &target.name, "a", target.block(), &config)
            ));
            let rejected = Invariant::BrokenConfigurationIsRejected;
            let path = Path::attribute(field.name.clone());
            let problem = match found.has_error() {
                true => format!(
                    "no error of the validation has the path of the invalid value: {}",
                    run.text_of(&found)
                ),
                false => "a validator rejects the value, but the validation accepts it".to_owned(),
            };
            return Err(run.violated_at(rejected, path, problem));
        }
    }
    Ok::<_, Interruption>(Progress::More)
}
