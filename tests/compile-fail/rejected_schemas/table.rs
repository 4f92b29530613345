//! The table of invalid schemas.

use crate::rejected_schemas::runtime_schemas::{self, RuntimeSchema};

/// How the derive macro or rustc rejects the schema.
pub(crate) enum Compile {
    /// The tests in `ui` that contain the mistake.
    Fails(&'static [&'static str]),
    /// Rust cannot express the schema.
    NotRepresentable(#[allow(dead_code, reason = "for the reader")] &'static str),
}

/// How the check of a run-time schema rejects the schema.
pub(crate) enum RunTime {
    /// Schemas that contain the mistake.
    Reports(&'static [Case]),
    /// The mistake is not part of a block. A test file reports it with these messages.
    FoundIn(&'static str, &'static [&'static str]),
    /// The schema builder cannot express the schema.
    NotRepresentable(#[allow(dead_code, reason = "for the reader")] &'static str),
}

/// A schema with a mistake, and the expected errors.
pub(crate) type Case = (fn() -> RuntimeSchema, &'static [&'static str]);

pub(crate) struct Row {
    /// The source of the check: the number in the list of SDKv2 (`2.n`) or of the Go framework (`6.2`), Terraform's
    /// core, or Ferroform.
    #[allow(dead_code, reason = "for the reader")]
    pub(crate) from: &'static str,
    pub(crate) check: &'static str,
    pub(crate) compile: Compile,
    pub(crate) run_time: RunTime,
}

use Compile::Fails;
use RunTime::{FoundIn, Reports};

const NO_TYPE: Compile =
    Compile::NotRepresentable("every field has a type, and every collection has an element type");
const ONE_MODE: &str = "an attribute has one `Mode`";

macro_rules! rows {
    ($($from:literal, $check:literal, $compile:expr, $run_time:expr;)+) => {
        &[$(Row { from: $from, check: $check, compile: $compile, run_time: $run_time }),+]
    };
}

#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = rows! {
    "2.1, 2.19, 6.2", "an attribute or collection without a type", NO_TYPE,
        RunTime::NotRepresentable("an `Attribute` is built from a complete `Type`");
    "2.2, 2.3, 2.4", "required and optional, required and computed, or none of the three",
        Fails(&["optional_without_computed", "optional_with_default"]), RunTime::NotRepresentable(ONE_MODE);
    "2.5", "write-only and computed", Fails(&["write_only_computed"]),
        Reports(&[(runtime_schemas::write_only_computed, &["Invalid Schema Implementation: key: a write-only attribute cannot be computed or have a default"])]);
    "2.5", "write-only and `requires_replace`", Fails(&["requires_replace_on_write_only", "requires_replace_if_configured_on_write_only"]),
        Reports(&[(runtime_schemas::requires_replace_of_write_only, &["Invalid Schema Implementation: key: a write-only value is not stored, so a change cannot be detected and cannot require replacement"])]);
    "ours", "`requires_replace` of an optional and computed attribute in a set without a key", Fails(&["optional_computed_requires_replace_in_set_without_key"]),
        Reports(&[(runtime_schemas::requires_replace_in_set_without_key, &["Invalid Schema Implementation: disks: in a set without a `key`, an attribute that is `optional, computed` cannot require replacement: mark the attributes that identify an element with `key`"])]);
    "2.7, 2.10", "a block whose type is not an object", Fails(&["block_of_string", "block_of_strings"]),
        Reports(&[(runtime_schemas::block_of_strings, &["Invalid Schema Implementation: tags: a block must be a model, or a list, set or map of models"])]);
    "2.8", "a block inside an attribute", Fails(&["block_in_nested_attribute"]),
        Reports(&[(runtime_schemas::block_in_attribute, &["Invalid Schema Implementation: owner: a nested attribute cannot contain blocks, but it contains `card`"])]);
    "2.9", "a computed block", Fails(&["block_computed"]),
        Reports(&[(runtime_schemas::block_computed, &["Invalid Schema Implementation: owner: a block cannot be computed-only; make it optional and computed"])]);
    "2.11", "computed and a default", Fails(&["computed_with_default"]),
        Reports(&[(runtime_schemas::default_of_computed, &["Schema Using Attribute Default For Non-Computed Attribute: path: a computed attribute cannot have a default, unless it is optional as well"])]);
    "2.12, 6.2", "required and a default", Fails(&["default_on_option"]),
        Reports(&[(runtime_schemas::default_of_required, &["Schema Using Attribute Default For Non-Computed Attribute: path: a required attribute cannot have a default"])]);
    "2.13", "write-only and a default", Fails(&["write_only_with_default"]),
        Reports(&[(runtime_schemas::write_only_default, &["Invalid Schema Implementation: key: a write-only attribute cannot be computed or have a default"])]);
    "2.14", "`use_state_for_unknown` on an attribute that is not computed", Fails(&["use_state_for_unknown_on_required", "use_state_for_unknown_and_follows"]),
        Reports(&[
            (runtime_schemas::use_state_for_unknown_of_input, &["Invalid Schema Implementation: path: `use_state_for_unknown` and `follows` require a computed attribute or block"]),
            (runtime_schemas::use_state_for_unknown_of_block, &["Invalid Schema Implementation: disk: `use_state_for_unknown` and `follows` require a computed attribute or block"]),
        ]);
    "2.14", "`follows` with the attribute itself, a missing attribute or no attribute", Fails(&["follows_itself", "follows_unknown_field", "follows_without_names"]),
        Reports(&[
            (runtime_schemas::follows_itself, &["Invalid Schema Implementation: id: it follows `id`, which is not another attribute or block of the same object; the object has: path"]),
            (runtime_schemas::follows_missing_attribute, &["Invalid Schema Implementation: id: it follows `pth`, which is not another attribute or block of the same object; the object has: path"]),
        ]);
    "ours", "`follows` with a write-only attribute without a fingerprint", Fails(&["follows_write_only", "follows_write_only_flattened"]),
        Reports(&[(runtime_schemas::follows_write_only, &["Invalid Schema Implementation: id: it follows `key`, which is write-only, so its changes cannot be detected: follow a version attribute, or add a fingerprint to `key`"])]);
    "ours", "a fingerprint of a stored attribute", Fails(&["fingerprint_without_write_only"]),
        Reports(&[(runtime_schemas::fingerprint_of_stored, &["Invalid Schema Implementation: path: only a write-only attribute can have a fingerprint"])]);
    "2.15", "a relation of a required attribute", Fails(&["conflicts_with_on_required", "exactly_one_of_on_required", "at_least_one_of_on_required", "group_with_required", "conflicts_with_on_required_block", "at_least_one_of_on_required_blocks", "group_with_required_block"]),
        Reports(&[
            (runtime_schemas::required_with_conflicts, &["Invalid Schema Implementation: path: it is required, so it is always set, regardless of `url`"]),
            (runtime_schemas::exactly_one_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, regardless of `url`"]),
            (runtime_schemas::at_least_one_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, regardless of `url`"]),
            (runtime_schemas::group_with_required, &["Invalid Schema Implementation: a group names `size`, which is required, so it is always set"]),
        ]);
    "2.16", "a relation to a missing attribute", Fails(&["conflicts_with_unknown_field", "exactly_one_of_unknown_field", "conflicts_without_names", "conflicts_with_quoted_name", "conflicts_with_unknown_field_and_flatten", "conflicts_with_unknown_field_by_pattern"]),
        Reports(&[
            (runtime_schemas::relation_typo, &["Invalid Schema Implementation: path: it is related to `url`, but the object has no such attribute"]),
            (runtime_schemas::group_typo, &["Invalid Schema Implementation: a group names `ulr`, but there is no such attribute"]),
            (runtime_schemas::relation_without_attributes, &["Invalid Schema Implementation: path: the relation names no other attribute"]),
        ]);
    "2.16", "a pattern that matches no attribute",
        Compile::NotRepresentable("a nested model does not know its attribute path; only the schema check does"),
        Reports(&[
            (runtime_schemas::pattern_typo, &["Invalid Schema Implementation: disks.size: no value of the type object({disks = list(object({kind = string, size = string})), path = string}) has a path that matches `disks[*].knd`"]),
            (runtime_schemas::pattern_without_element, &["Invalid Schema Implementation: disks.size: no value of the type object({disks = list(object({kind = string, size = string})), path = string}) has a path that matches `disks.kind`"]),
            (runtime_schemas::pattern_outside_of_root, &["Invalid Schema Implementation: disks.size: `super.super.super.super.path` leads outside of the root"]),
        ]);
    "2.16", "a relation to the attribute itself, or a group with a repeated or a single member", Fails(&["conflicts_with_itself", "conflicts_with_itself_by_pattern", "requires_itself", "exactly_one_of_itself", "group_with_repeated_member", "group_with_one_member"]),
        Reports(&[
            (runtime_schemas::relation_with_itself, &["Invalid Schema Implementation: path: it is related to `path`, which is the attribute itself"]),
            (runtime_schemas::group_with_repeated_member, &["Invalid Schema Implementation: a group names `path` twice"]),
            (runtime_schemas::pattern_of_itself, &["Invalid Schema Implementation: path: it is related to `path`, which is the attribute itself"]),
            (runtime_schemas::pattern_of_itself_in_element, &["Invalid Schema Implementation: disks.size: it is related to `super.size`, which is the attribute itself"]),
            (runtime_schemas::group_with_repeated_pattern, &["Invalid Schema Implementation: a group names `path` twice"]),
            (runtime_schemas::group_with_one_member, &["Invalid Schema Implementation: a group must have at least two members, but it has only `path`"]),
        ]);
    "2.16", "a relation to a required attribute", Fails(&["conflicts_with_required", "conflicts_with_required_by_pattern", "requires_required_attribute", "conflicts_with_required_block", "requires_required_blocks_by_pattern", "conflicts_with_required_flattened_attribute", "requires_required_flattened_attribute_by_pattern"]),
        Reports(&[
            (runtime_schemas::conflicts_with_required, &["Invalid Schema Implementation: path: it is related to `url`, which is required, so it is always set"]),
            (runtime_schemas::requires_required, &["Invalid Schema Implementation: path: it is related to `url`, which is required, so it is always set"]),
            (runtime_schemas::pattern_of_required, &["Invalid Schema Implementation: path: it is related to `url`, which is required, so it is always set"]),
            (runtime_schemas::pattern_of_required_sibling, &["Invalid Schema Implementation: path: it is related to `super.url`, which is required, so it is always set"]),
            (runtime_schemas::pattern_of_required_nested_attribute, &["Invalid Schema Implementation: path: it is related to `boss.name`, which is required, so it is always set"]),
            (runtime_schemas::requires_required_block, &["Invalid Schema Implementation: path: it is related to `disk`, which is required, so it is always set"]),
        ]);
    "ours", "a relation to a computed attribute", Fails(&["conflicts_with_computed", "group_with_computed", "requires_computed_flattened_attribute", "group_with_computed_flattened_attribute"]),
        Reports(&[
            (runtime_schemas::relation_with_computed, &["Invalid Schema Implementation: path: it is related to `id`, which is computed-only"]),
            (runtime_schemas::pattern_of_computed, &["Invalid Schema Implementation: path: it is related to `super.id`, which is computed-only"]),
            (runtime_schemas::group_with_computed, &["Invalid Schema Implementation: a group names `id`, which is computed-only"]),
        ]);
    "2.18, 6.2", "a write-only set", Fails(&["write_only_on_set"]),
        Reports(&[(runtime_schemas::write_only_set, &["Invalid Schema Implementation: keys: a set cannot be write-only"])]);
    "2.22, 6.2", "a write-only attribute in a set", Fails(&["write_only_in_set", "write_only_nested_in_set", "write_only_in_set_block", "variant_assigned_wrong_type"]),
        Reports(&[
            (runtime_schemas::write_only_in_set, &["Invalid Schema Implementation: access.deep.key: a write-only attribute is not supported inside the set `access`"]),
            (runtime_schemas::write_only_in_set_block, &["Invalid Schema Implementation: access.key: a write-only attribute is not supported inside the set `access`"]),
        ]);
    "2.22, 6.2", "a write-only attribute in a computed object", Fails(&["computed_object_with_write_only_attribute", "optional_computed_object_with_write_only_attribute"]),
        Reports(&[(runtime_schemas::computed_object_with_write_only_attribute, &["Invalid Schema Implementation: access: a computed attribute or block cannot contain write-only attributes, but it contains `deep.key`"])]);
    "2.22, core", "a write-only attribute in a computed block",
        Compile::NotRepresentable("every attribute of such a block is computed, so a nested object with a write-only attribute is rejected first"),
        Reports(&[(runtime_schemas::computed_block_with_write_only, &[
            "Invalid Schema Implementation: owner: a computed attribute or block cannot contain write-only attributes, but it contains `settings.key`",
            "Invalid Schema Implementation: owner.settings: a computed attribute or block cannot contain write-only attributes, but it contains `key`",
        ])]);
    "6.2", "a stored attribute in a write-only object", Fails(&["write_only_object_with_stored_attribute"]),
        Reports(&[(runtime_schemas::write_only_object_with_stored_attribute, &["Invalid Schema Implementation: access: a write-only nested attribute can contain only write-only attributes, but it contains `name`"])]);
    "2.23", "options of an element", Compile::NotRepresentable("`#[attr(…)]` applies to fields, and an element is not a field"),
        RunTime::NotRepresentable("an element is a `Type`");
    "ours", "attribute options in objects that are not nested attributes", Fails(&["nested_model_with_options_in_two_lists", "nested_model_with_options_in_tuple"]),
        RunTime::NotRepresentable("an element is a `Type`");
    "2.24", "a number of elements for a type without elements", Fails(&["min_items_on_string", "min_items_on_object"]),
        Reports(&[
            (runtime_schemas::items_of_string, &["Invalid Schema Implementation: name: only the elements of a list, set or map can be limited, but the type is string"]),
            (runtime_schemas::items_of_object, &["Invalid Schema Implementation: owner: a single block occurs at most once, but the limits are 0 to 2"]),
        ]);
    "ours, core", "a minimum number of elements above the maximum", Fails(&["min_items_above_max", "max_items_of_zero", "min_items_of_string_literal"]),
        Reports(&[(runtime_schemas::min_items_above_max, &["Invalid Schema Implementation: disk: the minimum number of elements 3 is greater than the maximum 2"])]);
    "2.25", "a map of objects", Compile::NotRepresentable("a map of models is a nested attribute, like a list of models"),
        RunTime::NotRepresentable("it is allowed");
    "2.26", "a validator, a relation or a number of elements for a computed attribute", Fails(&["validate_on_computed", "requires_on_computed", "conflicts_with_on_computed", "exactly_one_of_on_computed", "at_least_one_of_on_computed", "min_items_on_computed", "max_items_on_computed"]),
        Reports(&[
            (runtime_schemas::validator_of_computed, &["Invalid Schema Implementation: id: a computed attribute cannot have validators, because the configuration does not set it"]),
            (runtime_schemas::relation_of_computed, &["Invalid Schema Implementation: id: a computed-only attribute cannot have relations, because the configuration does not set it"]),
            (runtime_schemas::items_of_computed, &["Invalid Schema Implementation: tags: the number of elements of a computed attribute cannot be limited, because the configuration does not set it"]),
        ]);
    "2.17", "`suppress_on_refresh` without `suppress_diff`", Fails(&["suppress_on_refresh_without_suppress_diff"]),
        Reports(&[(runtime_schemas::suppress_on_refresh_without_suppress_diff, &["Invalid Schema Implementation: name: `suppress_on_refresh` requires `suppress_diff`"])]);
    "2.26", "`suppress_diff` on a computed attribute", Fails(&["suppress_diff_on_computed"]),
        Reports(&[(runtime_schemas::suppress_diff_of_computed, &["Invalid Schema Implementation: id: `suppress_diff` has no effect on a computed-only attribute"])]);
    "2.26", "semantic equality (a StateFunc in SDKv2) on a computed attribute",
        Compile::NotRepresentable("it is supported: a semantically equal value from `read` keeps the value in the state"),
        RunTime::NotRepresentable("as at compile time");
    "ours", "a comparison of write-only values", Fails(&["suppress_diff_on_write_only", "semantic_eq_on_write_only"]),
        Reports(&[
            (runtime_schemas::suppress_diff_of_write_only, &["Invalid Schema Implementation: key: a write-only value is not stored, so it cannot be compared with a prior value"]),
            (runtime_schemas::semantic_eq_of_write_only, &["Invalid Schema Implementation: key: a write-only value is not stored, so it cannot be compared with a prior value"]),
        ]);
    "ours", "a key that is not configured or not stored", Fails(&["key_on_computed", "key_on_write_only"]),
        Reports(&[(runtime_schemas::key_of_computed, &["Invalid Schema Implementation: id: a key must be set by the configuration and stored in the state, so it cannot be computed-only or write-only"])]);
    "ours", "`requires_replace` on a computed attribute", Fails(&["requires_replace_on_computed", "requires_replace_if_configured_on_computed", "requires_replace_and_if_configured"]),
        Reports(&[(runtime_schemas::requires_replace_of_computed, &["Invalid Schema Implementation: id: `requires_replace` has no effect on a computed-only attribute"])]);
    "2.29, 6.2", "an invalid attribute name", Fails(&["invalid_attribute_name", "attribute_name_starting_with_digit"]),
        Reports(&[
            (runtime_schemas::uppercase_name, &["Invalid Attribute/Block Name: Path: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit"]),
            (runtime_schemas::digit_first, &["Invalid Attribute/Block Name: owner.2nd: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit"]),
            (runtime_schemas::name_of_block, &["Invalid Attribute/Block Name: a-b: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit"]),
        ]);
    "core", "a duplicate attribute name", Fails(&["attributes_with_same_name", "flattened_attribute_with_same_name", "flattened_models_with_same_name"]),
        Reports(&[
            (runtime_schemas::same_name, &["Invalid Attribute/Block Name: path: the name is used more than once"]),
            (runtime_schemas::flattened_name, &["Invalid Attribute/Block Name: path: the name is used more than once"]),
        ]);
    "6.2", "a name that is reserved in a resource or data source", Fails(&["reserved_attribute_name", "reserved_block_name", "reserved_attribute_name_flattened", "reserved_attribute_name_in_data_source"]),
        Reports(&[
            (runtime_schemas::reserved, &[
                "Reserved Root Attribute/Block Name: connection: `connection` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: count: `count` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: depends_on: `depends_on` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: for_each: `for_each` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: lifecycle: `lifecycle` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: provider: `provider` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: provisioner: `provisioner` is reserved by Terraform",
            ]),
            (runtime_schemas::reserved_in_data_source, &["Reserved Root Attribute/Block Name: lifecycle: `lifecycle` is reserved by Terraform"]),
        ]);
    "2 (provider), 6.2", "a name that is reserved in a provider's configuration", Fails(&["reserved_attribute_name_in_provider_config", "reserved_block_name_in_provider_config"]),
        Reports(&[(runtime_schemas::reserved_in_provider_config, &[
            "Reserved Root Attribute/Block Name: alias: `alias` is reserved by Terraform",
            "Reserved Root Attribute/Block Name: version: `version` is reserved by Terraform",
            "Reserved Root Attribute/Block Name: provisioner: `provisioner` is reserved by Terraform",
        ])]);
    "2 (data source)", "a write-only attribute in a data source", Fails(&["write_only_in_data_source"]),
        Reports(&[(runtime_schemas::write_only_in_data_source, &["Invalid Schema Implementation: access.key: a data source is not stored, so it cannot have write-only attributes"])]);
    "2 (provider), 6.3", "a write-only or computed attribute in a provider configuration", Fails(&["write_only_in_provider_config", "computed_in_provider_config", "nested_computed_in_provider_config"]),
        Reports(&[(runtime_schemas::computed_in_provider_config, &[
            "Invalid Schema Implementation: key: the configuration of a provider is not stored, so it cannot have write-only attributes",
            "Invalid Schema Implementation: access.id: the configuration of a provider is set by the practitioner, so it cannot have computed attributes",
        ])]);
    "2 (resource)", "no `read` or `delete`", Fails(&["resource_without_read"]),
        RunTime::NotRepresentable("`AnyResource` requires them");
    "2 (resource)", "no `update`, and an attribute that does not require replacement",
        Compile::NotRepresentable("without `update` every change requires replacement"),
        RunTime::NotRepresentable("without `ResourceCapabilities::update` every change requires replacement");
    "2 (resource)", "`update`, and no attribute that can change in place",
        Compile::NotRepresentable("it is supported: `plan` can change computed values"),
        RunTime::NotRepresentable("as at compile time");
    "6.2", "a dynamic attribute in a collection", Fails(&["dynamic_in_list", "dynamic_in_map", "dynamic_in_nested_list", "dynamic_in_block", "dynamic_in_set", "enum_with_dynamic_data_in_list"]),
        Reports(&[
            (runtime_schemas::dynamic_in_list, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (runtime_schemas::dynamic_in_map, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (runtime_schemas::dynamic_in_block, &["Invalid Schema Implementation: tag: a collection cannot contain dynamic values, because its elements have one type"]),
            (runtime_schemas::dynamic_in_object, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (runtime_schemas::dynamic_in_tuple, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (runtime_schemas::dynamic_in_set, &["Invalid Schema Implementation: tags.value: a dynamic attribute is not supported inside the set `tags`"]),
        ]);
    "6.2", "a default of another type", Fails(&["default_of_wrong_type"]),
        Reports(&[(runtime_schemas::default_of_wrong_type, &["Invalid Attribute Implementation: size: the default is invalid: a whole number between 0 and 255 is required, but got 300"])]);
    "ours", "`plan_with` on an attribute that is not computed", Fails(&["plan_with_on_required", "plan_with_on_optional", "plan_with_on_mixed"]),
        Reports(&[
            (runtime_schemas::plan_with_of_required, &["Invalid Schema Implementation: size: `plan_with` requires a computed attribute"]),
            (runtime_schemas::plan_with_of_optional, &["Invalid Schema Implementation: name: `plan_with` requires a computed attribute"]),
        ]);
    "ours", "`plan_with` together with a default", Fails(&["plan_with_and_default", "plan_with_and_default_with"]),
        Reports(&[
            (runtime_schemas::plan_with_and_default, &["Invalid Schema Implementation: name: an attribute cannot have both a default and `plan_with`"]),
            (runtime_schemas::plan_with_and_default_with, &["Invalid Schema Implementation: name: an attribute cannot have both a default and `plan_with`"]),
        ]);
    "ours", "`plan_with` on a write-only attribute", Fails(&["plan_with_on_write_only"]),
        Reports(&[(runtime_schemas::plan_with_of_write_only, &["Invalid Schema Implementation: key: `plan_with` has no effect on a write-only attribute"])]);
    "ours", "a function that plans a value of another type", Fails(&["plan_with_wrong_argument_type", "plan_with_wrong_return_type"]),
        Reports(&[(runtime_schemas::plan_with_of_other_type, &["Invalid Schema Implementation: name: the function of `plan_with` is invalid: it takes values of type number, but the attribute is of type string"])]);
    "ours", "a block with a function option or a key", Fails(&["key_on_block", "requires_replace_if_on_block", "suppress_diff_on_block", "plan_with_on_block"]),
        Reports(&[
            (runtime_schemas::block_key, &["Invalid Schema Implementation: owner: a block does not support this option; add it to the attributes of the block"]),
            (runtime_schemas::requires_replace_if_of_block, &["Invalid Schema Implementation: owner: a block does not support this option; add it to the attributes of the block"]),
            (runtime_schemas::plan_with_of_block, &["Invalid Schema Implementation: owner: a block does not support this option; add it to the attributes of the block"]),
        ]);
    "ours", "a block that is sensitive or write-only or has a default", Fails(&["block_sensitive", "block_write_only", "block_default"]),
        Reports(&[
            (runtime_schemas::block_sensitive, &["Invalid Schema Implementation: owner: a block cannot be sensitive; mark its attributes as sensitive"]),
            (runtime_schemas::block_write_only, &["Invalid Schema Implementation: owner: a block cannot be write-only; mark its attributes as write-only"]),
            (runtime_schemas::block_default, &["Invalid Schema Implementation: owner: a block cannot have a default; add defaults to its attributes"]),
        ]);
    "core", "a configurable attribute in a computed block", Fails(&["computed_block_with_required_attribute"]),
        Reports(&[(runtime_schemas::computed_block_with_input, &[
            "Invalid Schema Implementation: owner: every attribute of a computed block must be computed, but it contains `name`",
            "Invalid Schema Implementation: owner: every nested block of a computed block must be computed, but it contains `card`",
        ])]);
    "core", "a minimum number of computed blocks", Fails(&["computed_block_with_min_items"]),
        Reports(&[(runtime_schemas::computed_block_with_min_items, &["Invalid Schema Implementation: owner: a computed block can be omitted, so it cannot have a minimum number"])]);
    "ours", "a validator of another type", Fails(&["validate_wrong_argument_type", "string_validator_on_number", "number_validator_on_string", "size_validator_on_string", "key_validator_on_list", "element_validator_of_wrong_type", "validate_struct_with_model_argument", "newtype_validator_of_wrong_type"]),
        Reports(&[
            (runtime_schemas::validator_of_other_type, &["Invalid Attribute Implementation: size: the validator \"a string of at most 3 bytes\" is invalid: it supports strings, but the attribute is of type number"]),
            (runtime_schemas::validator_of_other_elements, &["Invalid Attribute Implementation: sizes: the validator \"elements, each an a is required\" is invalid: it supports strings, but the attribute is of type number"]),
            (runtime_schemas::validator_of_other_object, &["Invalid Attribute Implementation: a validator of the object is invalid: it takes values of type number, but the attribute is of type object({name = string})"]),
            (runtime_schemas::flattened_validator_of_other_object, &["Invalid Attribute Implementation: a validator of the object is invalid: it takes values of type number, but the attribute is of type object({name = string})"]),
            (runtime_schemas::element_validator_of_string, &["Invalid Attribute Implementation: name: a validator is invalid: it supports collections, but the attribute is of type string"]),
        ]);
    "library", "bounds that exclude every value, or an invalid regular expression",
        Compile::NotRepresentable("the bounds are only known at run time"),
        Reports(&[
            (runtime_schemas::invalid_regular_expression, &["Invalid Attribute Implementation: name: the validator \"an a is required\" is invalid: the regular expression \"a(\" is invalid: found open group without closing ')'"]),
            (runtime_schemas::empty_range, &["Invalid Attribute Implementation: size: the validator \"a whole number between 10 and 1\" is invalid: the lower bound is greater than the upper bound"]),
            (runtime_schemas::empty_length, &["Invalid Attribute Implementation: name: the validator \"a string of 5 to 4 bytes or a JSON document\" is invalid: the minimum length is greater than the maximum length"]),
            (runtime_schemas::empty_size, &["Invalid Attribute Implementation: tags: the validator \"5 to 4 elements\" is invalid: the minimum is greater than the maximum"]),
        ]);
    "ours", "a newtype of a type with nested values, which can be unknown", Fails(&["newtype_of_model", "newtype_of_newtype_of_list"]),
        RunTime::NotRepresentable("there are no newtypes");
    "ours", "`prefer_write_only` of a stored attribute, or on a write-only attribute", Fails(&["prefer_write_only_of_stored", "prefer_write_only_on_write_only", "prefer_write_only_of_stored_flattened"]),
        Reports(&[
            (runtime_schemas::prefer_write_only_of_stored, &["Invalid Schema Implementation: key: `token` is recommended as a write-only alternative, but it is not write-only"]),
            (runtime_schemas::pattern_of_stored, &["Invalid Schema Implementation: path: `owner` is recommended as a write-only alternative, but it is not write-only"]),
        ]);
    "ours", "a sum of attributes that are not numbers", Fails(&["sum_of_strings", "sum_on_string"]),
        Reports(&[
            (runtime_schemas::sum_of_string, &[
                "Invalid Schema Implementation: total: only a number can be compared with a sum or product",
                "Invalid Schema Implementation: total: it is compared with `part`, which is not a number",
            ]),
            (runtime_schemas::pattern_of_string, &["Invalid Schema Implementation: path: it is compared with `owner.name`, which is not a number"]),
        ]);
    "ours", "an option function of another type", Fails(&["requires_replace_if_wrong_argument_type", "suppress_diff_wrong_argument_type", "semantic_eq_wrong_argument_type", "default_with_of_wrong_type"]),
        Reports(&[
            (runtime_schemas::requires_replace_if_of_other_type, &["Invalid Schema Implementation: name: the function of `requires_replace_if` is invalid: it takes values of type number, but the attribute is of type string"]),
            (runtime_schemas::suppress_diff_of_other_type, &["Invalid Schema Implementation: name: the function of `suppress_diff` is invalid: it takes values of type number, but the attribute is of type string"]),
            (runtime_schemas::semantic_eq_of_other_type, &["Invalid Schema Implementation: name: the function of `semantic_eq` is invalid: it takes values of type number, but the attribute is of type string"]),
            (runtime_schemas::default_with_of_other_type, &["Invalid Schema Implementation: name: the function of `default_with` is invalid: it takes values of type number, but the attribute is of type string"]),
        ]);
    "2 (identity)", "an identity attribute of an unsupported type", Fails(&["identity_on_map", "identity_on_block", "identity_struct_with_set"]),
        FoundIn("lifecycle/identity/runtime_resource.rs", &["an identity attribute must be a bool, a number, a string or a list of these"]);
    "2 (identity)", "a sensitive or write-only identity attribute", Fails(&["identity_on_sensitive", "identity_on_write_only", "identity_struct_with_write_only"]),
        FoundIn("lifecycle/identity/runtime_resource.rs", &[
            "Terraform shows identities, so an identity attribute cannot be sensitive or write-only",
            "Terraform shows identities, but the attribute with this name is sensitive",
            "the attribute with this name is write-only, so its value is not stored",
        ]);
    "2 (identity)", "an attribute option in an identity", Fails(&["identity_struct_with_default"]),
        FoundIn("lifecycle/identity/runtime_resource.rs", &["an identity attribute supports no option other than its type and whether it is required for import"]);
    "6.2", "an identity attribute with a reserved name", Fails(&["identity_struct_with_reserved_name"]),
        FoundIn("lifecycle/identity/runtime_resource.rs", &["the identity: count: `count` is reserved by Terraform"]);
    "2.6, 2 (identity)", "required or optional for import",
        Fails(&["required_for_import_without_identity", "required_for_import_on_required"]),
        RunTime::NotRepresentable("the mode determines which identity attributes are required for import");
    "ours", "an identity attribute without `requires_replace`", Fails(&["identity_without_requires_replace"]),
        FoundIn("lifecycle/identity/runtime_resource.rs", &["so the attribute with this name must require replacement"]);
    "ours", "an identity upgrade from a type without identity", Fails(&["identity_from_without_identity", "identity_version_without_identity"]),
        FoundIn("lifecycle/identity/runtime_resource.rs", &["there is an upgrade from version 0, but the current version is 0", "there are two upgrades from version 0"]);
    "2 (resource)", "a gap between schema versions", Fails(&["upgrade_skipping_version", "version_without_upgrade_from"]),
        FoundIn("lifecycle/state_upgrades.rs", &["there is no state upgrade from version 0 to version 1", "there is no state upgrade from version 1 to version 2"]);
    "2 (resource)", "a state upgrade to another version than the schema's", Fails(&["upgrade_from_without_version", "oldest_and_upgrade_from", "oldest_without_version", "upgrade_from_sdkv2_without_version", "upgrade_from_sdkv2_and_oldest"]),
        FoundIn("lifecycle/state_upgrades.rs", &["expected a state upgrade from version 0, but the next one is from version 1", "there is a state upgrade to version 1, but the schema version is 0"]);
    "2 (resource)", "a state upgrade without a conversion, or from a type that is not a model", Fails(&["upgrade_without_conversion", "upgrade_from_struct_without_derive", "upgrade_from_string_literal"]),
        RunTime::NotRepresentable("`Upgrades::step` takes a `Schema` and a function");
};
