//! Intended deviations from the Go framework; `tests/vectors/deviations.toml` contains the reasons. A rule depends on
//! the content of a case and on the exact difference, never on the ID of a case. Terraform accepts Ferroform's result
//! wherever it accepts the result of the Go framework.

use ferroform::Severity;
use ferroform::schema::Block;
use ferroform::value::Value;
use ferroform_engine::contract::{self, ContractCheck};
use serde_json::{Value as Json, json};

use crate::common::{Case, any, expected_path, value};
use crate::server::leaves::{Leaf, described, exists_at, is_unknown, leaves};
use crate::server::outcome::{Differences, Outcome, ReportedDiagnostic};
use crate::server::{NOT_REPRESENTABLE, thing};

const LISTED: &str = include_str!("../../vectors/deviations.toml");

/// A case whose result differs from the recorded one.
struct Deviation<'a> {
    input: &'a Json,
    expected: &'a Json,
    block: Block,
    outcome: Outcome,
    differs: Differences,
}

/// Returns true if a rule applies to a case.
type Validator = fn(&Deviation<'_>) -> bool;

/// The cases that Ferroform cannot run, because a schema or a method has no equivalent.
const CANNOT_RUN: [&str; 7] = [
    "attribute-has-one-mode",
    "default-is-computed",
    "private-data-is-json",
    "method-returns-an-object",
    "destroy-has-no-planned-object",
    "import-returns-an-object-of-the-schema",
    "options-precede-the-plan-method",
];

const RULES: [(&str, Validator); 16] = [
    ("rejected-by-terraform", rejected_by_terraform),
    ("replacement-paths-are-checked", replacement_paths_are_checked),
    ("unknown-value-after-apply", unknown_after_apply),
    ("schema-checked-before-use", schema_is_invalid),
    ("new-element-has-no-prior-values", new_element),
    ("unknown-set-element-stays-unknown", unknown_set_element),
    ("default-keeps-configured-values", default_in_set_element),
    ("only-changes-require-replacement", only_changes_require_replacement),
    ("imported-state-is-known", imported_state_is_known),
    (DEFAULT_IS_KNOWN, default_is_known),
    ("semantic-equality-in-plan", semantically_equal),
    ("write-only-is-null", write_only),
    ("planned-private-state-is-kept", planned_private_state),
    ("absent-block-has-no-required-attributes", absent_block_attribute),
    ("unknown-element-has-no-missing-attributes", unknown_element_attribute),
    ("conversion-error-path", conversion_error_path),
];

/// The only rule by which Ferroform reports an error although Terraform accepts and applies the recorded result.
const DEFAULT_IS_KNOWN: &str = "default-is-known";

/// Returns the first rule that explains a failed case. The rule must be listed in `deviations.toml`.
pub fn applies(case: &Case, why: &str) -> Option<&'static str> {
    let listed = |name: &'static str| {
        assert!(LISTED.contains(&format!("rule = \"{name}\"\nreason = ")), "{name} is not listed");
        Some(name)
    };
    if let Some(reason) = why.strip_prefix(NOT_REPRESENTABLE) {
        return CANNOT_RUN.into_iter().find(|it| *it == reason).and_then(listed);
    }
    let (outcome, block) = crate::server::run_case(case).ok()??;
    let differs = outcome.differences(&case.expected, &block).ok()?;
    let it = Deviation { input: &case.input, expected: &case.expected, block, outcome, differs };
    let (name, _) = RULES.into_iter().find(|(_, rule)| rule(&it))?;
    let is_accepted = !it.terraform_accepts_recorded() || it.terraform_accepts_ours();
    if is_accepted || name == DEFAULT_IS_KNOWN { listed(name) } else { None }
}

impl Deviation<'_> {
    fn rpc(&self) -> &str {
        self.input["rpc"].as_str().unwrap()
    }

    /// Returns the object of this name in the case.
    fn object(&self, name: &str) -> Value {
        value(&self.input[name], self.block.ty()).unwrap_or(Value::Null)
    }

    /// Returns true if Terraform accepts the recorded result. `core_complaints` contains neither paths that do not
    /// exist nor values that are still unknown, although Terraform checks both, so this function checks them too.
    fn terraform_accepts_recorded(&self) -> bool {
        let complaints = self.expected["core_complaints"].as_array();
        let is_complete = !any(&self.expected["state"], &is_unknown);
        complaints.is_none_or(Vec::is_empty) && self.invalid_paths().is_empty() && is_complete
    }

    fn terraform_accepts_ours(&self) -> bool {
        let ours = self.outcome.value.clone().unwrap_or(Value::Null);
        let broken = match self.rpc() {
            "plan" => {
                let (config, prior) = (self.object("config"), self.object("prior"));
                let replaced = self.outcome.replace.as_deref().unwrap_or_default();
                let mut broken = contract::check_plan(&self.block, &config, &prior, &ours);
                broken.extend(contract::check_replacements(&self.block, &prior, &ours, replaced));
                broken
            }
            "apply" => contract::check_new_state(&self.block, &self.object("planned"), &ours),
            "upgrade" | "read" => contract::check_state(&self.block, &ours),
            // Terraform does not check diagnostics.
            _ => return true,
        };
        broken.is_empty() && !self.outcome.diagnostics.has_error()
    }

    /// Returns the recorded replacement paths that exist neither in the prior nor in the planned object. If all of them
    /// exist but no value changes, although the object does, Terraform ignores all of them, and this function returns them.
    fn invalid_paths(&self) -> Vec<String> {
        let objects = [&self.input["prior"], &self.expected["planned"]];
        let paths: Vec<&Json> = self.expected["requires_replace"].as_array().into_iter().flatten().collect();
        let is_missing = |it: &&Json| !objects.iter().any(|object| exists_at(object, it));
        let missing: Vec<String> = paths.iter().copied().filter(is_missing).map(expected_path).collect();
        let is_ignored = self.rpc() == "plan"
            && objects.iter().all(|it| !it.is_null())
            && objects[0] != objects[1]
            && paths.iter().all(|it| self.is_unchanged(it));
        if missing.is_empty() && is_ignored {
            paths.into_iter().map(expected_path).collect()
        } else {
            missing
        }
    }

    /// Returns true if the value at the path is known and equal in the prior and in the recorded planned object.
    fn is_unchanged(&self, path: &Json) -> bool {
        let Ok(path) = thing::path(path) else { return false };
        let planned = value(&self.expected["planned"], self.block.ty()).unwrap_or(Value::Null);
        let prior = self.object("prior");
        let at = |it| contract::value_at(it, &path).cloned();
        at(&prior) == at(&planned) && at(&planned).is_none_or(|it| it.is_wholly_known())
    }

    /// Returns true if every error of Ferroform is a violation that this check has found.
    fn errors_are(&self, check: ContractCheck) -> bool {
        let mut errors = self.outcome.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        errors.all(|it| contract::failed_check(it) == Some(check))
    }

    /// Returns the leaves in which the objects differ, or `None` if anything else differs too.
    fn leaves(&self) -> Option<Vec<Leaf>> {
        self.value_leaves().filter(|_| self.differs.count() == 1)
    }

    fn value_leaves(&self) -> Option<Vec<Leaf>> {
        self.differs.value.as_ref().map(|(ours, theirs)| leaves(ours, theirs))
    }

    /// Returns the diagnostics that only one side reports, or `None` if anything else differs too.
    fn only_diagnostics(&self) -> Option<&(Vec<ReportedDiagnostic>, Vec<ReportedDiagnostic>)> {
        self.differs.diagnostics.as_ref().filter(|_| self.differs.count() == 1)
    }
}

fn rejected_by_terraform(it: &Deviation<'_>) -> bool {
    let has_complaints = it.expected["core_complaints"].as_array().is_some_and(|it| !it.is_empty());
    let mut errors = it.outcome.diagnostics.iter().filter(|it| it.severity == Severity::Error);
    // Ferroform reports the same error before Terraform does, or returns a value that Terraform accepts.
    let explained = if it.outcome.diagnostics.has_error() {
        errors.all(|it| contract::failed_check(it).is_some())
    } else {
        it.terraform_accepts_ours()
    };
    has_complaints && explained
}

fn replacement_paths_are_checked(it: &Deviation<'_>) -> bool {
    let mut invalid = it.invalid_paths();
    invalid.sort();
    let Some((ours, theirs)) = it.only_diagnostics() else { return false };
    let mut reported: Vec<String> = ours.iter().map(|(_, path, _)| path.clone()).collect();
    reported.sort();
    !invalid.is_empty() && it.errors_are(ContractCheck::Plan) && theirs.is_empty() && reported == invalid
}

/// A plan modifier or `ModifyPlan` makes the planned value of an attribute with a default unknown.
fn default_is_known(it: &Deviation<'_>) -> bool {
    let has_unknown_default = |(_, path, _): &ReportedDiagnostic| {
        let mut attributes = it.input["schema"]["attributes"].as_object().into_iter().flatten();
        attributes.any(|(name, attribute)| {
            format!("/{name:?}") == *path
                && attribute.get("default").is_some()
                && it.input["config"]["map"][name].is_null()
                && is_unknown(&it.expected["planned"]["map"][name])
        })
    };
    let errors = |(ours, theirs): &(Vec<ReportedDiagnostic>, Vec<ReportedDiagnostic>)| {
        theirs.is_empty() && ours.iter().all(has_unknown_default)
    };
    it.rpc() == "plan" && it.errors_are(ContractCheck::Plan) && it.only_diagnostics().is_some_and(errors)
}

/// Ferroform reports an error for each attribute that is unknown in the recorded state, and keeps all other values.
fn unknown_after_apply(it: &Deviation<'_>) -> bool {
    let (Some(leaves), Some((ours, theirs))) = (it.value_leaves(), &it.differs.diagnostics) else {
        return false;
    };
    let paths: Vec<&String> = leaves.iter().map(|it| &it.path).collect();
    it.rpc() == "apply"
        && it.errors_are(ContractCheck::Result)
        && theirs.is_empty()
        && leaves.iter().all(|it| it.theirs.is_unknown())
        && ours.len() == paths.len()
        && ours.iter().all(|(_, path, _)| paths.contains(&path))
}

fn schema_is_invalid(it: &Deviation<'_>) -> bool {
    let is_computed_write_only = |it: &Json| it["write_only"] == true && it["computed"] == true;
    let is_schema_error = |(_, _, summary): &ReportedDiagnostic| summary == "Invalid Schema Implementation";
    it.rpc() == "schema"
        && any(&it.input["schema"], &is_computed_write_only)
        && it
            .only_diagnostics()
            .is_some_and(|(ours, theirs)| theirs.is_empty() && ours.iter().all(is_schema_error))
}

/// The differences are computed attributes with `state_for_unknown` in elements of a nested collection. Ferroform
/// plans an unknown value for a new element, or matches an element that has moved.
fn new_element(it: &Deviation<'_>) -> bool {
    let prior = it.object("prior");
    let keeps = |leaf: &Leaf| {
        let collection = described(&it.input["schema"], &leaf.names[..1]);
        let mode = collection["nested"]["mode"].as_str().or(collection["mode"].as_str());
        let attribute = described(&it.input["schema"], &leaf.names);
        matches!(mode, Some("list" | "set" | "map"))
            && attribute["plan_modifiers"].to_string().contains("state_for_unknown")
    };
    let is_expected = |leaf: &Leaf| leaf.ours.is_unknown() || leaf.theirs.is_null() && leaf.is_in(&prior);
    it.rpc() == "plan"
        && it
            .leaves()
            .is_some_and(|all| all.iter().all(|it| it.names.len() > 1 && keeps(it) && is_expected(it)))
}

/// The Go framework converts a wholly unknown set element to an object with unknown attributes.
fn unknown_set_element(it: &Deviation<'_>) -> bool {
    let is_wholly_unknown =
        |leaf: &Leaf| leaf.in_set && leaf.ours.is_unknown() && matches!(leaf.theirs, Value::Object(_));
    let in_config = |it: &Json| it.as_array().is_some_and(|it| it.iter().any(is_unknown));
    it.rpc() == "plan"
        && any(&it.input["config"], &in_config)
        && it.leaves().is_some_and(|all| all.iter().all(is_wholly_unknown))
}

/// If a default or a prior value changes an element of a nested set, the Go framework does not find its
/// configuration: it replaces configured values with defaults, and plans null for computed attributes.
fn default_in_set_element(it: &Deviation<'_>) -> bool {
    let config = it.object("config");
    let overwritten = |leaf: &Leaf| {
        let attribute = described(&it.input["schema"], &leaf.names);
        let default = value(&attribute["default"], &attribute_type(attribute));
        let is_replaced_configured_value =
            leaf.is_in(&config) && default.is_some_and(|it| it == leaf.theirs && !it.is_null());
        is_replaced_configured_value
            || attribute["computed"] == true && leaf.ours.is_unknown() && leaf.theirs.is_null()
    };
    it.rpc() == "plan"
        && it.leaves().is_some_and(|all| {
            let has_sibling_default = |leaf: &Leaf| {
                let (_, parent) = leaf.names.split_last().unwrap();
                let with_default = |it: &Json| it.get("default").is_some();
                any(described(&it.input["schema"], parent), &with_default)
            };
            all.iter().all(|it| it.in_set && has_sibling_default(it) && overwritten(it))
        })
}

fn attribute_type(attribute: &Json) -> ferroform::value::Type {
    if attribute["type"].is_null() {
        ferroform::value::Type::Dynamic
    } else {
        crate::common::ty(&attribute["type"])
    }
}

/// The Go framework compares the values of `requires_replace` before later plan modifiers and `ModifyPlan`
/// change the planned value, and blocks before their attributes are planned.
fn only_changes_require_replacement(it: &Deviation<'_>) -> bool {
    let Some((ours, theirs)) = it.differs.requires_replace.as_ref().filter(|_| it.differs.count() == 1)
    else {
        return false;
    };
    let recorded = it.expected["requires_replace"].as_array().into_iter().flatten();
    let (required, additional): (Vec<&Json>, Vec<&Json>) =
        recorded.partition(|path| ours.contains(&expected_path(path)));
    let root_attribute = |path: &str| {
        let members = ["attributes", "blocks"].map(|kind| it.input["schema"][kind].as_object());
        members.into_iter().flatten().flatten().find(|(name, _)| format!("/{name:?}") == path)
    };
    let is_changed = |path: &String| {
        root_attribute(path).is_some_and(|(name, attribute)| {
            any(&attribute["plan_modifiers"], &|it| it == "requires_replace")
                && !it.is_unchanged(&json!([{"attr": name}]))
        })
    };
    additional.iter().all(|path| it.is_unchanged(path))
        && ours.iter().filter(|path| !theirs.contains(path)).all(is_changed)
        && required.len() + additional.len() == theirs.len()
}

/// Ferroform reports the unknown values of an imported state.
fn imported_state_is_known(it: &Deviation<'_>) -> bool {
    let imported = value(&it.expected["imported"][0]["state"], it.block.ty()).unwrap_or(Value::Null);
    let is_unknown = |it: &ferroform::Diagnostic| {
        let value = it.path.as_ref().and_then(|path| imported.at(path));
        contract::failed_check(it) == Some(ContractCheck::State) && value.is_some_and(Value::is_unknown)
    };
    it.rpc() == "import"
        && it.only_diagnostics().is_some_and(|(_, theirs)| theirs.is_empty())
        && it.outcome.diagnostics.iter().all(is_unknown)
}

/// Ferroform plans the prior string where the Go framework plans a semantically equal one, and plans no other change.
fn semantically_equal(it: &Deviation<'_>) -> bool {
    let prior = it.object("prior");
    let any_case =
        |leaf: &Leaf| described(&it.input["schema"], &leaf.names)["type"].to_string().contains("ci_string");
    let Some(all) = it.value_leaves() else { return false };
    let same = |leaf: &Leaf| any_case(leaf) && leaf.is_in(&prior);
    it.rpc() == "plan"
        && it.differs.diagnostics.is_none()
        && it.differs.private.is_none()
        && it.differs.requires_replace.as_ref().is_none_or(|(ours, theirs)| ours.iter().all(|it| theirs.contains(it)))
        && all.iter().any(same)
        // The other attributes are only unknown in the recorded plan because of the new string.
        && all.iter().all(|it| same(it) || it.theirs.is_unknown() && it.is_in(&prior))
}

fn write_only(it: &Deviation<'_>) -> bool {
    let is_write_only = |leaf: &Leaf| described(&it.input["schema"], &leaf.names)["write_only"] == true;
    it.leaves().is_some_and(|all| all.iter().all(|it| is_write_only(it) && it.ours.is_null()))
}

/// For a new object, Ferroform stores the planned private data in addition to the data that the Go framework stores.
fn planned_private_state(it: &Deviation<'_>) -> bool {
    let Some((ours, theirs)) = it.differs.private.as_ref().filter(|_| it.differs.count() == 1) else {
        return false;
    };
    let mut all = it.input["planned_private"].as_object().cloned().unwrap_or_default();
    all.extend(theirs.as_object().cloned().unwrap_or_default());
    it.rpc() == "apply" && it.input["prior"].is_null() && *ours == Json::from(all)
}

/// The Go framework reports missing attributes of an optional single block that is absent.
fn absent_block_attribute(it: &Deviation<'_>) -> bool {
    let blocks = it.input["schema"]["blocks"].as_object();
    let is_absent = |path: &str| {
        blocks.is_some_and(|blocks| {
            blocks.iter().any(|(name, block)| {
                block["mode"] == "single"
                    && it.input["config"]["map"][name].is_null()
                    && path.starts_with(&format!("/{name:?}/"))
            })
        })
    };
    let missed = |(_, path, summary): &ReportedDiagnostic| {
        summary == "Missing Configuration for Required Attribute" && is_absent(path)
    };
    it.rpc() == "validate"
        && it.only_diagnostics().is_some_and(|(ours, theirs)| ours.is_empty() && theirs.iter().all(missed))
}

/// The Go framework reports missing attributes of an element that is wholly unknown.
fn unknown_element_attribute(it: &Deviation<'_>) -> bool {
    let has_unknown_element = |path: &str| {
        let nested = it.input["config"]["map"].as_object().into_iter().flatten();
        let in_it = |(name, it): (&String, &Json)| {
            let elements = it
                .as_array()
                .into_iter()
                .flatten()
                .chain(it["map"].as_object().into_iter().flat_map(|it| it.values()));
            path.starts_with(&format!("/{name:?}/")) && elements.into_iter().any(is_unknown)
        };
        nested.into_iter().any(in_it)
    };
    let missed = |(_, path, summary): &ReportedDiagnostic| {
        summary == "Missing Configuration for Required Attribute" && has_unknown_element(path)
    };
    it.rpc() == "validate"
        && it.only_diagnostics().is_some_and(|(ours, theirs)| ours.is_empty() && theirs.iter().all(missed))
}

/// The Go framework reports a conversion error at the attribute, Ferroform at the value inside the attribute.
fn conversion_error_path(it: &Deviation<'_>) -> bool {
    let inside = |(ours, theirs): (&ReportedDiagnostic, &ReportedDiagnostic)| {
        ours.0 == theirs.0 && ours.2 == theirs.2 && ours.1.starts_with(&format!("{}/", theirs.1))
    };
    let is_conversion_error = |(_, _, summary): &ReportedDiagnostic| summary == "Configuration Read Error";
    it.rpc() == "validate"
        && it.only_diagnostics().is_some_and(|(ours, theirs)| {
            ours.len() == theirs.len()
                && theirs.iter().all(is_conversion_error)
                && ours.iter().zip(theirs).all(inside)
        })
}
