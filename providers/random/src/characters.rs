//! The arguments that determine the characters of a random string.

use ferroform::schema::ValueChange;
use ferroform::validators::at_least;
use ferroform::value::Path;
use ferroform::{Config, Context as _, Diagnostic, Known, Maybe, Model, Result};
use rand::seq::{IndexedRandom as _, SliceRandom as _};

use crate::secure;

const ERROR: &str = "Random Read Error";

/// The arguments that `random_string`, the `random_password` resource and the `random_password` ephemeral resource share.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(plain_description)]
pub(crate) struct Characters {
    /// The number of characters.
    #[attr(requires_replace, validate = at_least(1), at_least_sum_of(min_upper, min_lower, min_numeric, min_special))]
    pub(crate) length: u64,
    /// Whether the result can contain special characters. The special characters are `!@#$%&*()-_=+[]{}<>:?`, unless
    /// `override_special` replaces them.
    #[attr(requires_replace, default = true)]
    pub(crate) special: bool,
    /// Whether the result can contain uppercase letters.
    #[attr(requires_replace, default = true)]
    pub(crate) upper: bool,
    /// Whether the result can contain lowercase letters.
    #[attr(requires_replace, default = true)]
    pub(crate) lower: bool,
    /// The minimum number of digits in the result.
    #[attr(requires_replace, default = 0)]
    pub(crate) min_numeric: u64,
    /// The minimum number of uppercase letters in the result.
    #[attr(requires_replace, default = 0)]
    pub(crate) min_upper: u64,
    /// The minimum number of lowercase letters in the result.
    #[attr(requires_replace, default = 0)]
    pub(crate) min_lower: u64,
    /// The minimum number of special characters in the result.
    #[attr(requires_replace, default = 0)]
    pub(crate) min_special: u64,
    /// The special characters to use instead of the default ones, if `special` is `true`.
    #[attr(requires_replace_if = differs)]
    pub(crate) override_special: Option<String>,
}

impl Characters {
    /// Generates a string. `numeric` is a parameter because its attribute differs between the resources.
    pub(crate) fn generate(&self, numeric: bool) -> Result<String> {
        let special = self.override_special.as_deref().filter(|characters| !characters.is_empty());
        let groups = [
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZ", self.upper, self.min_upper),
            ("abcdefghijklmnopqrstuvwxyz", self.lower, self.min_lower),
            ("0123456789", numeric, self.min_numeric),
            (special.unwrap_or("!@#$%&*()-_=+[]{}<>:?"), self.special, self.min_special),
        ];
        let length = secure::validate_size(self.length, ERROR)?;
        let mut generator = secure::generator(ERROR)?;
        let mut result: Vec<char> = Vec::with_capacity(length);
        let mut allowed: Vec<char> = Vec::new();
        for (characters, is_allowed, minimum) in groups {
            let characters: Vec<char> = characters.chars().collect();
            result.extend((0..minimum).filter_map(|_| characters.choose(&mut generator)));
            if is_allowed {
                allowed.extend(characters);
            }
        }
        while result.len() < length {
            result.push(*allowed.choose(&mut generator).context(ERROR)?);
        }
        result.shuffle(&mut generator);
        Ok(result.into_iter().collect())
    }
}

/// Returns `true` unless the change removes an empty string, which version 3.4.2 stored for an omitted attribute.
fn differs(override_special: &ValueChange<String>) -> bool {
    override_special.prior.as_deref() != Some("") || override_special.plan != Known(None)
}

/// Checks that at least one character class is allowed. `path` is the path of `numeric` or of its deprecated alias.
pub(crate) fn check_character_classes(
    characters: &Config<Characters>,
    numeric: &Maybe<Option<bool>>,
    path: Path,
) -> Result<(), Diagnostic> {
    let classes = [numeric, &characters.special, &characters.upper, &characters.lower];
    if classes.iter().any(|class| **class != Known(Some(false))) {
        return Ok(());
    }
    let detail = format!("At least one of \"{path}\", \"special\", \"upper\" and \"lower\" must be true.");
    Err(Diagnostic::error("Invalid Attribute Combination").detail(detail).at(path))
}
