//! Checks of attribute behaviors that conflict with each other or with the mode of the attribute.

use ferroform_value::Type;
use ferroform_value::convert::{Availability, availability};

use crate::schema::attribute::Attribute;
use crate::schema::modes::{Mode, Replace};
use crate::validator::type_conflict;

impl Attribute {
    /// The conflicts of behaviors with each other and with the mode.
    pub(super) fn behavior_conflicts(&self) -> Vec<String> {
        let only_computed = self.mode == Mode::Computed;
        let compares = self.behavior().suppress_diff.is_some() || self.behavior().semantic_equality.is_some();
        let from_environment = self.behavior().default.as_ref().is_some_and(|it| it.from_environment);
        let all = [
            (
                only_computed && self.behavior().suppress_diff.is_some(),
                "`suppress_diff` has no effect on a computed-only attribute",
            ),
            (
                self.write_only && compares,
                "a write-only value is not stored, so it cannot be compared with a prior value",
            ),
            (
                self.behavior().suppress_on_refresh && self.behavior().suppress_diff.is_none(),
                "`suppress_on_refresh` requires `suppress_diff`",
            ),
            (
                only_computed && self.nested.is_some() && matches!(self.behavior().replace, Replace::If(_)),
                "`requires_replace` has no effect on a computed-only attribute",
            ),
            (
                self.key && (only_computed || self.write_only),
                "a key must be set by the configuration and stored in the state, so it cannot be computed-only or write-only",
            ),
            (
                from_environment && availability(&Type::String, self.ty()) == Availability::None,
                "an environment variable contains a string, which cannot be converted to its type",
            ),
        ];
        let conflicts = all.into_iter().filter(|(is_conflict, _)| *is_conflict).map(|(_, message)| message);
        conflicts.chain(self.plan_conflict()).map(str::to_owned).collect()
    }

    /// The functions that take values of another type.
    pub(super) fn type_conflicts(&self) -> Vec<String> {
        let behavior = self.behavior();
        let condition = if let Replace::If(it) = &behavior.replace { Some(it.ty) } else { None };
        let all = [
            ("requires_replace_if", condition),
            ("suppress_diff", behavior.suppress_diff.as_ref().map(|it| it.ty)),
            ("semantic_eq", behavior.semantic_equality.as_ref().map(|it| it.ty)),
            ("plan_with", behavior.plan_with.as_ref().map(|it| it.ty)),
            ("default_with", behavior.default.as_ref().and_then(|it| it.ty)),
        ];
        let conflicts = all.into_iter().filter_map(|(option, ty)| {
            let conflict = type_conflict(&ty?(), self.ty())?;
            Some(format!("the function of `{option}` is invalid: {conflict}"))
        });
        conflicts.collect()
    }

    /// The conflict of the function of `plan_with` with other options.
    fn plan_conflict(&self) -> Option<&'static str> {
        self.behavior().plan_with.as_ref()?;
        if self.behavior().default.is_some() {
            Some("an attribute cannot have both a default and `plan_with`")
        } else if self.write_only {
            Some("`plan_with` has no effect on a write-only attribute")
        } else if !matches!(self.mode, Mode::Computed | Mode::OptionalComputed) {
            Some("`plan_with` requires a computed attribute")
        } else {
            None
        }
    }
}
