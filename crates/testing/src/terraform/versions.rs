//! The version constraints of `required_version`.

/// The minor versions of Terraform 1 whose features the simulation has.
const SIMULATED: std::ops::RangeInclusive<u64> = 11..=15;

/// A version constraint such as `>= 1.11, < 2.0`.
#[derive(Debug)]
pub(crate) struct VersionConstraint(Vec<(Operator, Version)>);

#[derive(Clone, Copy, Debug)]
enum Operator {
    Equal,
    NotEqual,
    Greater,
    GreaterOrEqual,
    Less,
    LessOrEqual,
    /// `~>`: the last segment can increase.
    Pessimistic,
}

/// A version such as `1.11` or `1.12.0-rc1`.
#[derive(Debug)]
struct Version {
    segments: [u64; 3],
    /// The number of segments that are specified.
    count: usize,
    /// True if no prerelease follows the segments.
    is_release: bool,
}

impl VersionConstraint {
    /// Parses a constraint; `None` if its syntax is incorrect.
    pub(crate) fn parse(text: &str) -> Option<VersionConstraint> {
        text.split(',').map(|it| requirement(it.trim())).collect::<Option<_>>().map(VersionConstraint)
    }

    /// True if it accepts one of the versions whose features the simulation has.
    pub(crate) fn accepts_simulation(&self) -> bool {
        let mut patches = SIMULATED.flat_map(|minor| (0..20).map(move |patch| [1, minor, patch]));
        patches.any(|version| self.0.iter().all(|(operator, it)| operator.accepts(it, version)))
    }
}

fn requirement(text: &str) -> Option<(Operator, Version)> {
    let operators = [
        (">=", Operator::GreaterOrEqual),
        ("<=", Operator::LessOrEqual),
        ("!=", Operator::NotEqual),
        ("~>", Operator::Pessimistic),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("=", Operator::Equal),
        ("", Operator::Equal),
    ];
    let mut found = operators.into_iter().filter_map(|(sign, it)| Some((it, text.strip_prefix(sign)?)));
    let (operator, version) = found.next()?;
    Some((operator, Version::parse(version.trim())?))
}

impl Version {
    fn parse(text: &str) -> Option<Version> {
        let (release, _) = text.split_once('+').unwrap_or((text, ""));
        let (numbers, prerelease) = match release.split_once('-') {
            Some((numbers, prerelease)) => (numbers, Some(prerelease)),
            None => (release, None),
        };
        let parsed: Vec<u64> =
            numbers.trim_start_matches('v').split('.').map(|it| it.parse().ok()).collect::<Option<_>>()?;
        let mut segments = [0; 3];
        segments.get_mut(..parsed.len())?.copy_from_slice(&parsed);
        Some(Version { segments, count: parsed.len(), is_release: prerelease.is_none() })
    }
}

impl Operator {
    /// True if a released version satisfies the requirement.
    fn accepts(self, required: &Version, version: [u64; 3]) -> bool {
        let order = (version, true).cmp(&(required.segments, required.is_release));
        match self {
            Operator::Equal => order.is_eq(),
            Operator::NotEqual => order.is_ne(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Pessimistic => {
                let fixed = required.count.saturating_sub(1);
                order.is_ge() && version[..fixed] == required.segments[..fixed]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_accept_the_simulated_versions() {
        for (constraint, expected) in [
            (">= 1.11", Some(true)),
            (">= 1.5, < 2.0", Some(true)),
            ("~> 1.12.0", Some(true)),
            ("~> 1.0", Some(true)),
            ("~> 1.5.0", Some(false)),
            ("1.13.2", Some(true)),
            ("= 1.9", Some(false)),
            ("!= 1.11.4", Some(true)),
            ("> 1.15.0-rc1, < 1.15.1", Some(true)),
            ("< 1.11.0-rc1", Some(false)),
            (">= 99.0", Some(false)),
            ("", None),
            (">= x", None),
            (">= 1.2, bogus", None),
        ] {
            let accepted = VersionConstraint::parse(constraint).map(|it| it.accepts_simulation());
            assert_eq!(accepted, expected, "{constraint:?}");
        }
    }
}
