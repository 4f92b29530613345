//! Known defects of the Go framework. A more accurate result of Ferroform is accepted as a deviation; any other difference
//! fails.

use serde_json::{Value as Json, json};

use crate::common::Case;
use crate::server::rules::applies;

#[test]
fn deviation_rules_match_only_known_framework_defects() {
    let nested = |attributes: Json| json!({ "attributes": { "n": { "optional": true, "nested": { "mode": "set", "attributes": attributes } } } });
    let plan = |attributes: Json, config: Json, planned: Json| {
        let object = |n: Json| json!({ "map": { "n": n } });
        let input = json!({ "rpc": "plan", "prior": null, "schema": nested(attributes),
            "config": object(config.clone()), "proposed": object(config) });
        let expected = json!({ "core_complaints": [], "diagnostics": [], "planned": object(planned),
            "private": null, "requires_replace": [] });
        Case { id: String::new(), input, expected }
    };
    let with_default =
        |it: &str| json!({ "type": "string", "optional": true, "computed": true, "default": it });
    let computed = || json!({ "type": "string", "computed": true });
    let two_defaults = || json!({ "a": with_default("d"), "b": with_default("e") });
    let siblings =
        plan(two_defaults(), json!([{"map": {"a": null, "b": "x"}}]), json!([{"map": {"a": "d", "b": "e"}}]));
    assert_eq!(applies(&siblings, ""), Some("default-keeps-configured-values"));
    let other_default = plan(
        two_defaults(),
        json!([{"map": {"a": null, "b": "x"}}]),
        json!([{"map": {"a": "d", "b": "other"}}]),
    );
    assert_eq!(applies(&other_default, ""), None);
    let unmarked = plan(
        json!({ "a": with_default("d"), "c": computed() }),
        json!([{"map": {"a": null, "c": null}}]),
        json!([{"map": {"a": "d", "c": null}}]),
    );
    assert_eq!(applies(&unmarked, ""), Some("default-keeps-configured-values"));
    let no_default = plan(
        json!({ "a": { "type": "string", "optional": true }, "c": computed() }),
        json!([{"map": {"a": "x", "c": null}}]),
        json!([{"map": {"a": "x", "c": null}}]),
    );
    assert_eq!(applies(&no_default, ""), None);

    let missing = |element: Json| {
        let path = json!([{"attr": "n"}, {"elem": {"type": ["object", {"r": "string"}], "value": element.clone()}}, {"attr": "r"}]);
        let found = json!({ "severity": "error", "summary": "Missing Configuration for Required Attribute", "path": path });
        let input = json!({ "rpc": "validate", "schema": nested(json!({ "r": { "type": "string", "required": true } })),
            "config": { "map": { "n": [element] } } });
        Case { id: String::new(), input, expected: json!({ "diagnostics": [found] }) }
    };
    assert_eq!(
        applies(&missing(json!({ "unknown": true })), ""),
        Some("unknown-element-has-no-missing-attributes")
    );
    assert_eq!(applies(&missing(json!({ "map": { "r": "x" } })), ""), None);
}
