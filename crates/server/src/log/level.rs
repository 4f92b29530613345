//! Which variable decides what is logged.

use tracing::level_filters::LevelFilter;

use crate::environment::Environment;

/// The level that was asked for. The host filters too, by the last two of the variables; what nobody
/// asked for is not even written.
pub(super) fn wanted(address: &str, environment: &dyn Environment) -> Option<LevelFilter> {
    let name = address.rsplit('/').next().unwrap_or_default().to_uppercase().replace('-', "_");
    let own = format!("TF_LOG_PROVIDER_{name}");
    let text = [own.as_str(), "TF_LOG_PROVIDER", "TF_LOG"].iter().find_map(|name| environment.get(name))?;
    let level = match text.to_uppercase().as_str() {
        "OFF" => return None,
        "ERROR" => LevelFilter::ERROR,
        "WARN" => LevelFilter::WARN,
        "INFO" => LevelFilter::INFO,
        "DEBUG" => LevelFilter::DEBUG,
        // `TRACE` and `JSON`; the host takes any other word for `TRACE` too.
        _ => LevelFilter::TRACE,
    };
    Some(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_variable_decides() {
        fn of<const N: usize>(variables: &[(&str, &str); N]) -> Option<LevelFilter> {
            wanted("registry.terraform.io/acme/big-cloud", variables)
        }
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[("TF_LOG", "")]), None);
        assert_eq!(of(&[("TF_LOG_CORE", "trace")]), None);
        assert_eq!(of(&[("TF_LOG", "info")]), Some(LevelFilter::INFO));
        assert_eq!(of(&[("TF_LOG", "json")]), Some(LevelFilter::TRACE));
        assert_eq!(of(&[("TF_LOG", "trace"), ("TF_LOG_PROVIDER", "off")]), None);
        assert_eq!(
            of(&[("TF_LOG_PROVIDER", "off"), ("TF_LOG_PROVIDER_BIG_CLOUD", "Debug")]),
            Some(LevelFilter::DEBUG)
        );
    }
}
