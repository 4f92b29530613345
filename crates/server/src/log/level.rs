//! The log levels, from the environment variables of Terraform and of `terraform-plugin-log`. The most specific one applies.
//!
//! Events of the provider and of its libraries, for the provider `registry.terraform.io/acme/big-cloud`:
//!
//! | variable | applies to |
//! |---|---|
//! | `TF_LOG_PROVIDER_BIG_CLOUD_HTTP` | the subsystem `http`: targets with the segment `http`, such as `big_cloud::http` |
//! | `TF_LOG_PROVIDER_BIG_CLOUD` | the provider |
//! | `TF_LOG_PROVIDER` | all providers |
//! | `TF_LOG` | Terraform and all providers |
//!
//! Events of Ferroform, which are those of an SDK, if one of the first two is set; otherwise the table above applies:
//!
//! | variable | applies to |
//! |---|---|
//! | `TF_LOG_SDK_PROTO`, `TF_LOG_SDK_FRAMEWORK` | RPCs (`sdk.proto`), and the framework (`sdk.framework`) |
//! | `TF_LOG_SDK` | all of them |

use tracing::level_filters::LevelFilter;

use crate::environment::Environment;

/// The level of each event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Levels {
    /// The provider and its libraries.
    general: LevelFilter,
    /// Ferroform.
    sdk: LevelFilter,
    /// Subsystems of the provider, in lowercase.
    subsystems: Vec<(String, LevelFilter)>,
    /// Subsystems of Ferroform, in lowercase.
    sdk_subsystems: Vec<(String, LevelFilter)>,
}

impl Levels {
    /// The levels; `None` if all logs are disabled. Terraform filters by the last two variables as well, so lines below
    /// the level are not written at all.
    pub(super) fn from_environment(address: &str, environment: &dyn Environment) -> Option<Levels> {
        let name = address.rsplit('/').next().unwrap_or_default().to_uppercase().replace('-', "_");
        let provider = format!("TF_LOG_PROVIDER_{name}");
        let first = |names: &[&str]| names.iter().find_map(|it| environment.get(it)).map(|it| level(&it));
        let below = |prefix: &str| -> Vec<(String, LevelFilter)> {
            let variables = environment.names().into_iter().filter_map(|variable| {
                let subsystem = variable.strip_prefix(prefix)?.strip_prefix('_')?.to_lowercase();
                Some((subsystem, level(&environment.get(&variable)?)))
            });
            variables.collect()
        };
        let general = first(&[&provider, "TF_LOG_PROVIDER", "TF_LOG"]).unwrap_or(LevelFilter::OFF);
        let levels = Levels {
            general,
            sdk: first(&["TF_LOG_SDK"]).unwrap_or(general),
            subsystems: below(&provider),
            sdk_subsystems: below("TF_LOG_SDK"),
        };
        Some(levels).filter(|it| it.max() != LevelFilter::OFF)
    }

    /// The most detailed level of all.
    pub(super) fn max(&self) -> LevelFilter {
        let subsystems = self.subsystems.iter().chain(&self.sdk_subsystems).map(|(_, level)| *level);
        subsystems.chain([self.general, self.sdk]).max().unwrap_or(LevelFilter::OFF)
    }

    /// The level of events with this target. The innermost subsystem applies.
    pub(super) fn of(&self, target: &str) -> LevelFilter {
        let (subsystems, otherwise) = match is_of_sdk(target) {
            true => (&self.sdk_subsystems, self.sdk),
            false => (&self.subsystems, self.general),
        };
        if subsystems.is_empty() {
            return otherwise;
        }
        let module = module(target);
        let mut segments = module.rsplit('.').filter_map(|it| level_of(subsystems, it));
        segments.next().unwrap_or(otherwise)
    }
}

fn level_of(subsystems: &[(String, LevelFilter)], name: &str) -> Option<LevelFilter> {
    let name = name.replace('-', "_");
    subsystems.iter().find(|(it, _)| it.eq_ignore_ascii_case(&name)).map(|(_, level)| *level)
}

/// True for the events of Ferroform.
fn is_of_sdk(target: &str) -> bool {
    let crate_name = target.split([':', '.']).next().unwrap_or_default();
    matches!(crate_name, "sdk" | "ferroform" | "ferroform_engine" | "ferroform_server" | "ferroform_value")
}

/// The module of a log line: the target, with dots. The modules of Ferroform have the names that those of the Go framework
/// have.
pub(super) fn module(target: &str) -> String {
    match is_of_sdk(target) && !target.starts_with("sdk") {
        true => "sdk.framework".to_owned(),
        false => target.replace("::", "."),
    }
}

fn level(value: &str) -> LevelFilter {
    match value.to_uppercase().as_str() {
        "OFF" => LevelFilter::OFF,
        "ERROR" => LevelFilter::ERROR,
        "WARN" => LevelFilter::WARN,
        "INFO" => LevelFilter::INFO,
        "DEBUG" => LevelFilter::DEBUG,
        // `TRACE` and `JSON`. Terraform treats any other value as `TRACE` too.
        _ => LevelFilter::TRACE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels<const N: usize>(variables: &[(&str, &str); N]) -> Option<Levels> {
        Levels::from_environment("registry.terraform.io/acme/big-cloud", variables)
    }

    #[test]
    fn most_specific_variable_sets_the_level() {
        fn of<const N: usize>(variables: &[(&str, &str); N]) -> Option<LevelFilter> {
            levels(variables).map(|it| it.of("big_cloud::disk"))
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

    #[test]
    fn subsystems_have_levels_of_their_own() {
        let levels = levels(&[
            ("TF_LOG", "info"),
            ("TF_LOG_PROVIDER_BIG_CLOUD_HTTP", "trace"),
            ("TF_LOG_PROVIDER_BIG_CLOUD_DISK_CACHE", "off"),
            ("TF_LOG_PROVIDER_OTHER_SQL", "trace"),
            ("TF_LOG_SDK", "error"),
            ("TF_LOG_SDK_PROTO", "debug"),
        ])
        .unwrap();
        for (target, expected) in [
            ("big_cloud", LevelFilter::INFO),
            ("big_cloud::http", LevelFilter::TRACE),
            ("http::client", LevelFilter::TRACE),
            ("big_cloud::http::disk_cache", LevelFilter::OFF),
            ("big_cloud::httpd", LevelFilter::INFO),
            ("big_cloud::sql", LevelFilter::INFO),
            ("sdk", LevelFilter::ERROR),
            ("sdk.proto", LevelFilter::DEBUG),
            ("ferroform_engine::request::context", LevelFilter::ERROR),
            ("ferroformer", LevelFilter::INFO),
        ] {
            assert_eq!(levels.of(target), expected, "{target}");
        }
        assert_eq!(levels.max(), LevelFilter::TRACE);
    }

    #[test]
    fn ferroform_has_the_level_of_the_provider_by_default() {
        let levels =
            levels(&[("TF_LOG_PROVIDER_BIG_CLOUD", "warn"), ("TF_LOG_SDK_FRAMEWORK", "debug")]).unwrap();
        assert_eq!(levels.of("sdk.proto"), LevelFilter::WARN);
        assert_eq!(levels.of("ferroform_engine::rpc"), LevelFilter::DEBUG);
        assert_eq!(levels.of("big_cloud::framework"), LevelFilter::WARN);
    }
}
