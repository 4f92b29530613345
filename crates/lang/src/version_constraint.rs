//! Version constraints, as in `required_version`.
//!
//! ```
//! use ferroform_lang::version_constraint::VersionConstraint;
//!
//! let constraints = VersionConstraint::parse(">= 1.9, < 2.0").unwrap();
//! assert!(constraints.iter().all(|it| it.accepts([1, 11, 4])));
//! assert!(VersionConstraint::parse(">= latest").is_none());
//! ```

/// A version: its major, minor and patch number.
pub type Version = [u64; 3];

/// A version constraint such as `>= 1.9`.
#[derive(Clone, Debug)]
pub struct VersionConstraint {
    operator: Operator,
    version: Version,
    /// The number of parts of the version.
    parts: usize,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    Pessimistic,
}

impl VersionConstraint {
    /// Parses version constraints that are separated by commas. `None` if one of them is invalid, or contains a prerelease, which
    /// Terraform does not support in `required_version`.
    pub fn parse(text: &str) -> Option<Vec<VersionConstraint>> {
        text.split(',').map(|it| parse_one(it.trim())).collect()
    }

    /// The version after the operator.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns true if the operator is `!=`.
    pub fn is_exclusion(&self) -> bool {
        matches!(self.operator, Operator::NotEqual)
    }

    /// Returns true if the version satisfies the constraint.
    pub fn accepts(&self, it: Version) -> bool {
        match self.operator {
            Operator::Equal => it == self.version,
            Operator::NotEqual => it != self.version,
            Operator::Greater => it > self.version,
            Operator::GreaterOrEqual => it >= self.version,
            Operator::Less => it < self.version,
            Operator::LessOrEqual => it <= self.version,
            Operator::Pessimistic => {
                let fixed = self.parts.saturating_sub(1);
                it >= self.version && it[..fixed] == self.version[..fixed]
            }
        }
    }
}

fn parse_one(text: &str) -> Option<VersionConstraint> {
    let operators = [
        (">=", Operator::GreaterOrEqual),
        ("<=", Operator::LessOrEqual),
        ("!=", Operator::NotEqual),
        ("~>", Operator::Pessimistic),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("=", Operator::Equal),
    ];
    let found = operators.into_iter().find_map(|(sign, it)| Some((text.strip_prefix(sign)?, it)));
    let (number, operator) = found.unwrap_or((text, Operator::Equal));
    // The fourth part of a version is never set, so a constraint can only repeat it.
    let number = number.trim();
    let (version, parts) = match number.match_indices('.').nth(2) {
        Some((end, _)) if parse_version(&number[end + 1..]).is_some_and(|(_, parts)| parts == 1) => {
            parse_version(&number[..end])?
        }
        _ => parse_version(number)?,
    };
    (!number.contains('-')).then_some(VersionConstraint { operator, version, parts })
}

/// Parses a version such as `1.11` or `v1.12.0-rc1`, and returns it with the number of its parts; a missing part is 0. The prerelease
/// is ignored. `None` if the text is not a version.
pub fn parse_version(text: &str) -> Option<(Version, usize)> {
    let text = text.strip_prefix('v').unwrap_or(text);
    let number = text.split(['-', '+']).next()?;
    let mut version = [0; 3];
    let mut parts = 0;
    for part in number.split('.') {
        let is_number = !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
        *version.get_mut(parts)? = part.parse().ok().filter(|_| is_number)?;
        parts += 1;
    }
    Some((version, parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_parsed_and_compared() {
        for (text, version, expected) in [
            (">= 1.11", [1, 11, 0], true),
            (">= 1.5, < 2.0", [2, 0, 0], false),
            ("~> 1.12.0", [1, 12, 9], true),
            ("~> 1.12.0", [1, 13, 0], false),
            ("~> 1.0", [1, 13, 0], true),
            ("1.13.2", [1, 13, 2], true),
            ("!= 1.11.4", [1, 11, 4], false),
            ("<= v1.2.3.4", [1, 2, 3], true),
        ] {
            let constraints = VersionConstraint::parse(text).unwrap();
            assert_eq!(constraints.iter().all(|it| it.accepts(version)), expected, "{text} {version:?}");
        }
        for it in ["", "latest", ">=", "~> x", "1.2,", ">= 1.2 < 3", ">= 1.0.0-beta1", "1.2.3.4.5"] {
            assert!(VersionConstraint::parse(it).is_none(), "{it}");
        }
    }
}
