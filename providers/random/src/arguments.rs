//! The arguments of the `random_string` and `random_password` resources, and state upgrades from earlier schema versions.

use std::collections::BTreeMap;

use ferroform::{
    Change, Config, Diagnostic, Diagnostics, Known, Model, PlanCx, Proposed, Resource, Result, path,
};

use crate::characters::{Characters, check_character_classes};
use crate::keepers::Keepers;

/// The arguments that both resources share.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description, validate = arguments_are_consistent)]
pub(crate) struct Arguments {
    #[attr(flatten, inputs_only)]
    pub(crate) keepers: Keepers,
    #[attr(flatten, inputs_only)]
    pub(crate) characters: Characters,
    /// Whether the result can contain digits. Defaults to `true`. At least one of `number`, `special`, `upper` and `lower`
    /// must be true.
    #[attr(optional, computed, requires_replace, deprecated = "Use `numeric` instead.")]
    pub(crate) number: bool,
    /// Whether the result can contain digits. Defaults to `true`. At least one of `numeric`, `special`, `upper` and
    /// `lower` must be true.
    #[attr(optional, computed, requires_replace)]
    pub(crate) numeric: bool,
}

impl Arguments {
    /// Returns the default arguments for an imported string.
    pub(crate) fn for_import(result: &str) -> Arguments {
        let characters = Characters {
            length: result.len() as u64,
            special: true,
            upper: true,
            lower: true,
            min_numeric: 0,
            min_upper: 0,
            min_lower: 0,
            min_special: 0,
            override_special: None,
        };
        Arguments { keepers: Keepers::default(), characters, number: true, numeric: true }
    }
}

/// Plans the same value for `numeric` and its deprecated alias `number`: the configured value, or `true`.
pub(crate) fn plan_numeric(
    _: &PlanCx<impl Resource>,
    change: Change<Arguments>,
) -> Result<Proposed<Arguments>> {
    let configured = match (change.config.number, change.config.numeric) {
        (Known(None), numeric) => numeric,
        (number, Known(None)) => number,
        _ => return Ok(change.plan),
    };
    let value = configured.map(|value| value.unwrap_or(true));
    Ok(Proposed::<Arguments> { number: value, numeric: value, ..change.plan })
}

fn arguments_are_consistent(config: &Config<Arguments>) -> Result<()> {
    let mut errors = Diagnostics::default();
    if let (Known(Some(number)), Known(Some(numeric))) = (&config.number, &config.numeric)
        && number != numeric
    {
        let error = Diagnostic::error("Number and numeric are both configured with different values");
        let detail =
            "\"number\" is deprecated. Remove \"number\" from the configuration and use \"numeric\" instead.";
        errors.push(error.detail(detail));
    }
    errors.extend(check_character_classes(&config.characters, &config.number, path!(number)).err());
    errors.extend(check_character_classes(&config.characters, &config.numeric, path!(numeric)).err());
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The arguments in state of earlier schema versions, which lack `numeric`. Its value is that of `number`. Versions before 3.3.2
/// imported a string with null for all arguments.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct StoredArguments {
    keepers: Option<BTreeMap<String, Option<String>>>,
    length: Option<u64>,
    special: Option<bool>,
    upper: Option<bool>,
    lower: Option<bool>,
    number: Option<bool>,
    min_numeric: Option<u64>,
    min_upper: Option<u64>,
    min_lower: Option<u64>,
    min_special: Option<u64>,
    override_special: Option<String>,
}

impl StoredArguments {
    /// Replaces null with the defaults.
    pub(crate) fn upgrade(self, result: &str) -> Arguments {
        let characters = Characters {
            length: self.length.unwrap_or(result.len() as u64),
            special: self.special.unwrap_or(true),
            upper: self.upper.unwrap_or(true),
            lower: self.lower.unwrap_or(true),
            min_numeric: self.min_numeric.unwrap_or(0),
            min_upper: self.min_upper.unwrap_or(0),
            min_lower: self.min_lower.unwrap_or(0),
            min_special: self.min_special.unwrap_or(0),
            override_special: self.override_special,
        };
        let numeric = self.number.unwrap_or(true);
        Arguments { keepers: Keepers { keepers: self.keepers }, characters, number: numeric, numeric }
    }
}
