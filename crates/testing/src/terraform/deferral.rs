//! The reasons for deferred changes.

use ferroform::Deferral;

/// Returns the reason for a deferral, as the JSON of a plan contains it.
pub(crate) fn reason_name(reason: Deferral) -> &'static str {
    match reason {
        Deferral::ConfigUnknown => "resource_config_unknown",
        Deferral::ProviderConfigUnknown => "provider_config_unknown",
        Deferral::AbsentPrerequisite => "absent_prereq",
        _ => "unknown",
    }
}

/// Returns the reason for a deferral, as Terraform explains it in the text of a plan.
pub(crate) fn explain_deferral(reason: &str) -> &str {
    match reason {
        "instance_count_unknown" => "because the number of resource instances is unknown",
        "resource_config_unknown" => "because the resource configuration is unknown",
        "provider_config_unknown" => "because the provider configuration is unknown",
        "absent_prereq" => "because a prerequisite is absent",
        "deferred_prereq" => "because a prerequisite for this resource is deferred",
        _ => "for an unknown reason",
    }
}
