//! The changes between two versions of a schema, with their effects on configurations and states. The page
//! `docs/schema-command.md` lists the rules.

mod attributes;
mod blocks;
mod change;
mod functions;
mod identities;
mod states;
mod types;

use std::collections::BTreeSet;

use ferroform_engine::{Definition, Kind};

pub(super) use self::change::{Change, Verdict};

use self::change::Changes;
use crate::provider_schema::{ByName, ProviderSchema};

/// Returns the changes from one version of a provider to another, by kind and type.
pub(super) fn changes(old: &ProviderSchema, new: &ProviderSchema) -> Vec<Change> {
    let mut found = Vec::new();
    let mut provider = Changes::new("provider".to_owned());
    blocks::compare(&old.provider.block, &new.provider.block, "", &mut provider);
    found.append(&mut provider.found);
    for &kind in Definition::KINDS {
        by_name(old.of_kind(kind), new.of_kind(kind), kind, &mut found, |old, new, changes| {
            blocks::compare(&old.block, &new.block, "", changes);
            if kind == Kind::Resource {
                states::compare(old, new, changes);
            }
        });
        if kind == Kind::Resource {
            identities::compare(old, new, &mut found);
        }
    }
    by_name(&old.functions, &new.functions, Kind::Function, &mut found, functions::compare);
    found
}

/// Compares the entries of two maps. A removed type is breaking, and a new one is additive.
fn by_name<T>(
    old: &ByName<T>,
    new: &ByName<T>,
    kind: Kind,
    found: &mut Vec<Change>,
    compare: impl Fn(&T, &T, &mut Changes),
) {
    for name in old.keys().chain(new.keys()).collect::<BTreeSet<_>>() {
        let mut changes = Changes::new(kind.named(name).to_string());
        match (old.get(name), new.get(name)) {
            (Some(old), Some(new)) => compare(old, new, &mut changes),
            (Some(_), None) => changes.breaking("", "removed"),
            (None, Some(_)) => changes.additive("", "added"),
            (None, None) => {}
        }
        found.append(&mut changes.found);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use ferroform_engine::schema::ProviderSchemas;
    use serde_json::{Value, json};

    use super::*;

    /// Compares two versions of a provider in the format of `terraform providers schema -json`.
    fn check_provider(old: Value, new: Value, expected: &Expect) {
        let [old, new] = [old, new].map(|it| {
            let document = json!({ "provider_schemas": { "x": it } }).to_string();
            let schemas = ProviderSchemas::only_provider(document.as_bytes()).unwrap();
            ProviderSchema::from_json(&schemas).unwrap()
        });
        let lines = changes(&old, &new).into_iter().map(|it| {
            let missing = if it.is_upgrade_missing { " (missing)" } else { "" };
            let path = if it.path.is_empty() { String::new() } else { format!(" {}", it.path) };
            format!("{:?}{missing}: {}{path}: {}", it.verdict, it.object, it.message)
        });
        expected.assert_eq(&lines.collect::<Vec<_>>().join("\n"));
        assert_eq!(changes(&old, &old), [], "a version equals itself");
    }

    /// Compares two versions of the block of a resource.
    fn check(old: Value, new: Value, expected: &Expect) {
        let resource = |block| json!({ "resource_schemas": { "x_disk": { "version": 1, "block": block } } });
        check_provider(resource(old), resource(new), expected);
    }

    fn check_attribute(old: Value, new: Value, expected: &Expect) {
        check(json!({ "attributes": { "a": old } }), json!({ "attributes": { "a": new } }), expected);
    }

    #[test]
    fn attributes_are_added_removed_and_renamed() {
        let string = |mode: &str| json!({ "type": "string", mode: true });
        check(
            json!({ "attributes": { "old": string("optional"), "gone": { "type": "bool", "optional": true } } }),
            json!({ "attributes": { "new": string("optional"), "must": string("required"), "id": string("computed") } }),
            &expect![[r#"
                Breaking: resource x_disk gone: attribute removed
                Additive: resource x_disk id: computed attribute added
                Breaking: resource x_disk must: required attribute added
                Additive: resource x_disk new: optional attribute added
                Breaking: resource x_disk old: attribute removed; possibly renamed to `new`"#]],
        );
    }

    #[test]
    fn modes_are_compared_by_their_effect() {
        let mode = |names: &[&str]| {
            let mut it = json!({ "type": "string" });
            names.iter().for_each(|name| it[name] = json!(true));
            it
        };
        let (required, optional) = (mode(&["required"]), mode(&["optional"]));
        let (both, computed) = (mode(&["optional", "computed"]), mode(&["computed"]));
        check_attribute(
            optional.clone(),
            required.clone(),
            &expect![[
                r#"Breaking: resource x_disk a: changed from optional to required: configurations that omit it are rejected"#
            ]],
        );
        check_attribute(
            required.clone(),
            optional.clone(),
            &expect![[r#"Additive: resource x_disk a: changed from required to optional"#]],
        );
        check_attribute(
            required.clone(),
            both.clone(),
            &expect![[r#"Additive: resource x_disk a: changed from required to optional and computed"#]],
        );
        check_attribute(
            optional.clone(),
            both.clone(),
            &expect![[
                r#"Informational: resource x_disk a: changed from optional to optional and computed: if it is omitted, the provider can set it"#
            ]],
        );
        check_attribute(
            both.clone(),
            optional.clone(),
            &expect![[
                r#"Breaking: resource x_disk a: changed from optional and computed to optional: if it is omitted, it is null"#
            ]],
        );
        check_attribute(
            optional.clone(),
            computed.clone(),
            &expect![[
                r#"Breaking: resource x_disk a: changed from optional to computed: configurations that set it are rejected"#
            ]],
        );
        check_attribute(
            computed.clone(),
            optional,
            &expect![[
                r#"Breaking: resource x_disk a: changed from computed to optional: if it is omitted, it is null"#
            ]],
        );
        check_attribute(
            computed.clone(),
            both,
            &expect![[r#"Additive: resource x_disk a: changed from computed to optional and computed"#]],
        );
        check_attribute(
            computed,
            required,
            &expect![[
                r#"Breaking: resource x_disk a: changed from computed to required: configurations that omit it are rejected"#
            ]],
        );
    }

    #[test]
    fn flags_and_documentation_are_compared() {
        let with = |name: &str, value: Value| json!({ "type": "string", "optional": true, name: value });
        let plain = json!({ "type": "string", "optional": true });
        check_attribute(
            plain.clone(),
            with("sensitive", json!(true)),
            &expect![[
                r#"Breaking: resource x_disk a: is sensitive now: outputs of root modules and `for_each` reject sensitive values"#
            ]],
        );
        check_attribute(
            with("sensitive", json!(true)),
            plain.clone(),
            &expect![[r#"Informational: resource x_disk a: is no longer sensitive: plans show the value"#]],
        );
        check_attribute(
            plain.clone(),
            with("write_only", json!(true)),
            &expect![[r#"Breaking: resource x_disk a: is write-only now: references to it are null"#]],
        );
        check_attribute(
            with("write_only", json!(true)),
            plain.clone(),
            &expect![[
                r#"Breaking: resource x_disk a: is no longer write-only: its value is stored in the state, and ephemeral values are rejected"#
            ]],
        );
        check_attribute(
            plain.clone(),
            with("deprecated", json!(true)),
            &expect![[r#"Informational: resource x_disk a: is deprecated now"#]],
        );
        check_attribute(
            with("deprecated", json!(true)),
            plain.clone(),
            &expect![[r#"Informational: resource x_disk a: is no longer deprecated"#]],
        );
        check_attribute(
            plain.clone(),
            with("description", json!("A.")),
            &expect![[r#"Informational: resource x_disk a: the description changed"#]],
        );
        check(
            plain,
            json!({ "description": "B.", "deprecated": true, "deprecation_message": "Use y." }),
            &expect![[r#"
                Informational: resource x_disk: is deprecated now: Use y.
                Informational: resource x_disk: the description changed"#]],
        );
    }

    #[test]
    fn changed_types_need_a_state_upgrade() {
        let optional = |ty: Value| json!({ "type": ty, "optional": true });
        check_attribute(
            optional(json!("number")),
            optional(json!("string")),
            &expect![[r#"Breaking: resource x_disk a: the type changed from number to string"#]],
        );
        let object = |ty: &str| json!(["list", ["object", { "port": ty, "name": "string" }]]);
        check_attribute(
            optional(object("number")),
            optional(object("string")),
            &expect![[r#"Breaking: resource x_disk a.port: the type changed from number to string"#]],
        );
        let nested = |mode: &str, ty: &str| json!({ "nested_type": { "nesting_mode": mode, "attributes": { "port": { "type": ty, "optional": true } } }, "optional": true });
        check_attribute(
            nested("list", "number"),
            nested("set", "number"),
            &expect![[
                r#"Breaking: resource x_disk a: the type changed from list of objects to set of objects"#
            ]],
        );
        check_attribute(
            nested("list", "number"),
            nested("list", "string"),
            &expect![[r#"Breaking: resource x_disk a.port: the type changed from number to string"#]],
        );
        check_attribute(
            optional(json!("string")),
            nested("single", "string"),
            &expect![[r#"
            Breaking: resource x_disk a: the type changed from string to object
            StateUpgrade (missing): resource x_disk a: stored values change from string to object({port = string}): increase the schema version (currently 1) and add a state upgrade"#]],
        );
        check_attribute(
            optional(json!("string")),
            optional(json!("number")),
            &expect![[r#"
            Breaking: resource x_disk a: the type changed from string to number
            StateUpgrade (missing): resource x_disk a: stored values change from string to number: increase the schema version (currently 1) and add a state upgrade"#]],
        );
        check_attribute(
            nested("map", "string"),
            nested("single", "string"),
            &expect![[r#"
            Breaking: resource x_disk a: the type changed from map of objects to object
            StateUpgrade (missing): resource x_disk a: stored values change from map(object({port = string})) to object({port = string}): increase the schema version (currently 1) and add a state upgrade"#]],
        );
        let computed = |ty: Value| json!({ "type": ["map", ["object", ty]], "computed": true });
        check_attribute(
            computed(json!({ "a": "string", "b": ["list", "bool"] })),
            computed(json!({ "b": ["list", "string"], "c": "string" })),
            &expect![[r#"
                Breaking: resource x_disk a.a: attribute of the object removed
                Breaking: resource x_disk a.b: the type changed from bool to string
                Additive: resource x_disk a.c: attribute of the object added"#]],
        );
        let configured = |ty: Value| json!({ "type": ["object", ty], "optional": true });
        check_attribute(
            configured(json!({})),
            configured(json!({ "c": "string" })),
            &expect![[
                r#"Breaking: resource x_disk a.c: attribute of the object added: configurations have to set it"#
            ]],
        );
        // A write-only attribute is not part of a state.
        let write_only = |ty: &str| json!({ "type": ty, "optional": true, "write_only": true });
        check_attribute(
            write_only("number"),
            write_only("string"),
            &expect![[r#"Breaking: resource x_disk a: the type changed from number to string"#]],
        );
    }

    #[test]
    fn schema_versions_are_compared() {
        let resource = |version: u64, ty: &str| {
            let attributes = json!({ "a": { "type": ty, "optional": true } });
            json!({ "resource_schemas": { "x_disk": { "version": version, "block": { "attributes": attributes } } } })
        };
        check_provider(
            resource(1, "string"),
            resource(2, "number"),
            &expect![[r#"
                Breaking: resource x_disk a: the type changed from string to number
                StateUpgrade: resource x_disk a: stored values change from string to number: a state upgrade from version 1 to 2 must convert it"#]],
        );
        check_provider(
            resource(1, "string"),
            resource(2, "string"),
            &expect![[
                r#"Informational: resource x_disk: the schema version increased from 1 to 2: every older version needs a state upgrade"#
            ]],
        );
        check_provider(
            resource(2, "string"),
            resource(1, "string"),
            &expect![[
                r#"Breaking: resource x_disk: the schema version decreased from 2 to 1: Terraform rejects states of the newer version"#
            ]],
        );
    }

    #[test]
    fn blocks_are_compared() {
        let block = |mode: &str, min: u64, max: u64, attribute: &str| {
            let attributes = json!({ attribute: { "type": "string", "optional": true } });
            json!({ "block_types": { "rule": {
                "nesting_mode": mode, "min_items": min, "max_items": max, "block": { "attributes": attributes },
            } } })
        };
        let attribute = json!({ "attributes": { "rule": { "type": "string", "optional": true } } });
        check(
            json!({}),
            block("list", 0, 0, "a"),
            &expect![[r#"Additive: resource x_disk rule: block added"#]],
        );
        check(
            json!({}),
            block("list", 1, 0, "a"),
            &expect![[r#"Breaking: resource x_disk rule: required block added"#]],
        );
        check(
            block("list", 0, 0, "a"),
            json!({}),
            &expect![[r#"Breaking: resource x_disk rule: block removed"#]],
        );
        check(
            block("list", 0, 0, "a"),
            block("set", 0, 0, "a"),
            &expect![[
                r#"Breaking: resource x_disk rule: the nesting changed from list of objects to set of objects"#
            ]],
        );
        check(
            block("list", 0, 0, "a"),
            block("list", 1, 3, "a"),
            &expect![[r#"
                Breaking: resource x_disk rule: the minimum number of blocks increased from 0 to 1
                Breaking: resource x_disk rule: at most 3 blocks now"#]],
        );
        check(
            block("list", 1, 3, "a"),
            block("list", 0, 2, "a"),
            &expect![[r#"
            Additive: resource x_disk rule: the minimum number of blocks decreased from 1 to 0
            Breaking: resource x_disk rule: the maximum number of blocks decreased from 3 to 2"#]],
        );
        check(
            block("list", 0, 2, "a"),
            block("list", 0, 3, "b"),
            &expect![[r#"
            Additive: resource x_disk rule: the maximum number of blocks increased from 2 to 3
            Breaking: resource x_disk rule.a: attribute removed; possibly renamed to `b`
            Additive: resource x_disk rule.b: optional attribute added"#]],
        );
        check(
            block("list", 0, 2, "a"),
            block("list", 0, 0, "a"),
            &expect![[r#"Additive: resource x_disk rule: the limit of 2 blocks was removed"#]],
        );
        check(
            attribute.clone(),
            block("list", 0, 0, "a"),
            &expect![[r#"
            Breaking: resource x_disk rule: was an attribute, but is a block now
            StateUpgrade (missing): resource x_disk rule: stored values change from string to list(object({a = string})): increase the schema version (currently 1) and add a state upgrade"#]],
        );
        check(
            block("list", 0, 0, "a"),
            attribute,
            &expect![[r#"
            Breaking: resource x_disk rule: was a block, but is an attribute now
            StateUpgrade (missing): resource x_disk rule: stored values change from list(object({a = string})) to string: increase the schema version (currently 1) and add a state upgrade"#]],
        );
    }

    #[test]
    fn kinds_functions_and_identities_are_compared() {
        let schema = json!({ "version": 0, "block": {} });
        let parameter = |name: &str, ty: &str| json!({ "name": name, "type": ty });
        let old = json!({
            "provider": { "block": { "attributes": { "url": { "type": "string", "optional": true } } } },
            "resource_schemas": { "x_a": schema, "x_b": schema },
            "data_source_schemas": { "x_a": schema },
            "functions": {
                "f": { "return_type": "string", "parameters": [parameter("a", "string"), parameter("b", "string")] },
                "g": { "return_type": "string", "variadic_parameter": parameter("a", "string") },
            },
            "resource_identity_schemas": { "x_a": { "version": 0, "attributes": {
                "id": { "type": "string", "required_for_import": true },
                "zone": { "type": "string", "optional_for_import": true },
            } } },
        });
        let new = json!({
            "provider": { "block": { "attributes": { "url": { "type": "string", "required": true } } } },
            "resource_schemas": { "x_a": schema, "x_c": schema },
            "ephemeral_resource_schemas": { "x_a": schema },
            "list_resource_schemas": { "x_a": schema },
            "action_schemas": { "x_a": { "block": {} } },
            "state_store_schemas": { "x_a": schema },
            "functions": {
                "f": { "return_type": "number", "parameters": [{ "name": "c", "type": "number", "is_nullable": true }] },
                "h": { "return_type": "string" },
            },
            "resource_identity_schemas": { "x_a": { "version": 0, "attributes": {
                "id": { "type": "number", "required_for_import": true },
                "region": { "type": "string", "required_for_import": true },
            } } },
        });
        check_provider(
            old,
            new,
            &expect![[r#"
            Breaking: provider url: changed from optional to required: configurations that omit it are rejected
            Breaking: resource x_b: removed
            Additive: resource x_c: added
            Breaking: resource identity x_a id: the type changed from string to number
            StateUpgrade (missing): resource identity x_a id: the type changed from string to number: increase the identity version (currently 0) and add an identity upgrade
            Breaking: resource identity x_a region: identity attribute added, which is required for import
            StateUpgrade (missing): resource identity x_a region: stored identities do not contain the attribute: increase the identity version (currently 0) and add an identity upgrade
            Breaking: resource identity x_a zone: identity attribute removed
            StateUpgrade (missing): resource identity x_a zone: stored identities contain the attribute: increase the identity version (currently 0) and add an identity upgrade
            Breaking: data source x_a: removed
            Additive: ephemeral resource x_a: added
            Additive: list resource x_a: added
            Additive: action x_a: added
            Additive: state store x_a: added
            Breaking: function f: the return type changed from string to number
            Informational: function f c: the parameter was renamed from `a`
            Breaking: function f c: the type changed from string to number
            Additive: function f c: accepts null now
            Breaking: function f b: parameter removed
            Breaking: function g: removed
            Additive: function h: added"#]],
        );
    }
}
