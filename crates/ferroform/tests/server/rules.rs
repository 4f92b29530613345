//! Where the engine's answer is another than the reference's, on purpose. The reasons are in
//! `tests/vectors/deviations.toml`; a rule looks at what a case is about, never at which case it is.

use serde_json::Value as Json;

use crate::common::Case;

const LISTED: &str = include_str!("../vectors/deviations.toml");

/// Tells from a case, and from why it did not pass, whether a rule is about it.
type Rule = fn(&Json, &Json, &str) -> bool;

const RULES: [(&str, Rule); 15] = [
    ("core-refuses-it-too", core_refuses),
    ("a-place-must-be-there", |input, _, why| {
        input["behaviour"]["modify_plan"]["requires_replace"].is_array()
            && why.contains("Invalid plan")
            && why.contains("because of this place, but there is none")
    }),
    ("unknown-after-apply", unknown_after_apply),
    ("cannot-be-written", |_, _, why| why.starts_with("cannot be written")),
    ("schemas-are-checked-first", schema_is_wrong),
    ("a-new-element-has-no-past", new_element),
    ("an-unknown-element-stays-one", |input, _, _| any(&input["config"], &is_unknown_element)),
    ("defaults-inside-a-default", default_in_default),
    ("only-what-changes-replaces", block_replaces),
    ("the-same-is-no-change", |input, _, _| input["rpc"] == "plan" && mentions(input, "ci_string")),
    ("write-only-is-null", |input, _, _| {
        input["rpc"] != "validate" && mentions(input, "\"write_only\":true")
    }),
    ("planned-private-is-kept", |input, _, _| {
        input["prior"].is_null() && input["planned_private"].is_object()
    }),
    ("an-absent-block-lacks-nothing", |input, _, why| {
        input["rpc"] == "validate" && why.contains("expected") && absent_single_block(input)
    }),
    ("the-place-is-inside", place_inside),
    ("no-such-attribute", |input, _, why| {
        input["rpc"] == "import"
            && why.contains("State Write Error")
            && why.contains("Value Conversion Error")
    }),
];

/// The rule that a case which did not pass falls under, where there is one and it is listed.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let (name, _) = RULES.into_iter().find(|(_, rule)| rule(&case.input, &case.expected, why))?;
    assert!(LISTED.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
    Some(name)
}

fn any(it: &Json, is: &dyn Fn(&Json) -> bool) -> bool {
    let inside = match it {
        Json::Array(it) => it.iter().any(|it| any(it, is)),
        Json::Object(it) => it.values().any(|it| any(it, is)),
        _ => false,
    };
    inside || is(it)
}

fn mentions(input: &Json, text: &str) -> bool {
    input["schema"].to_string().contains(text)
}

fn core_refuses(_: &Json, expected: &Json, why: &str) -> bool {
    let complaints = expected["core_complaints"].as_array();
    complaints.is_some_and(|it| !it.is_empty())
        && (why.contains("Invalid plan") || why.contains("Inconsistent"))
        || complaints.is_some_and(|it| !it.is_empty()) && why.starts_with("planned: ")
}

/// Core refuses a state with something unknown in it; the reference lets it through.
fn unknown_after_apply(input: &Json, expected: &Json, why: &str) -> bool {
    let unknown = any(&expected["state"], &|it| it.get("unknown").is_some());
    input["rpc"] == "apply" && unknown && why.contains("Inconsistent result after apply")
}

fn schema_is_wrong(input: &Json, _: &Json, why: &str) -> bool {
    let wrong = |it: &Json| it["write_only"] == true && it["computed"] == true;
    input["rpc"] == "schema" && any(&input["schema"], &wrong) && why.contains("Invalid Schema Implementation")
}

/// A nested collection whose objects keep something, and whose elements are not those of the prior state.
fn new_element(input: &Json, _: &Json, why: &str) -> bool {
    let keeps = |it: &Json| {
        let nested = it["nested"]["mode"].as_str().or(it["mode"].as_str());
        matches!(nested, Some("list" | "set" | "map")) && it.to_string().contains("state_for_unknown")
    };
    let differs = input["prior"]["map"]["n"] != input["config"]["map"]["n"];
    input["rpc"] == "plan" && any(&input["schema"], &keeps) && differs && why.starts_with("planned: ")
}

fn is_unknown_element(it: &Json) -> bool {
    it.as_array().is_some_and(|it| it.iter().any(|it| it.get("unknown").is_some()))
}

fn default_in_default(input: &Json, _: &Json, why: &str) -> bool {
    let both =
        |it: &Json| it.get("default").is_some() && any(&it["nested"], &|it| it.get("default").is_some());
    any(&input["schema"], &both) && why.starts_with("planned: ")
}

fn block_replaces(input: &Json, _: &Json, why: &str) -> bool {
    let whole = |it: &Json| it["mode"].is_string() && it["plan_modifiers"].is_array();
    any(&input["schema"]["blocks"], &whole) && why.starts_with("replaces []")
}

fn absent_single_block(input: &Json) -> bool {
    let blocks = input["schema"]["blocks"].as_object();
    blocks.is_some_and(|it| {
        it.iter().any(|(name, it)| it["mode"] == "single" && input["config"]["map"][name].is_null())
    })
}

/// The reference says at which attribute a value does not fit, ours says where inside it.
fn place_inside(input: &Json, expected: &Json, why: &str) -> bool {
    let summary = "Configuration Read Error";
    let wanted =
        expected["diagnostics"].as_array().is_some_and(|it| it.iter().all(|it| it["summary"] == summary));
    input["rpc"] == "validate" && wanted && why.matches(summary).count() >= 2
}
