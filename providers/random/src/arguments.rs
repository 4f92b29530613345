//! The arguments of the resources `random_string` and `random_password`, and the states of their earlier versions.

use std::collections::BTreeMap;

use ferroform::{Config, Diagnostic, Diagnostics, Known, Model, Proposed, Result, path};

use crate::characters::{Characters, check_kinds};
use crate::keepers::Keepers;

/// The arguments of both resources.
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
    /// The defaults, for an imported string.
    pub(crate) fn of_imported(result: &str) -> Arguments {
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

/// Plans the same value for `numeric` and its deprecated name: the configured one, or true.
pub(crate) fn plan(config: &Config<Arguments>, plan: &mut Proposed<Arguments>) {
    let configured = match (&config.number, &config.numeric) {
        (Known(None), numeric) => *numeric,
        (number, Known(None)) => *number,
        _ => return,
    };
    let value = configured.map(|value| value.unwrap_or(true));
    plan.number = value;
    plan.numeric = value;
}

fn arguments_are_consistent(config: &Config<Arguments>) -> Result<()> {
    let mut errors = Diagnostics::default();
    if let (Known(Some(number)), Known(Some(numeric))) = (&config.number, &config.numeric)
        && number != numeric
    {
        let error = Diagnostic::error("Number and numeric are both configured with different values");
        errors.push(error.detail("The attribute number is deprecated. Remove it, and use numeric instead."));
    }
    errors.extend(check_kinds(&config.characters, &config.number, path!(number)).err());
    errors.extend(check_kinds(&config.characters, &config.numeric, path!(numeric)).err());
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The arguments in the states of earlier schema versions, without `numeric`, which has the value of `number`. Versions before
/// 3.3.2 imported a string with null for all of them.
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
    /// Replaces null by the defaults.
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
