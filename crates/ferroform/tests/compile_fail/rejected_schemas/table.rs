//! The table of invalid schemas.

use crate::rejected_schemas::made::{self, Made};

/// How the derive, or rustc, refuses it.
pub(crate) enum Compile {
    /// A test of this name in `tests/ui` proves it.
    Fails(&'static [&'static str]),
    /// It has no form in Rust.
    CannotBeWritten(#[allow(dead_code, reason = "for the reader")] &'static str),
}

/// How the check of run-time schemas refuses it.
pub(crate) enum RunTime {
    /// Each of these has this fault.
    Finds(&'static [Case]),
    /// It is no part of a block: in this file under `tests` a definition with the fault is refused in these words.
    FoundIn(&'static str, &'static [&'static str]),
    /// It has no form in the builder.
    CannotBeWritten(#[allow(dead_code, reason = "for the reader")] &'static str),
}

/// A schema with a mistake, and all that is found in it.
pub(crate) type Case = (fn() -> Made, &'static [&'static str]);

pub(crate) struct Row {
    /// Where it comes from: the number in SDKv2's list (`2.n`), the framework's (`6.2`), core's, or our own.
    #[allow(dead_code, reason = "for the reader")]
    pub(crate) from: &'static str,
    pub(crate) what: &'static str,
    pub(crate) compile: Compile,
    pub(crate) run_time: RunTime,
}

use Compile::Fails;
use RunTime::{Finds, FoundIn};

const NO_TYPE: Compile = Compile::CannotBeWritten("a field has a type, and a collection an element's");
const ONE_MODE: &str = "an attribute has one `Mode`";

macro_rules! rows {
    ($($from:literal, $what:literal, $compile:expr, $run_time:expr;)+) => {
        &[$(Row { from: $from, what: $what, compile: $compile, run_time: $run_time }),+]
    };
}

#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = rows! {
    "2.1, 2.19, 6.2", "an attribute or collection without a type", NO_TYPE,
        RunTime::CannotBeWritten("an `Attribute` is made of a `Type`, which is whole");
    "2.2, 2.3, 2.4", "required and optional, required and computed, or none of the three",
        Fails(&["optional_without_computed", "optional_with_default"]), RunTime::CannotBeWritten(ONE_MODE);
    "2.5", "write-only and computed", Fails(&["write_only_computed"]),
        Finds(&[(made::write_only_computed, &["Invalid Schema Implementation: key: a write-only attribute cannot be computed or have a default"])]);
    "2.5", "write-only and replaces", Fails(&["requires_replace_on_write_only", "requires_replace_if_configured_on_write_only"]),
        Finds(&[(made::write_only_replaces, &["Invalid Schema Implementation: key: a write-only value is not stored, so a change cannot be detected and cannot require replacement"])]);
    "2.7, 2.10", "a block of what is no object", Fails(&["block_of_string", "block_of_strings"]),
        Finds(&[(made::block_of_strings, &["Invalid Schema Implementation: tags: a block must be a model, or a list, set or map of models"])]);
    "2.8", "a block inside an attribute", Fails(&["block_in_nested_attribute"]),
        Finds(&[(made::block_in_attribute, &["Invalid Schema Implementation: owner: a nested attribute cannot contain blocks, but it contains `card`"])]);
    "2.9", "a block that only the provider writes", Fails(&["block_computed"]),
        Finds(&[(made::block_computed, &["Invalid Schema Implementation: owner: a block cannot be computed-only; make it optional and computed"])]);
    "2.11", "computed and a default", Fails(&["computed_with_default"]),
        Finds(&[(made::default_of_computed, &["Schema Using Attribute Default For Non-Computed Attribute: path: only an optional attribute can have a default"])]);
    "2.12, 6.2", "required and a default", Fails(&["default_on_option"]),
        Finds(&[(made::default_of_required, &["Schema Using Attribute Default For Non-Computed Attribute: path: only an optional attribute can have a default"])]);
    "2.13", "write-only and a default", Fails(&["write_only_with_default"]),
        Finds(&[(made::write_only_default, &["Invalid Schema Implementation: key: a write-only attribute cannot be computed or have a default"])]);
    "2.14", "kept, but not computed", Fails(&["use_state_for_unknown_on_required", "use_state_for_unknown_and_follows"]),
        Finds(&[
            (made::keep_of_input, &["Invalid Schema Implementation: path: `use_state_for_unknown` and `follows` require a computed attribute or block"]),
            (made::keep_of_block, &["Invalid Schema Implementation: disk: `use_state_for_unknown` and `follows` require a computed attribute or block"]),
        ]);
    "2.14", "follows itself, or nothing", Fails(&["follows_itself", "follows_unknown_field", "follows_without_names"]),
        Finds(&[
            (made::follows_itself, &["Invalid Schema Implementation: id: it follows `id`, which is not another attribute or block of the same object; the object has: path"]),
            (made::follows_nothing, &["Invalid Schema Implementation: id: it follows `pth`, which is not another attribute or block of the same object; the object has: path"]),
        ]);
    "ours", "follows a write-only attribute without a fingerprint", Fails(&["follows_write_only", "follows_write_only_flattened"]),
        Finds(&[(made::follows_write_only, &["Invalid Schema Implementation: id: it follows `key`, which is write-only, so its changes cannot be detected: follow a version attribute, or add a fingerprint to `key`"])]);
    "ours", "a fingerprint of a stored attribute", Fails(&["fingerprint_without_write_only"]),
        Finds(&[(made::fingerprint_of_stored, &["Invalid Schema Implementation: path: only a write-only attribute can have a fingerprint"])]);
    "2.15", "required, and set together with others", Fails(&["conflicts_with_on_required", "exactly_one_of_on_required", "at_least_one_of_on_required", "group_with_required", "conflicts_with_on_required_block", "at_least_one_of_on_required_blocks", "group_with_required_block"]),
        Finds(&[
            (made::conflicts_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, regardless of `url`"]),
            (made::exactly_one_of_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, regardless of `url`"]),
            (made::at_least_one_of_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, regardless of `url`"]),
            (made::group_with_required, &["Invalid Schema Implementation: a group names `size`, which is required, so it is always set"]),
        ]);
    "2.16", "others that do not exist", Fails(&["conflicts_with_unknown_field", "exactly_one_of_unknown_field", "conflicts_without_names", "conflicts_with_quoted_name", "conflicts_with_unknown_field_and_flatten", "conflicts_with_unknown_field_by_pattern"]),
        Finds(&[
            (made::relation_typo, &["Invalid Schema Implementation: path: it is related to `url`, but the object has no such attribute"]),
            (made::group_typo, &["Invalid Schema Implementation: a group names `ulr`, but there is no such attribute"]),
            (made::relation_with_nothing, &["Invalid Schema Implementation: path: the relation names no other attribute"]),
        ]);
    "2.16", "others elsewhere that cannot exist",
        Compile::CannotBeWritten("a nested model does not know at which place it stands: the check of the schema does"),
        Finds(&[
            (made::pattern_typo, &["Invalid Schema Implementation: disks.size: no value of the type object({disks = list(object({kind = string, size = string})), path = string}) has a path that matches `disks[*].knd`"]),
            (made::pattern_without_element, &["Invalid Schema Implementation: disks.size: no value of the type object({disks = list(object({kind = string, size = string})), path = string}) has a path that matches `disks.kind`"]),
            (made::pattern_too_high, &["Invalid Schema Implementation: disks.size: `super.super.super.super.path` leads outside of the root"]),
        ]);
    "2.16", "others that are itself, or stand there twice, or alone", Fails(&["conflicts_with_itself", "conflicts_with_itself_by_pattern", "requires_itself", "exactly_one_of_itself", "group_with_repeated_member", "group_with_one_member"]),
        Finds(&[
            (made::relation_with_itself, &["Invalid Schema Implementation: path: it is related to `path`, which is the attribute itself"]),
            (made::group_names_twice, &["Invalid Schema Implementation: a group names `path` twice"]),
            (made::pattern_of_itself, &["Invalid Schema Implementation: path: it is related to `path`, which is the attribute itself"]),
            (made::pattern_of_itself_in_element, &["Invalid Schema Implementation: disks.size: it is related to `super.size`, which is the attribute itself"]),
            (made::group_of_pattern_twice, &["Invalid Schema Implementation: a group names `path` twice"]),
            (made::group_of_one, &["Invalid Schema Implementation: a group must have at least two members, but it has only `path`"]),
        ]);
    "2.16", "others that are required", Fails(&["conflicts_with_required", "conflicts_with_required_by_pattern", "requires_required_attribute", "conflicts_with_required_block", "requires_required_blocks_by_pattern", "conflicts_with_required_flattened_attribute", "requires_required_flattened_attribute_by_pattern"]),
        Finds(&[
            (made::conflicts_with_required, &["Invalid Schema Implementation: path: it is related to `url`, which is required, so it is always set"]),
            (made::requires_required, &["Invalid Schema Implementation: path: it is related to `url`, which is required, so it is always set"]),
            (made::pattern_of_required, &["Invalid Schema Implementation: path: it is related to `url`, which is required, so it is always set"]),
            (made::pattern_of_required_beside, &["Invalid Schema Implementation: path: it is related to `super.url`, which is required, so it is always set"]),
            (made::pattern_of_required_deeper, &["Invalid Schema Implementation: path: it is related to `boss.name`, which is required, so it is always set"]),
            (made::requires_required_block, &["Invalid Schema Implementation: path: it is related to `disk`, which is required, so it is always set"]),
        ]);
    "ours", "others that only the provider writes", Fails(&["conflicts_with_computed", "group_with_computed", "requires_computed_flattened_attribute", "group_with_computed_flattened_attribute"]),
        Finds(&[
            (made::relation_with_computed, &["Invalid Schema Implementation: path: it is related to `id`, which is computed-only"]),
            (made::pattern_of_computed, &["Invalid Schema Implementation: path: it is related to `super.id`, which is computed-only"]),
            (made::group_with_computed, &["Invalid Schema Implementation: a group names `id`, which is computed-only"]),
        ]);
    "2.18, 6.2", "a write-only set", Fails(&["write_only_on_set"]),
        Finds(&[(made::write_only_set, &["Invalid Schema Implementation: keys: a set cannot be write-only"])]);
    "2.22, 6.2", "something write-only in a set", Fails(&["write_only_in_set", "write_only_nested_in_set", "write_only_in_set_block", "variant_assigned_wrong_type"]),
        Finds(&[
            (made::write_only_in_set, &["Invalid Schema Implementation: access.deep.key: a write-only attribute is not supported inside the set `access`"]),
            (made::write_only_in_set_block, &["Invalid Schema Implementation: access.key: a write-only attribute is not supported inside the set `access`"]),
        ]);
    "2.22, 6.2", "something write-only in what the provider writes", Fails(&["computed_object_with_write_only_attribute", "optional_computed_object_with_write_only_attribute"]),
        Finds(&[(made::computed_holds_write_only, &["Invalid Schema Implementation: access: a computed attribute or block cannot contain write-only attributes, but it contains `deep.key`"])]);
    "2.22, core", "something write-only in a block that the provider may write",
        Compile::CannotBeWritten("every attribute of such a block is computed, so a nested one that holds something write-only is refused itself"),
        Finds(&[(made::computed_block_with_write_only, &[
            "Invalid Schema Implementation: owner: a computed attribute or block cannot contain write-only attributes, but it contains `settings.key`",
            "Invalid Schema Implementation: owner.settings: a computed attribute or block cannot contain write-only attributes, but it contains `key`",
        ])]);
    "6.2", "something stored in what is write-only", Fails(&["write_only_object_with_stored_attribute"]),
        Finds(&[(made::write_only_holds_stored, &["Invalid Schema Implementation: access: a write-only nested attribute can contain only write-only attributes, but it contains `name`"])]);
    "2.23", "flags of an element", Compile::CannotBeWritten("`#[attr(…)]` stands on a field, and an element has none"),
        RunTime::CannotBeWritten("an element is a `Type`");
    "ours", "attributes of objects that are no nested attributes", Fails(&["nested_model_with_options_in_two_lists", "nested_model_with_options_in_tuple"]),
        RunTime::CannotBeWritten("an element is a `Type`");
    "2.24", "a number of elements of what has none", Fails(&["min_items_on_string", "min_items_on_object"]),
        Finds(&[
            (made::items_of_string, &["Invalid Schema Implementation: name: only the elements of a list, set or map can be limited, but the type is string"]),
            (made::items_of_object, &["Invalid Schema Implementation: owner: a single block occurs at most once, but the limits are 0 to 2"]),
        ]);
    "ours, core", "a least number above the most", Fails(&["min_items_above_max", "max_items_of_zero", "min_items_of_string_literal"]),
        Finds(&[(made::least_above_most, &["Invalid Schema Implementation: disk: the minimum number of elements 3 is greater than the maximum 2"])]);
    "2.25", "a map of objects", Compile::CannotBeWritten("a map of models is a nested attribute like a list of such"),
        RunTime::CannotBeWritten("it is allowed");
    "2.26", "a rule, a relation or a number of elements of what only the provider writes", Fails(&["validate_on_computed", "requires_on_computed", "conflicts_with_on_computed", "exactly_one_of_on_computed", "at_least_one_of_on_computed", "min_items_on_computed", "max_items_on_computed"]),
        Finds(&[
            (made::rule_of_computed, &["Invalid Schema Implementation: id: a computed attribute cannot have validators, because the configuration does not set it"]),
            (made::relation_of_computed, &["Invalid Schema Implementation: id: a computed-only attribute cannot have relations, because the configuration does not set it"]),
            (made::items_of_computed, &["Invalid Schema Implementation: tags: the number of elements of a computed attribute cannot be limited, because the configuration does not set it"]),
        ]);
    "2.17", "suppression after a read without a function", Fails(&["suppress_on_refresh_without_suppress_diff"]),
        Finds(&[(made::suppresses_on_refresh_alone, &["Invalid Schema Implementation: name: `suppress_on_refresh` requires `suppress_diff`"])]);
    "2.26", "suppression of a change of what only the provider writes", Fails(&["suppress_diff_on_computed"]),
        Finds(&[(made::suppresses_computed, &["Invalid Schema Implementation: id: `suppress_diff` has no effect on a computed-only attribute"])]);
    "2.26", "an equality (there a StateFunc) of what only the provider writes",
        Compile::CannotBeWritten("it is allowed: what was read may be spelt otherwise than what is in the state, which then stays"),
        RunTime::CannotBeWritten("as at compile time");
    "ours", "a comparison of what is write-only", Fails(&["suppress_diff_on_write_only", "semantic_eq_on_write_only"]),
        Finds(&[
            (made::suppresses_write_only, &["Invalid Schema Implementation: key: a write-only value is not stored, so it cannot be compared with a prior value"]),
            (made::compares_write_only, &["Invalid Schema Implementation: key: a write-only value is not stored, so it cannot be compared with a prior value"]),
        ]);
    "ours", "a key that the configuration or the state does not have", Fails(&["key_on_computed", "key_on_write_only"]),
        Finds(&[(made::key_of_computed, &["Invalid Schema Implementation: id: a key must be set by the configuration and stored in the state, so it cannot be computed-only or write-only"])]);
    "ours", "a replacement because of what only the provider writes", Fails(&["requires_replace_on_computed", "requires_replace_if_configured_on_computed", "requires_replace_and_if_configured"]),
        Finds(&[(made::replace_of_computed, &["Invalid Schema Implementation: id: `requires_replace` has no effect on a computed-only attribute"])]);
    "2.29, 6.2", "a name that Terraform does not take", Fails(&["invalid_attribute_name", "attribute_name_starting_with_digit"]),
        Finds(&[
            (made::capital, &["Invalid Attribute/Block Name: Path: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit"]),
            (made::digit_first, &["Invalid Attribute/Block Name: owner.2nd: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit"]),
            (made::name_of_block, &["Invalid Attribute/Block Name: a-b: a name can contain only lowercase letters, digits and underscores, and cannot begin with a digit"]),
        ]);
    "core", "a name for two", Fails(&["attributes_with_same_name", "flattened_attribute_with_same_name", "flattened_models_with_same_name"]),
        Finds(&[
            (made::same_name, &["Invalid Attribute/Block Name: path: the name is used more than once"]),
            (made::flattened_name, &["Invalid Attribute/Block Name: path: the name is used more than once"]),
        ]);
    "6.2", "a name that is reserved in a resource or data source", Fails(&["reserved_attribute_name", "reserved_block_name", "reserved_attribute_name_flattened", "reserved_attribute_name_in_data_source"]),
        Finds(&[
            (made::reserved, &[
                "Reserved Root Attribute/Block Name: connection: `connection` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: count: `count` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: depends_on: `depends_on` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: for_each: `for_each` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: lifecycle: `lifecycle` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: provider: `provider` is reserved by Terraform",
                "Reserved Root Attribute/Block Name: provisioner: `provisioner` is reserved by Terraform",
            ]),
            (made::reserved_in_data_source, &["Reserved Root Attribute/Block Name: lifecycle: `lifecycle` is reserved by Terraform"]),
        ]);
    "2 (provider), 6.2", "a name that is reserved in a provider's configuration", Fails(&["reserved_attribute_name_in_provider_config", "reserved_block_name_in_provider_config"]),
        Finds(&[(made::reserved_in_provider, &[
            "Reserved Root Attribute/Block Name: alias: `alias` is reserved by Terraform",
            "Reserved Root Attribute/Block Name: version: `version` is reserved by Terraform",
            "Reserved Root Attribute/Block Name: provisioner: `provisioner` is reserved by Terraform",
        ])]);
    "2 (data source)", "something write-only in a data source", Fails(&["write_only_in_data_source"]),
        Finds(&[(made::write_only_in_data_source, &["Invalid Schema Implementation: access.key: a data source is not stored, so it cannot have write-only attributes"])]);
    "2 (provider), 6.3", "something write-only or computed in a provider's configuration", Fails(&["write_only_in_provider_config", "computed_in_provider_config", "nested_computed_in_provider_config"]),
        Finds(&[(made::in_provider, &[
            "Invalid Schema Implementation: key: the configuration of a provider is not stored, so it cannot have write-only attributes",
            "Invalid Schema Implementation: access.id: the configuration of a provider is set by the practitioner, so it cannot have computed attributes",
        ])]);
    "2 (resource)", "no `read` or `delete`", Fails(&["resource_without_read"]),
        RunTime::CannotBeWritten("`AnyResource` asks for them");
    "2 (resource)", "no `update`, and an attribute that does not replace",
        Compile::CannotBeWritten("without `update` every change replaces"),
        RunTime::CannotBeWritten("without `ResourceCapabilities::update` every change replaces");
    "2 (resource)", "`update`, and nothing that it could change",
        Compile::CannotBeWritten("it can be of use all the same: `plan` can change what is computed"),
        RunTime::CannotBeWritten("as at compile time");
    "6.2", "something of any type in a collection", Fails(&["dynamic_in_list", "dynamic_in_map", "dynamic_in_nested_list", "dynamic_in_block", "dynamic_in_set", "enum_with_dynamic_data_in_list"]),
        Finds(&[
            (made::dynamic_in_list, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (made::dynamic_in_map, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (made::dynamic_in_block, &["Invalid Schema Implementation: tag: a collection cannot contain dynamic values, because its elements have one type"]),
            (made::dynamic_in_object, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (made::dynamic_in_tuple, &["Invalid Schema Implementation: tags: a collection cannot contain dynamic values, because its elements have one type"]),
            (made::dynamic_in_set, &["Invalid Schema Implementation: tags.value: a dynamic attribute is not supported inside the set `tags`"]),
        ]);
    "6.2", "a default of another type", Fails(&["default_of_wrong_type"]),
        Finds(&[(made::default_of_wrong_type, &["Invalid Attribute Implementation: size: the default is invalid: a whole number from 0 to 255 is required, but got 300"])]);
    "ours", "a function that plans what the provider does not compute", Fails(&["plan_with_on_required", "plan_with_on_optional", "plan_with_on_mixed"]),
        Finds(&[
            (made::plans_required, &["Invalid Schema Implementation: size: `plan_with` requires a computed attribute"]),
            (made::plans_optional, &["Invalid Schema Implementation: name: `plan_with` requires a computed attribute"]),
        ]);
    "ours", "a function that plans what has a default", Fails(&["plan_with_and_default", "plan_with_and_default_with"]),
        Finds(&[
            (made::plans_default, &["Invalid Schema Implementation: name: an attribute cannot have both a default and `plan_with`"]),
            (made::plans_default_with, &["Invalid Schema Implementation: name: an attribute cannot have both a default and `plan_with`"]),
        ]);
    "ours", "a function that plans what is write-only", Fails(&["plan_with_on_write_only"]),
        Finds(&[(made::plans_write_only, &["Invalid Schema Implementation: key: `plan_with` has no effect on a write-only attribute"])]);
    "ours", "a function that plans a value of another type", Fails(&["plan_with_wrong_argument_type", "plan_with_wrong_return_type"]),
        Finds(&[(made::plans_other_type, &["Invalid Schema Implementation: name: the function of `plan_with` is invalid: it takes values of type number, but the attribute is of type string"])]);
    "ours", "a block with a behaviour that needs a function, or with a key", Fails(&["key_on_block", "requires_replace_if_on_block", "suppress_diff_on_block", "plan_with_on_block"]),
        Finds(&[
            (made::block_key, &["Invalid Schema Implementation: owner: a block does not support this option; add it to the attributes of the block"]),
            (made::block_replaces_if, &["Invalid Schema Implementation: owner: a block does not support this option; add it to the attributes of the block"]),
            (made::block_plans, &["Invalid Schema Implementation: owner: a block does not support this option; add it to the attributes of the block"]),
        ]);
    "ours", "a block that is sensitive or write-only or has a default", Fails(&["block_sensitive", "block_write_only", "block_default"]),
        Finds(&[
            (made::block_sensitive, &["Invalid Schema Implementation: owner: a block cannot be sensitive; mark its attributes as sensitive"]),
            (made::block_write_only, &["Invalid Schema Implementation: owner: a block cannot be write-only; mark its attributes as write-only"]),
            (made::block_default, &["Invalid Schema Implementation: owner: a block cannot have a default; add defaults to its attributes"]),
        ]);
    "core", "input in a block that the provider may write", Fails(&["computed_block_with_required_attribute"]),
        Finds(&[(made::computed_block_with_input, &[
            "Invalid Schema Implementation: owner: every attribute of a computed block must be computed, but it contains `name`",
            "Invalid Schema Implementation: owner: every nested block of a computed block must be computed, but it contains `card`",
        ])]);
    "core", "a least number of a block that the provider may write", Fails(&["computed_block_with_min_items"]),
        Finds(&[(made::computed_block_with_least, &["Invalid Schema Implementation: owner: a computed block can be omitted, so it cannot have a minimum number"])]);
    "ours", "a rule for another type", Fails(&["validate_wrong_argument_type", "string_validator_on_number", "number_validator_on_string", "size_validator_on_string", "key_validator_on_list", "element_validator_of_wrong_type", "validate_struct_with_model_argument", "newtype_validator_of_wrong_type"]),
        Finds(&[
            (made::rule_of_other_type, &["Invalid Attribute Implementation: size: the validator \"a string of at most 3 bytes\" is invalid: it supports strings, but the attribute is of type number"]),
            (made::rule_of_other_elements, &["Invalid Attribute Implementation: sizes: the validator \"elements, each an a is required\" is invalid: it supports strings, but the attribute is of type number"]),
            (made::rule_of_other_object, &["Invalid Attribute Implementation: a validator of the object is invalid: it takes values of type number, but the attribute is of type object({name = string})"]),
            (made::rule_of_other_object_flattened, &["Invalid Attribute Implementation: a validator of the object is invalid: it takes values of type number, but the attribute is of type object({name = string})"]),
            (made::rule_of_no_collection, &["Invalid Attribute Implementation: name: a validator is invalid: it supports collections, but the attribute is of type string"]),
        ]);
    "library", "bounds that no value can meet, or a broken expression",
        Compile::CannotBeWritten("the bounds are values of the program, which may come from anywhere"),
        Finds(&[
            (made::broken_expression, &["Invalid Attribute Implementation: name: the validator \"an a is required\" is invalid: the regular expression \"a(\" is invalid: found open group without closing ')'"]),
            (made::empty_range, &["Invalid Attribute Implementation: size: the validator \"a number from 10 to 1\" is invalid: the lower bound is greater than the upper bound"]),
            (made::empty_length, &["Invalid Attribute Implementation: name: the validator \"a string of 5 to 4 bytes or a JSON document\" is invalid: the minimum length is greater than the maximum length"]),
            (made::empty_size, &["Invalid Attribute Implementation: tags: the validator \"5 to 4 elements\" is invalid: the minimum is greater than the maximum"]),
        ]);
    "ours", "a newtype around what has parts, which may not be known", Fails(&["newtype_of_model", "newtype_of_newtype_of_list"]),
        RunTime::CannotBeWritten("there are no newtypes");
    "ours", "a preference for what is not write-only, or of what is", Fails(&["prefer_write_only_of_stored", "prefer_write_only_on_write_only", "prefer_write_only_of_stored_flattened"]),
        Finds(&[
            (made::prefer_stored, &["Invalid Schema Implementation: key: `token` is recommended as a write-only alternative, but it is not write-only"]),
            (made::pattern_of_stored, &["Invalid Schema Implementation: path: `owner` is recommended as a write-only alternative, but it is not write-only"]),
        ]);
    "ours", "a sum of what is no number", Fails(&["sum_of_strings", "sum_on_string"]),
        Finds(&[
            (made::sum_of_text, &[
                "Invalid Schema Implementation: total: only a number can be compared with a sum or product",
                "Invalid Schema Implementation: total: it is compared with `part`, which is not a number",
            ]),
            (made::pattern_of_text, &["Invalid Schema Implementation: path: it is compared with `owner.name`, which is not a number"]),
        ]);
    "ours", "a function of a behaviour for another type", Fails(&["requires_replace_if_wrong_argument_type", "suppress_diff_wrong_argument_type", "semantic_eq_wrong_argument_type", "default_with_of_wrong_type"]),
        Finds(&[
            (made::replaces_if_of_other_type, &["Invalid Schema Implementation: name: the function of `requires_replace_if` is invalid: it takes values of type number, but the attribute is of type string"]),
            (made::suppresses_of_other_type, &["Invalid Schema Implementation: name: the function of `suppress_diff` is invalid: it takes values of type number, but the attribute is of type string"]),
            (made::means_of_other_type, &["Invalid Schema Implementation: name: the function of `semantic_eq` is invalid: it takes values of type number, but the attribute is of type string"]),
            (made::default_with_of_other_type, &["Invalid Schema Implementation: name: the function of `default_with` is invalid: it takes values of type number, but the attribute is of type string"]),
        ]);
    "2 (identity)", "a part of an identity of another type", Fails(&["identity_on_map", "identity_on_block", "identity_struct_with_set"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["an identity attribute must be a bool, a number, a string or a list of these"]);
    "2 (identity)", "a part of an identity that is sensitive or write-only", Fails(&["identity_on_sensitive", "identity_on_write_only", "identity_struct_with_write_only"]),
        FoundIn("lifecycle/identity/by_hand.rs", &[
            "Terraform shows identities, so an identity attribute cannot be sensitive or write-only",
            "Terraform shows identities, but the attribute with this name is sensitive",
            "the attribute with this name is write-only, so its value is not stored",
        ]);
    "2 (identity)", "a behaviour of a part of an identity", Fails(&["identity_struct_with_default"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["an identity attribute supports no option other than its type and whether it is required for import"]);
    "6.2", "a part of an identity with a reserved name", Fails(&["identity_struct_with_reserved_name"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["the identity: count: `count` is reserved by Terraform"]);
    "2.6, 2 (identity)", "required or optional for import",
        Compile::CannotBeWritten("which parts an import needs follows from their types"),
        RunTime::CannotBeWritten("as at compile time");
    "ours", "a part of an identity that changes in place", Fails(&["identity_without_requires_replace"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["a change of the attribute with this name does not require replacement"]);
    "ours", "an earlier identity that is none", Fails(&["identity_from_without_identity", "identity_version_without_identity"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["there is an upgrade from version 0, but the current version is 0", "there are two upgrades from version 0"]);
    "2 (resource)", "a gap between the versions of a state", Fails(&["upgrade_skipping_version", "version_without_upgrade_from"]),
        FoundIn("lifecycle/state_upgrades.rs", &["there is no state upgrade from version 0 to version 1", "there is no state upgrade from version 1 to version 2"]);
    "2 (resource)", "a step to another version than the schema's", Fails(&["upgrade_from_without_version", "oldest_and_upgrade_from", "oldest_without_version"]),
        FoundIn("lifecycle/state_upgrades.rs", &["a step from version 0 was expected, but the next one is from 1", "there is a state upgrade to version 1, but the schema version is 0"]);
    "2 (resource)", "a step without a function, or from no object", Fails(&["upgrade_without_conversion", "upgrade_from_struct_without_derive", "upgrade_from_string_literal"]),
        RunTime::CannotBeWritten("`Upgrades::step` takes a `Schema` and a function");
};
