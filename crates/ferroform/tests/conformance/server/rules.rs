//! The intended deviations from the Go framework, with their reasons in `tests/vectors/deviations.toml`. A rule depends on the
//! content of a case and on the exact difference, never on the name of a case. Terraform accepts our result wherever it accepts
//! that of the Go framework.

use ferroform::schema::Block;
use ferroform::value::Value;
use ferroform_engine::contract::{self, ContractCheck};
use serde_json::Value as Json;

use crate::common::{Case, expected_path, value};
use crate::server::CANNOT_BE_WRITTEN;
use crate::server::leaves::{Leaf, any, described, is_there, is_unknown, leaves};
use crate::server::outcome::{Differences, Outcome, Said};

const LISTED: &str = include_str!("../../vectors/deviations.toml");

/// A case with another outcome.
struct Deviation<'a> {
    input: &'a Json,
    expected: &'a Json,
    block: Block,
    given: Outcome,
    differs: Differences,
}

/// Tells whether a rule is about a case.
type Validator = fn(&Deviation<'_>) -> bool;

const RULES: [(&str, Validator); 14] = [
    ("core-refuses-it-too", core_refuses),
    ("a-place-must-be-there", place_is_missing),
    ("unknown-after-apply", unknown_after_apply),
    ("schemas-are-checked-first", schema_is_wrong),
    ("a-new-element-has-no-past", new_element),
    ("an-unknown-element-stays-one", unknown_element),
    ("a-default-overwrites-nothing", default_beside_others),
    ("only-what-changes-replaces", nothing_changes),
    ("the-same-is-no-change", means_the_same),
    ("write-only-is-null", write_only),
    ("planned-private-is-kept", planned_private),
    ("an-absent-block-lacks-nothing", absent_block),
    ("an-unknown-element-lacks-nothing", unknown_lacks),
    ("the-place-is-inside", place_inside),
];

/// The rule that a case which did not pass falls under, where there is one and it is listed.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let listed = |name: &'static str| {
        assert!(LISTED.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
        Some(name)
    };
    if why.starts_with(CANNOT_BE_WRITTEN) {
        return listed("cannot-be-written");
    }
    let (given, block) = crate::server::answer(case).ok()??;
    let differs = given.differences(&case.expected, &block).ok()?;
    let it = Deviation { input: &case.input, expected: &case.expected, block, given, differs };
    let (name, _) = RULES.into_iter().find(|(_, rule)| rule(&it))?;
    if it.core_takes_theirs() && !it.core_takes_ours() { None } else { listed(name) }
}

impl Deviation<'_> {
    fn rpc(&self) -> &str {
        self.input["rpc"].as_str().unwrap()
    }

    /// The object of that name in the case.
    fn object(&self, name: &str) -> Value {
        value(&self.input[name], &self.block.ty()).unwrap_or(Value::Null)
    }

    /// What the reference says that core refuses. It does not tell of places that are not there, nor of what is
    /// still unknown, though core looks at both; nor of schemas.
    fn core_takes_theirs(&self) -> bool {
        let complaints = self.expected["core_complaints"].as_array();
        let is_complete = !any(&self.expected["state"], &is_unknown);
        complaints.is_none_or(Vec::is_empty) && self.missing_places().is_empty() && is_complete
    }

    fn core_takes_ours(&self) -> bool {
        let ours = self.given.value.clone().unwrap_or(Value::Null);
        let broken = match self.rpc() {
            "plan" => {
                let (config, prior) = (self.object("config"), self.object("prior"));
                let replaced = self.given.replace.as_deref().unwrap_or_default();
                let mut broken = contract::check_plan(&self.block, &config, &prior, &ours);
                broken.extend(contract::check_replacements(&self.block, &prior, &ours, replaced));
                broken
            }
            "apply" => contract::check_new_state(&self.block, &self.object("planned"), &ours),
            "upgrade" | "read" => contract::check_state(&self.block, &ours),
            // Core judges no diagnostics.
            _ => return true,
        };
        broken.is_empty() && !self.given.diagnostics.has_error()
    }

    /// The places because of which the reference wants a new object, and which neither object has.
    fn missing_places(&self) -> Vec<String> {
        let places = self.expected["requires_replace"].as_array().into_iter().flatten();
        let objects = [&self.input["prior"], &self.expected["planned"]];
        places.filter(|it| !objects.iter().any(|object| is_there(object, it))).map(expected_path).collect()
    }

    /// Where the objects differ; none where that is not all that differs.
    fn leaves(&self) -> Option<Vec<Leaf>> {
        self.value_leaves().filter(|_| self.differs.count() == 1)
    }

    fn value_leaves(&self) -> Option<Vec<Leaf>> {
        self.differs.value.as_ref().map(|(ours, theirs)| leaves(ours, theirs))
    }

    /// What only ours says and what only the reference says; none where that is not all that differs.
    fn said(&self) -> Option<&(Vec<Said>, Vec<Said>)> {
        self.differs.said.as_ref().filter(|_| self.differs.count() == 1)
    }
}

fn core_refuses(it: &Deviation<'_>) -> bool {
    let complains = it.expected["core_complaints"].as_array().is_some_and(|it| !it.is_empty());
    let mut errors = it.given.diagnostics.iter().filter(|it| it.severity == ferroform::Severity::Error);
    // Ours says the same first, or answers what core takes.
    let explained = if it.given.diagnostics.has_error() {
        errors.all(|it| contract::failed_check(it).is_some())
    } else {
        it.core_takes_ours()
    };
    complains && explained
}

fn place_is_missing(it: &Deviation<'_>) -> bool {
    let mut missing = it.missing_places();
    missing.sort();
    let Some((ours, theirs)) = it.said() else { return false };
    let mut said: Vec<String> = ours.iter().map(|(_, place, _)| place.clone()).collect();
    said.sort();
    let breaks =
        it.given.diagnostics.iter().all(|it| contract::failed_check(it) == Some(ContractCheck::Plan));
    !missing.is_empty() && breaks && theirs.is_empty() && said == missing
}

/// Ours names each place in which the reference's state has something unknown, and keeps the rest.
fn unknown_after_apply(it: &Deviation<'_>) -> bool {
    let (Some(leaves), Some((ours, theirs))) = (it.value_leaves(), &it.differs.said) else { return false };
    let places: Vec<&String> = leaves.iter().map(|it| &it.place).collect();
    let breaks =
        it.given.diagnostics.iter().all(|it| contract::failed_check(it) == Some(ContractCheck::Result));
    it.rpc() == "apply"
        && breaks
        && theirs.is_empty()
        && leaves.iter().all(|it| it.theirs.is_unknown())
        && ours.len() == places.len()
        && ours.iter().all(|(_, place, _)| places.contains(&place))
}

fn schema_is_wrong(it: &Deviation<'_>) -> bool {
    let wrong = |it: &Json| it["write_only"] == true && it["computed"] == true;
    let fault = |(_, _, summary): &Said| summary == "Invalid Schema Implementation";
    it.rpc() == "schema"
        && any(&it.input["schema"], &wrong)
        && it.said().is_some_and(|(ours, theirs)| theirs.is_empty() && ours.iter().all(fault))
}

/// In elements of a nested collection, attributes that keep what the provider wrote: ours does not know yet what a new
/// element will hold, or goes on with an element that has moved.
fn new_element(it: &Deviation<'_>) -> bool {
    let prior = it.object("prior");
    let keeps = |leaf: &Leaf| {
        let collection = described(&it.input["schema"], &leaf.names[..1]);
        let mode = collection["nested"]["mode"].as_str().or(collection["mode"].as_str());
        let attribute = described(&it.input["schema"], &leaf.names);
        matches!(mode, Some("list" | "set" | "map"))
            && attribute["plan_modifiers"].to_string().contains("state_for_unknown")
    };
    let is_right = |leaf: &Leaf| leaf.ours.is_unknown() || leaf.theirs.is_null() && leaf.is_in(&prior);
    it.rpc() == "plan"
        && it.leaves().is_some_and(|all| all.iter().all(|it| it.names.len() > 1 && keeps(it) && is_right(it)))
}

/// The reference makes an object of an element of a set that is unknown as a whole.
fn unknown_element(it: &Deviation<'_>) -> bool {
    let whole =
        |leaf: &Leaf| leaf.in_set && leaf.ours.is_unknown() && matches!(leaf.theirs, Value::Object(_));
    let in_config = |it: &Json| it.as_array().is_some_and(|it| it.iter().any(is_unknown));
    it.rpc() == "plan"
        && any(&it.input["config"], &in_config)
        && it.leaves().is_some_and(|all| all.iter().all(whole))
}

/// In elements of nested sets that a default or a prior value has changed, the reference does not find what the
/// configuration says: it puts defaults over configured values, and leaves null what the provider is to compute.
fn default_beside_others(it: &Deviation<'_>) -> bool {
    let config = it.object("config");
    let overwritten = |leaf: &Leaf| {
        let attribute = described(&it.input["schema"], &leaf.names);
        let default = value(&attribute["default"], &attribute_type(attribute));
        let kept = leaf.is_in(&config) && default.is_some_and(|it| it == leaf.theirs && !it.is_null());
        kept || attribute["computed"] == true && leaf.ours.is_unknown() && leaf.theirs.is_null()
    };
    it.rpc() == "plan"
        && it.leaves().is_some_and(|all| {
            let beside = |leaf: &Leaf| {
                let (_, around) = leaf.names.split_last().unwrap();
                let with_default = |it: &Json| it.get("default").is_some();
                any(described(&it.input["schema"], around), &with_default)
            };
            all.iter().all(|it| it.in_set && beside(it) && overwritten(it))
        })
}

fn attribute_type(attribute: &Json) -> ferroform::value::Type {
    if attribute["type"].is_null() {
        ferroform::value::Type::Dynamic
    } else {
        crate::common::ty(&attribute["type"])
    }
}

/// The reference replaces because of blocks that are planned as they were.
fn nothing_changes(it: &Deviation<'_>) -> bool {
    let Some((ours, theirs)) = it.differs.replaces.as_ref().filter(|_| it.differs.count() == 1) else {
        return false;
    };
    let blocks = it.input["schema"]["blocks"].as_object();
    let as_it_was = |place: &String| {
        let name = blocks.and_then(|it| it.keys().find(|name| format!("/{name:?}") == *place));
        name.is_some_and(|name| it.input["prior"]["map"][name] == it.expected["planned"]["map"][name])
    };
    ours.iter().all(|it| theirs.contains(it)) && theirs.iter().filter(|it| !ours.contains(it)).all(as_it_was)
}

/// Ours plans the prior text where the reference plans one that means the same, and then nothing else changes.
fn means_the_same(it: &Deviation<'_>) -> bool {
    let prior = it.object("prior");
    let any_case =
        |leaf: &Leaf| described(&it.input["schema"], &leaf.names)["type"].to_string().contains("ci_string");
    let Some(all) = it.value_leaves() else { return false };
    let same = |leaf: &Leaf| any_case(leaf) && leaf.is_in(&prior);
    it.rpc() == "plan"
        && it.differs.said.is_none()
        && it.differs.private.is_none()
        && it.differs.replaces.as_ref().is_none_or(|(ours, theirs)| ours.iter().all(|it| theirs.contains(it)))
        && all.iter().any(same)
        // What the reference does not know any more because of the text.
        && all.iter().all(|it| same(it) || it.theirs.is_unknown() && it.is_in(&prior))
}

fn write_only(it: &Deviation<'_>) -> bool {
    let is_write_only = |leaf: &Leaf| described(&it.input["schema"], &leaf.names)["write_only"] == true;
    it.leaves().is_some_and(|all| all.iter().all(|it| is_write_only(it) && it.ours.is_null()))
}

/// Of a creation, ours keeps what the plan has kept, and whatever the reference keeps.
fn planned_private(it: &Deviation<'_>) -> bool {
    let Some((ours, theirs)) = it.differs.private.as_ref().filter(|_| it.differs.count() == 1) else {
        return false;
    };
    let mut all = it.input["planned_private"].as_object().cloned().unwrap_or_default();
    all.extend(theirs.as_object().cloned().unwrap_or_default());
    it.rpc() == "apply" && it.input["prior"].is_null() && *ours == Json::from(all)
}

/// The reference misses attributes of a single block that is not there.
fn absent_block(it: &Deviation<'_>) -> bool {
    let blocks = it.input["schema"]["blocks"].as_object();
    let is_absent = |place: &str| {
        blocks.is_some_and(|blocks| {
            blocks.iter().any(|(name, block)| {
                block["mode"] == "single"
                    && it.input["config"]["map"][name].is_null()
                    && place.starts_with(&format!("/{name:?}/"))
            })
        })
    };
    let missed = |(_, place, summary): &Said| {
        summary == "Missing Configuration for Required Attribute" && is_absent(place)
    };
    it.rpc() == "validate"
        && it.said().is_some_and(|(ours, theirs)| ours.is_empty() && theirs.iter().all(missed))
}

/// The reference misses attributes of an element that is not known yet.
fn unknown_lacks(it: &Deviation<'_>) -> bool {
    let open = |place: &str| {
        let nested = it.input["config"]["map"].as_object().into_iter().flatten();
        let in_it = |(name, it): (&String, &Json)| {
            let elements = it
                .as_array()
                .into_iter()
                .flatten()
                .chain(it["map"].as_object().into_iter().flat_map(|it| it.values()));
            place.starts_with(&format!("/{name:?}/")) && elements.into_iter().any(is_unknown)
        };
        nested.into_iter().any(in_it)
    };
    let missed =
        |(_, place, summary): &Said| summary == "Missing Configuration for Required Attribute" && open(place);
    it.rpc() == "validate"
        && it.said().is_some_and(|(ours, theirs)| ours.is_empty() && theirs.iter().all(missed))
}

/// The reference says at which attribute a value does not fit, ours says where inside it.
fn place_inside(it: &Deviation<'_>) -> bool {
    let inside = |(ours, theirs): (&Said, &Said)| {
        ours.0 == theirs.0 && ours.2 == theirs.2 && ours.1.starts_with(&format!("{}/", theirs.1))
    };
    let misfit = |(_, _, summary): &Said| summary == "Configuration Read Error";
    it.rpc() == "validate"
        && it.said().is_some_and(|(ours, theirs)| {
            ours.len() == theirs.len() && theirs.iter().all(misfit) && ours.iter().zip(theirs).all(inside)
        })
}
