//! Behaviors that do not go together, or not with the attribute's mode.

use ferroform_value::Type;
use ferroform_value::convert::{Availability, availability};

use crate::schema::attribute::Attribute;
use crate::schema::modes::{Mode, Replace};
use crate::validator::type_conflict;

impl Attribute {
    /// What its behaviors must not be, with its mode or with each other.
    pub(super) fn wrong_behaviors(&self) -> Vec<String> {
        let only_computed = self.mode == Mode::Computed;
        let compares = self.behavior().suppress_diff.is_some() || self.behavior().semantic_equality.is_some();
        let text = self.behavior().default.as_ref().is_some_and(|it| it.from_environment);
        let all = [
            (
                only_computed && self.behavior().suppress_diff.is_some(),
                "only the provider writes it, so there is no change of the configuration to suppress",
            ),
            (
                self.write_only && compares,
                "what is write-only is not stored, so there is nothing to compare it with",
            ),
            (
                self.behavior().suppress_on_refresh && self.behavior().suppress_diff.is_none(),
                "without `suppress_diff` there is nothing to suppress after a read",
            ),
            (
                only_computed && self.nested.is_some() && matches!(self.behavior().replace, Replace::If(_)),
                "only the provider writes it: the configuration cannot change it",
            ),
            (
                self.key && (only_computed || self.write_only),
                "a key is what the configuration says and the state holds: it is neither computed nor write-only",
            ),
            (
                text && availability(&Type::String, &self.ty) == Availability::None,
                "an environment variable holds one text, which cannot become a value of its type",
            ),
        ];
        let wrong = all.into_iter().filter(|(is_wrong, _)| *is_wrong).map(|(_, why)| why);
        wrong.chain(self.wrong_plan()).map(str::to_owned).collect()
    }

    /// DefaultScope of the author's functions are for values of another type.
    pub(super) fn wrong_types(&self) -> Vec<String> {
        let said = self.behavior();
        let condition = if let Replace::If(it) = &said.replace { Some(it.ty) } else { None };
        let all = [
            ("requires_replace_if", condition),
            ("suppress_diff", said.suppress_diff.as_ref().map(|it| it.ty)),
            ("semantic_eq", said.semantic_equality.as_ref().map(|it| it.ty)),
            ("plan_with", said.plan_with.as_ref().map(|it| it.ty)),
            ("default_with", said.default.as_ref().and_then(|it| it.ty)),
        ];
        let wrong = all.into_iter().filter_map(|(word, of)| {
            let why = type_conflict(&of?(), &self.ty)?;
            Some(format!("the function of `{word}` makes no sense: {why}"))
        });
        wrong.collect()
    }

    /// What the function of [`plan_with`](Attribute::plan_with) must not stand beside.
    fn wrong_plan(&self) -> Option<&'static str> {
        self.behavior().plan_with.as_ref()?;
        if self.behavior().default.is_some() {
            Some("an attribute has a default or a function that plans it, not both")
        } else if self.write_only {
            Some("what is write-only is in no plan, so no function says what is planned for it")
        } else if !matches!(self.mode, Mode::Computed | Mode::OptionalComputed) {
            Some("what the provider does not compute is planned as the configuration says, not by a function")
        } else {
            None
        }
    }
}
