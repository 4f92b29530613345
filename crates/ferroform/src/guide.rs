//! The guide: one page for each subject, from the first provider to the glossary.
//!
//! Read [Getting started](getting_started) first, then [Models and views](models_and_views). The other pages are for
//! reference.
//!
#![doc = include_str!("guide/contents.md")]

// A page refers to other pages by labels, which it defines at its end as links between files. In Markdown the first
// definition of a label is the one that counts, so the definitions in `links.md` lead to the modules below instead.
// `cargo xtask pages` writes that file. Tests of the examples do not need it, and have the line numbers of the page without it.
macro_rules! page {
    ($module:ident, $file:literal) => {
        #[cfg_attr(not(doctest), doc = include_str!("guide/links.md"))]
        #[doc = include_str!(concat!("../docs/", $file))]
        pub mod $module {}
    };
}

page!(getting_started, "getting-started.md");
page!(models_and_views, "models-and-views.md");
page!(trait_signatures, "trait-signatures.md");
page!(schemas, "schemas.md");
page!(attribute_options, "attribute-options.md");
page!(validation, "validation.md");
page!(attribute_behaviors, "attribute-behaviors.md");
page!(element_matching, "element-matching.md");
page!(state_upgrades, "state-upgrades.md");
page!(changing_attributes, "changing-attributes.md");
page!(resource_identity_and_import, "resource-identity-and-import.md");
page!(resources_without_a_remote_object, "resources-without-a-remote-object.md");
page!(data_source_lookups, "data-source-lookups.md");
page!(list_resources, "list-resources.md");
page!(ephemeral_resources, "ephemeral-resources.md");
page!(actions, "actions.md");
page!(functions, "functions.md");
page!(state_stores, "state-stores.md");
page!(combining_providers, "combining-providers.md");
page!(errors_and_partial_failures, "errors-and-partial-failures.md");
page!(writing_diagnostics, "writing-diagnostics.md");
page!(timeouts_retries_and_deferral, "timeouts-retries-and-deferral.md");
page!(real_services, "real-services.md");
page!(threading, "threading.md");
page!(testing, "testing.md");
page!(running_and_debugging, "running-and-debugging.md");
page!(logs_and_debuggers, "logs-and-debuggers.md");
page!(troubleshooting, "troubleshooting.md");
page!(platforms, "platforms.md");
page!(stability, "stability.md");
page!(docs_command, "docs-command.md");
page!(schema_command, "schema-command.md");
page!(new_command, "new-command.md");
page!(dev_command, "dev-command.md");
page!(publishing, "publishing.md");
page!(dist_command, "dist-command.md");
page!(generate_command, "generate-command.md");
page!(completions_command, "completions-command.md");
page!(migrating_from_go, "migrating-from-go.md");
page!(sdkv2_behaviors, "sdkv2-behaviors.md");
page!(faq, "faq.md");
page!(glossary, "glossary.md");

/// The README's program is compiled along with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub mod readme {}
