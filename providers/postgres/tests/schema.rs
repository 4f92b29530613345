//! The differences from the schemas of cyrilgdn's provider, attribute by attribute. The README explains them.

#![allow(clippy::unwrap_used, missing_docs, reason = "test code")]

use std::collections::BTreeSet;

use expect_test::expect;

/// The lines about the provider and its resources, each with the name of its object.
fn lines(description: &str) -> BTreeSet<String> {
    let mut object = "";
    let mut lines = BTreeSet::new();
    for line in description.lines().filter(|it| !it.is_empty() && !it.starts_with('#')) {
        let is_object = matches!(
            line.split_once(' '),
            None | Some(("resource" | "data" | "ephemeral" | "list" | "identity", _))
        );
        if is_object {
            object = line.trim_end_matches(" version 0");
        }
        lines.insert(if is_object { object.to_owned() } else { format!("{object}: {line}") });
    }
    lines.retain(|it| ["provider", "resource", "data"].iter().any(|kind| it.starts_with(kind)));
    lines
}

#[test]
fn schemas_differ_from_those_of_the_original_as_documented() {
    let ours = lines(&test_support::describe_schemas(env!("CARGO_BIN_EXE_terraform-provider-postgresql")));
    // An attribute with a default is computed.
    let original = lines(&include_str!("original_schema.txt").replace(" default", " computed"));
    let removed = original.difference(&ours).map(|it| format!("- {it}\n"));
    let added = ours.difference(&original).map(|it| format!("+ {it}\n"));
    expect![[r#"
        - data postgresql_schemas
        - data postgresql_sequences
        - data postgresql_tables
        - provider: aws_rds_iam_auth bool optional
        - provider: aws_rds_iam_profile string optional
        - provider: aws_rds_iam_provider_role_arn string optional
        - provider: aws_rds_iam_region string optional
        - provider: azure_identity_auth bool optional
        - provider: azure_tenant_id string optional
        - provider: clientcert block list
        - provider: clientcert.key string required
        - provider: database_username string optional
        - provider: expected_version string optional
        - provider: gcp_iam_impersonate_service_account string optional
        - provider: scheme string optional
        - provider: ssl_mode string optional deprecated
        - provider: superuser bool optional
        - resource postgresql_database: id string optional computed
        - resource postgresql_default_privileges: id string optional computed
        - resource postgresql_extension: id string optional computed
        - resource postgresql_function: id string optional computed
        - resource postgresql_grant: id string optional computed
        - resource postgresql_grant_role: id string optional computed
        - resource postgresql_physical_replication_slot
        - resource postgresql_publication: id string optional computed
        - resource postgresql_publication: publish_param list(string) optional computed
        - resource postgresql_publication: publish_via_partition_root_param bool optional
        - resource postgresql_publication: tables set(string) optional computed
        - resource postgresql_replication_slot
        - resource postgresql_role: encrypted string optional deprecated
        - resource postgresql_role: encrypted_password bool optional computed
        - resource postgresql_role: id string optional computed
        - resource postgresql_schema: id string optional computed
        - resource postgresql_schema: policy block set
        - resource postgresql_schema: policy.create bool optional computed
        - resource postgresql_schema: policy.create_with_grant bool optional computed
        - resource postgresql_schema: policy.role string optional computed
        - resource postgresql_schema: policy.usage bool optional computed
        - resource postgresql_schema: policy.usage_with_grant bool optional computed
        - resource postgresql_security_label
        - resource postgresql_server
        - resource postgresql_subscription
        - resource postgresql_user_mapping
        + provider: clientcert block single
        + provider: clientcert.key string required sensitive
        + resource postgresql_function: argument_types list(string) computed
        + resource postgresql_publication: publish_param set(string) optional computed
        + resource postgresql_publication: publish_via_partition_root_param bool optional computed
        + resource postgresql_publication: tables set(string) optional
    "#]]
    .assert_eq(&removed.chain(added).collect::<String>());
}
