//! The log level, from the environment variables of Terraform. The most specific one applies:
//!
//! | variable | applies to |
//! |---|---|
//! | `TF_LOG_PROVIDER_BIG_CLOUD` | the provider `registry.terraform.io/acme/big-cloud` |
//! | `TF_LOG_PROVIDER` | all providers |
//! | `TF_LOG` | Terraform and all providers |

use tracing::level_filters::LevelFilter;

use crate::environment::Environment;

/// The log level; `None` if logs are disabled. Terraform filters by the last two variables as well, so lines below
/// the level are not written at all.
pub(super) fn from_environment(address: &str, environment: &dyn Environment) -> Option<LevelFilter> {
    let name = address.rsplit('/').next().unwrap_or_default().to_uppercase().replace('-', "_");
    let provider_variable = format!("TF_LOG_PROVIDER_{name}");
    let value = [provider_variable.as_str(), "TF_LOG_PROVIDER", "TF_LOG"]
        .iter()
        .find_map(|name| environment.get(name))?;
    let level = match value.to_uppercase().as_str() {
        "OFF" => return None,
        "ERROR" => LevelFilter::ERROR,
        "WARN" => LevelFilter::WARN,
        "INFO" => LevelFilter::INFO,
        "DEBUG" => LevelFilter::DEBUG,
        // `TRACE` and `JSON`. Terraform treats any other value as `TRACE` too.
        _ => LevelFilter::TRACE,
    };
    Some(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_specific_variable_sets_the_level() {
        fn of<const N: usize>(variables: &[(&str, &str); N]) -> Option<LevelFilter> {
            from_environment("registry.terraform.io/acme/big-cloud", variables)
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
