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
        Finds(&[(made::write_only_computed, &["Invalid Schema Implementation: key: what is write-only cannot be computed or have a default"])]);
    "2.5", "write-only and replaces", Fails(&["requires_replace_on_write_only", "requires_replace_if_configured_on_write_only"]),
        Finds(&[(made::write_only_replaces, &["Invalid Schema Implementation: key: what is write-only is not stored, so its change cannot be seen and cannot replace"])]);
    "2.7, 2.10", "a block of what is no object", Fails(&["block_of_string", "block_of_strings"]),
        Finds(&[(made::block_of_strings, &["Invalid Schema Implementation: tags: a block is a model, or a list, set or map of models"])]);
    "2.8", "a block inside an attribute", Fails(&["block_in_nested_attribute"]),
        Finds(&[(made::block_in_attribute, &["Invalid Schema Implementation: owner: a nested attribute holds no blocks, but this one holds `card`"])]);
    "2.9", "a block that only the provider writes", Fails(&["block_computed"]),
        Finds(&[(made::block_computed, &["Invalid Schema Implementation: owner: a configuration can always hold a block: one that the provider writes is optional and computed"])]);
    "2.11", "computed and a default", Fails(&["computed_with_default"]),
        Finds(&[(made::default_of_computed, &["Schema Using Attribute Default For Non-Computed Attribute: path: only what is optional can have a default"])]);
    "2.12, 6.2", "required and a default", Fails(&["default_on_option"]),
        Finds(&[(made::default_of_required, &["Schema Using Attribute Default For Non-Computed Attribute: path: only what is optional can have a default"])]);
    "2.13", "write-only and a default", Fails(&["write_only_with_default"]),
        Finds(&[(made::write_only_default, &["Invalid Schema Implementation: key: what is write-only cannot be computed or have a default"])]);
    "2.14", "kept, but not computed", Fails(&["use_state_for_unknown_on_required", "use_state_for_unknown_and_follows"]),
        Finds(&[
            (made::keep_of_input, &["Invalid Schema Implementation: path: only what the provider computes can be kept from the state"]),
            (made::keep_of_block, &["Invalid Schema Implementation: disk: only what the provider computes can be kept from the state"]),
        ]);
    "2.14", "follows itself, or nothing", Fails(&["follows_itself", "follows_unknown_field", "follows_without_names"]),
        Finds(&[
            (made::follows_itself, &["Invalid Schema Implementation: id: it follows `id`, which is not another attribute or block beside it; there are: path"]),
            (made::follows_nothing, &["Invalid Schema Implementation: id: it follows `pth`, which is not another attribute or block beside it; there are: path"]),
        ]);
    "2.15", "required, and set together with others", Fails(&["conflicts_with_on_required", "exactly_one_of_on_required", "at_least_one_of_on_required", "group_with_required", "conflicts_with_on_required_block", "at_least_one_of_on_required_blocks", "group_with_required_block"]),
        Finds(&[
            (made::conflicts_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, whatever `url` is"]),
            (made::exactly_one_of_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, whatever `url` is"]),
            (made::at_least_one_of_of_required, &["Invalid Schema Implementation: path: it is required, so it is always set, whatever `url` is"]),
            (made::group_with_required, &["Invalid Schema Implementation: a group names `size`, which is required and so always set"]),
        ]);
    "2.16", "others that do not exist", Fails(&["conflicts_with_unknown_field", "exactly_one_of_unknown_field", "conflicts_without_names", "conflicts_with_quoted_name", "conflicts_with_unknown_field_and_flatten", "conflicts_with_unknown_field_by_pattern"]),
        Finds(&[
            (made::relation_typo, &["Invalid Schema Implementation: path: it bears on `url`, but there is no such attribute beside it"]),
            (made::group_typo, &["Invalid Schema Implementation: a group names `ulr`, but there is no such attribute"]),
            (made::relation_with_nothing, &["Invalid Schema Implementation: path: it bears on nothing at all"]),
        ]);
    "2.16", "others elsewhere that cannot exist",
        Compile::CannotBeWritten("a nested model does not know at which place it stands: the check of the schema does"),
        Finds(&[
            (made::pattern_typo, &["Invalid Schema Implementation: disks.size: no value of the type object({disks = list(object({kind = string, size = string})), path = string}) has a place that matches `disks[*].knd`"]),
            (made::pattern_without_element, &["Invalid Schema Implementation: disks.size: no value of the type object({disks = list(object({kind = string, size = string})), path = string}) has a place that matches `disks.kind`"]),
            (made::pattern_too_high, &["Invalid Schema Implementation: disks.size: `super.super.super.super.path` goes up further than to the root"]),
        ]);
    "2.16", "others that are itself, or stand there twice, or alone", Fails(&["conflicts_with_itself", "conflicts_with_itself_by_pattern", "requires_itself", "exactly_one_of_itself", "group_with_repeated_member", "group_with_one_member"]),
        Finds(&[
            (made::relation_with_itself, &["Invalid Schema Implementation: path: it bears on `path`, which is itself"]),
            (made::group_names_twice, &["Invalid Schema Implementation: a group names `path` twice"]),
            (made::pattern_of_itself, &["Invalid Schema Implementation: path: it bears on `path`, which is itself"]),
            (made::pattern_of_itself_in_element, &["Invalid Schema Implementation: disks.size: it bears on `super.size`, which is itself"]),
            (made::group_of_pattern_twice, &["Invalid Schema Implementation: a group names `path` twice"]),
            (made::group_of_one, &["Invalid Schema Implementation: a group has at least two members, but this one has only `path`"]),
        ]);
    "2.16", "others that are required", Fails(&["conflicts_with_required", "conflicts_with_required_by_pattern", "requires_required_attribute", "conflicts_with_required_block", "requires_required_blocks_by_pattern", "conflicts_with_required_flattened_attribute", "requires_required_flattened_attribute_by_pattern"]),
        Finds(&[
            (made::conflicts_with_required, &["Invalid Schema Implementation: path: it bears on `url`, which is required and so always set"]),
            (made::requires_required, &["Invalid Schema Implementation: path: it bears on `url`, which is required and so always set"]),
            (made::pattern_of_required, &["Invalid Schema Implementation: path: it bears on `url`, which is required and so always set"]),
            (made::pattern_of_required_beside, &["Invalid Schema Implementation: path: it bears on `super.url`, which is required and so always set"]),
            (made::pattern_of_required_deeper, &["Invalid Schema Implementation: path: it bears on `boss.name`, which is required and so always set"]),
            (made::requires_required_block, &["Invalid Schema Implementation: path: it bears on `disk`, which is required and so always set"]),
        ]);
    "ours", "others that only the provider writes", Fails(&["conflicts_with_computed", "group_with_computed", "requires_computed_flattened_attribute", "group_with_computed_flattened_attribute"]),
        Finds(&[
            (made::relation_with_computed, &["Invalid Schema Implementation: path: it bears on `id`, which only the provider writes"]),
            (made::pattern_of_computed, &["Invalid Schema Implementation: path: it bears on `super.id`, which only the provider writes"]),
            (made::group_with_computed, &["Invalid Schema Implementation: a group names `id`, which only the provider writes"]),
        ]);
    "2.18, 6.2", "a write-only set", Fails(&["write_only_on_set"]),
        Finds(&[(made::write_only_set, &["Invalid Schema Implementation: keys: a set cannot be write-only"])]);
    "2.22, 6.2", "something write-only in a set", Fails(&["write_only_in_set", "write_only_nested_in_set", "write_only_in_set_block", "variant_assigned_wrong_type"]),
        Finds(&[
            (made::write_only_in_set, &["Invalid Schema Implementation: access.deep.key: what is write-only cannot stand in the set `access`"]),
            (made::write_only_in_set_block, &["Invalid Schema Implementation: access.key: what is write-only cannot stand in the set `access`"]),
        ]);
    "2.22, 6.2", "something write-only in what the provider writes", Fails(&["computed_object_with_write_only_attribute", "optional_computed_object_with_write_only_attribute"]),
        Finds(&[(made::computed_holds_write_only, &["Invalid Schema Implementation: access: what the provider writes cannot hold something write-only, such as `deep.key`"])]);
    "2.22, core", "something write-only in a block that the provider may write",
        Compile::CannotBeWritten("every attribute of such a block is computed, so a nested one that holds something write-only is refused itself"),
        Finds(&[(made::computed_block_with_write_only, &[
            "Invalid Schema Implementation: owner: what the provider writes cannot hold something write-only, such as `settings.key`",
            "Invalid Schema Implementation: owner.settings: what the provider writes cannot hold something write-only, such as `key`",
        ])]);
    "6.2", "something stored in what is write-only", Fails(&["write_only_object_with_stored_attribute"]),
        Finds(&[(made::write_only_holds_stored, &["Invalid Schema Implementation: access: what is write-only as a whole holds only what is write-only, and not `name`"])]);
    "2.23", "flags of an element", Compile::CannotBeWritten("`#[attr(…)]` stands on a field, and an element has none"),
        RunTime::CannotBeWritten("an element is a `Type`");
    "ours", "attributes of objects that are no nested attributes", Fails(&["nested_model_with_options_in_two_lists", "nested_model_with_options_in_tuple"]),
        RunTime::CannotBeWritten("an element is a `Type`");
    "2.24", "a number of elements of what has none", Fails(&["min_items_on_string", "min_items_on_object"]),
        Finds(&[
            (made::items_of_string, &["Invalid Schema Implementation: name: only a list, set or map has a number of elements, but this is a string"]),
            (made::items_of_object, &["Invalid Schema Implementation: owner: a single block is there once or not at all, but there must be 0 to 2 of it"]),
        ]);
    "ours, core", "a least number above the most", Fails(&["min_items_above_max", "max_items_of_zero", "min_items_of_string_literal"]),
        Finds(&[(made::least_above_most, &["Invalid Schema Implementation: disk: there must be at least 3, but at most 2"])]);
    "2.25", "a map of objects", Compile::CannotBeWritten("a map of models is a nested attribute like a list of such"),
        RunTime::CannotBeWritten("it is allowed");
    "2.26", "a rule, a relation or a number of elements of what only the provider writes", Fails(&["validate_on_computed", "requires_on_computed", "conflicts_with_on_computed", "exactly_one_of_on_computed", "at_least_one_of_on_computed", "min_items_on_computed", "max_items_on_computed"]),
        Finds(&[
            (made::rule_of_computed, &["Invalid Schema Implementation: id: there is nothing to validate in what only the provider writes"]),
            (made::relation_of_computed, &["Invalid Schema Implementation: id: only the provider writes it, so it bears on nothing in the configuration"]),
            (made::items_of_computed, &["Invalid Schema Implementation: tags: only the provider writes it: there is nothing to count in the configuration"]),
        ]);
    "2.17", "suppression after a read without a function", Fails(&["suppress_on_refresh_without_suppress_diff"]),
        Finds(&[(made::suppresses_on_refresh_alone, &["Invalid Schema Implementation: name: without `suppress_diff` there is nothing to suppress after a read"])]);
    "2.26", "suppression of a change of what only the provider writes", Fails(&["suppress_diff_on_computed"]),
        Finds(&[(made::suppresses_computed, &["Invalid Schema Implementation: id: only the provider writes it, so there is no change of the configuration to suppress"])]);
    "2.26", "an equality (there a StateFunc) of what only the provider writes",
        Compile::CannotBeWritten("it is allowed: what was read may be spelt otherwise than what is in the state, which then stays"),
        RunTime::CannotBeWritten("as at compile time");
    "ours", "a comparison of what is write-only", Fails(&["suppress_diff_on_write_only", "semantic_eq_on_write_only"]),
        Finds(&[
            (made::suppresses_write_only, &["Invalid Schema Implementation: key: what is write-only is not stored, so there is nothing to compare it with"]),
            (made::compares_write_only, &["Invalid Schema Implementation: key: what is write-only is not stored, so there is nothing to compare it with"]),
        ]);
    "ours", "a key that the configuration or the state does not have", Fails(&["key_on_computed", "key_on_write_only"]),
        Finds(&[(made::key_of_computed, &["Invalid Schema Implementation: id: a key is what the configuration says and the state holds: it is neither computed nor write-only"])]);
    "ours", "a replacement because of what only the provider writes", Fails(&["requires_replace_on_computed", "requires_replace_if_configured_on_computed", "requires_replace_and_if_configured"]),
        Finds(&[(made::replace_of_computed, &["Invalid Schema Implementation: id: only the provider writes it: the configuration cannot change it"])]);
    "2.29, 6.2", "a name that Terraform does not take", Fails(&["invalid_attribute_name", "attribute_name_starting_with_digit"]),
        Finds(&[
            (made::capital, &["Invalid Attribute/Block Name: Path: a name is lowercase letters, digits and underscores, and does not begin with a digit"]),
            (made::digit_first, &["Invalid Attribute/Block Name: owner.2nd: a name is lowercase letters, digits and underscores, and does not begin with a digit"]),
            (made::name_of_block, &["Invalid Attribute/Block Name: a-b: a name is lowercase letters, digits and underscores, and does not begin with a digit"]),
        ]);
    "core", "a name for two", Fails(&["attributes_with_same_name", "flattened_attribute_with_same_name", "flattened_models_with_same_name"]),
        Finds(&[
            (made::same_name, &["Invalid Attribute/Block Name: path: the name is used twice"]),
            (made::flattened_name, &["Invalid Attribute/Block Name: path: the name is used twice"]),
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
        Finds(&[(made::write_only_in_data_source, &["Invalid Schema Implementation: access.key: a data source is not stored by itself, so nothing in it can be write-only"])]);
    "2 (provider), 6.3", "something write-only or computed in a provider's configuration", Fails(&["write_only_in_provider_config", "computed_in_provider_config", "nested_computed_in_provider_config"]),
        Finds(&[(made::in_provider, &[
            "Invalid Schema Implementation: key: the configuration of a provider is not stored by itself, so nothing in it can be write-only",
            "Invalid Schema Implementation: access.id: the configuration of a provider is written by the user, so nothing in it can be computed",
        ])]);
    "2 (resource)", "no `read` or `delete`", Fails(&["resource_without_read"]),
        RunTime::CannotBeWritten("`AnyResource` asks for them");
    "2 (resource)", "no `update`, and an attribute that does not replace",
        Compile::CannotBeWritten("without `update` every change replaces"),
        RunTime::CannotBeWritten("without `Abilities::update` every change replaces");
    "2 (resource)", "`update`, and nothing that it could change",
        Compile::CannotBeWritten("it can be of use all the same: `plan` can change what is computed"),
        RunTime::CannotBeWritten("as at compile time");
    "6.2", "something of any type in a collection", Fails(&["dynamic_in_list", "dynamic_in_map", "dynamic_in_nested_list", "dynamic_in_block", "dynamic_in_set", "enum_with_dynamic_data_in_list"]),
        Finds(&[
            (made::dynamic_in_list, &["Invalid Schema Implementation: tags: the elements of a collection are of one type, so no part of them can be of any"]),
            (made::dynamic_in_map, &["Invalid Schema Implementation: tags: the elements of a collection are of one type, so no part of them can be of any"]),
            (made::dynamic_in_block, &["Invalid Schema Implementation: tag: the elements of a collection are of one type, so no part of them can be of any"]),
            (made::dynamic_in_object, &["Invalid Schema Implementation: tags: the elements of a collection are of one type, so no part of them can be of any"]),
            (made::dynamic_in_tuple, &["Invalid Schema Implementation: tags: the elements of a collection are of one type, so no part of them can be of any"]),
            (made::dynamic_in_set, &["Invalid Schema Implementation: tags.value: what is of any type cannot stand in the set `tags`"]),
        ]);
    "6.2", "a default of another type", Fails(&["default_of_wrong_type"]),
        Finds(&[(made::default_of_wrong_type, &["Invalid Attribute Implementation: size: the default does not fit: a whole number from 0 to 255 is required, but got 300"])]);
    "ours", "a function that plans what the provider does not compute", Fails(&["plan_with_on_required", "plan_with_on_optional", "plan_with_on_mixed"]),
        Finds(&[
            (made::plans_required, &["Invalid Schema Implementation: size: what the provider does not compute is planned as the configuration says, not by a function"]),
            (made::plans_optional, &["Invalid Schema Implementation: name: what the provider does not compute is planned as the configuration says, not by a function"]),
        ]);
    "ours", "a function that plans what has a default", Fails(&["plan_with_and_default", "plan_with_and_default_with"]),
        Finds(&[
            (made::plans_default, &["Invalid Schema Implementation: name: an attribute has a default or a function that plans it, not both"]),
            (made::plans_default_with, &["Invalid Schema Implementation: name: an attribute has a default or a function that plans it, not both"]),
        ]);
    "ours", "a function that plans what is write-only", Fails(&["plan_with_on_write_only"]),
        Finds(&[(made::plans_write_only, &["Invalid Schema Implementation: key: what is write-only is in no plan, so no function says what is planned for it"])]);
    "ours", "a function that plans a value of another type", Fails(&["plan_with_wrong_argument_type", "plan_with_wrong_return_type"]),
        Finds(&[(made::plans_other_type, &["Invalid Schema Implementation: name: the function of `plan_with` makes no sense: it is for a number, but this is a string"])]);
    "ours", "a block with a behaviour that needs a function, or with a key", Fails(&["key_on_block", "requires_replace_if_on_block", "suppress_diff_on_block", "plan_with_on_block"]),
        Finds(&[
            (made::block_key, &["Invalid Schema Implementation: owner: a block has no behaviour of its own: say it in the attributes inside"]),
            (made::block_replaces_if, &["Invalid Schema Implementation: owner: a block has no behaviour of its own: say it in the attributes inside"]),
            (made::block_plans, &["Invalid Schema Implementation: owner: a block has no behaviour of its own: say it in the attributes inside"]),
        ]);
    "ours", "a block that is sensitive or write-only or has a default", Fails(&["block_sensitive", "block_write_only", "block_default"]),
        Finds(&[
            (made::block_sensitive, &["Invalid Schema Implementation: owner: a block is not sensitive: say it of its attributes"]),
            (made::block_write_only, &["Invalid Schema Implementation: owner: a block is not write-only: say it of its attributes"]),
            (made::block_default, &["Invalid Schema Implementation: owner: a block has no default: say it of its attributes"]),
        ]);
    "core", "input in a block that the provider may write", Fails(&["computed_block_with_required_attribute"]),
        Finds(&[(made::computed_block_with_input, &[
            "Invalid Schema Implementation: owner: in a block that the provider may write, it must be able to write every attribute, and so `name`",
            "Invalid Schema Implementation: owner: in a block that the provider may write, it must be able to write every block, and so `card`",
        ])]);
    "core", "a least number of a block that the provider may write", Fails(&["computed_block_with_min_items"]),
        Finds(&[(made::computed_block_with_least, &["Invalid Schema Implementation: owner: a block that the provider may write can be left out, so it has no least number"])]);
    "ours", "a rule for another type", Fails(&["validate_wrong_argument_type", "string_validator_on_number", "number_validator_on_string", "size_validator_on_string", "key_validator_on_list", "element_validator_of_wrong_type", "validate_struct_with_model_argument", "newtype_validator_of_wrong_type"]),
        Finds(&[
            (made::rule_of_other_type, &["Invalid Attribute Implementation: size: the rule \"a string of at most 3 bytes\" makes no sense: it is for strings, but this is a number"]),
            (made::rule_of_other_elements, &["Invalid Attribute Implementation: sizes: the rule \"elements, each an a is required\" makes no sense: it is for strings, but this is a number"]),
            (made::rule_of_other_object, &["Invalid Attribute Implementation: a rule for the whole makes no sense: it is for a number, but this is an object({name = string})"]),
            (made::rule_of_other_object_flattened, &["Invalid Attribute Implementation: a rule for the whole makes no sense: it is for a number, but this is an object({name = string})"]),
            (made::rule_of_no_collection, &["Invalid Attribute Implementation: name: a rule makes no sense: it is for collections, but this is a string"]),
        ]);
    "library", "bounds that no value can meet, or a broken expression",
        Compile::CannotBeWritten("the bounds are values of the program, which may come from anywhere"),
        Finds(&[
            (made::broken_expression, &["Invalid Attribute Implementation: name: the rule \"an a is required\" makes no sense: the regular expression \"a(\" is invalid: found open group without closing ')'"]),
            (made::empty_range, &["Invalid Attribute Implementation: size: the rule \"a number from 10 to 1\" makes no sense: the lower bound is greater than the upper bound"]),
            (made::empty_length, &["Invalid Attribute Implementation: name: the rule \"a string of 5 to 4 bytes or a JSON document\" makes no sense: the minimum length is greater than the maximum length"]),
            (made::empty_size, &["Invalid Attribute Implementation: tags: the rule \"5 to 4 elements\" makes no sense: there is no number from its first bound to its last"]),
        ]);
    "ours", "a newtype around what has parts, which may not be known", Fails(&["newtype_of_model", "newtype_of_newtype_of_list"]),
        RunTime::CannotBeWritten("there are no newtypes");
    "ours", "a preference for what is not write-only, or of what is", Fails(&["prefer_write_only_of_stored", "prefer_write_only_on_write_only", "prefer_write_only_of_stored_flattened"]),
        Finds(&[
            (made::prefer_stored, &["Invalid Schema Implementation: key: `token` is to be preferred as write-only, which it is not"]),
            (made::pattern_of_stored, &["Invalid Schema Implementation: path: `owner` is to be preferred as write-only, which it is not"]),
        ]);
    "ours", "a sum of what is no number", Fails(&["sum_of_strings", "sum_on_string"]),
        Finds(&[
            (made::sum_of_text, &[
                "Invalid Schema Implementation: total: only a number can be compared with a sum or product",
                "Invalid Schema Implementation: total: it is compared with `part`, which is no number",
            ]),
            (made::pattern_of_text, &["Invalid Schema Implementation: path: it is compared with `owner.name`, which is no number"]),
        ]);
    "ours", "a function of a behaviour for another type", Fails(&["requires_replace_if_wrong_argument_type", "suppress_diff_wrong_argument_type", "semantic_eq_wrong_argument_type", "default_with_of_wrong_type"]),
        Finds(&[
            (made::replaces_if_of_other_type, &["Invalid Schema Implementation: name: the function of `requires_replace_if` makes no sense: it is for a number, but this is a string"]),
            (made::suppresses_of_other_type, &["Invalid Schema Implementation: name: the function of `suppress_diff` makes no sense: it is for a number, but this is a string"]),
            (made::means_of_other_type, &["Invalid Schema Implementation: name: the function of `semantic_eq` makes no sense: it is for a number, but this is a string"]),
            (made::default_with_of_other_type, &["Invalid Schema Implementation: name: the function of `default_with` makes no sense: it is for a number, but this is a string"]),
        ]);
    "2 (identity)", "a part of an identity of another type", Fails(&["identity_on_map", "identity_on_block", "identity_struct_with_set"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["a part of an identity is a bool, a number, a string or a list of these"]);
    "2 (identity)", "a part of an identity that is sensitive or write-only", Fails(&["identity_on_sensitive", "identity_on_write_only", "identity_struct_with_write_only"]),
        FoundIn("lifecycle/identity/by_hand.rs", &[
            "an identity is shown, so no part of it can be sensitive or write-only",
            "an identity is shown, but the attribute of that name is sensitive",
            "the attribute of that name is not stored, so nothing can be known by it",
        ]);
    "2 (identity)", "a behaviour of a part of an identity", Fails(&["identity_struct_with_default"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["of a part of an identity nothing is said but its type, and whether an import needs it"]);
    "6.2", "a part of an identity with a reserved name", Fails(&["identity_struct_with_reserved_name"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["the identity: count: `count` is reserved by Terraform"]);
    "2.6, 2 (identity)", "required or optional for import",
        Compile::CannotBeWritten("which parts an import needs follows from their types"),
        RunTime::CannotBeWritten("as at compile time");
    "ours", "a part of an identity that changes in place", Fails(&["identity_without_requires_replace"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["a change of the attribute of that name does not replace it"]);
    "ours", "an earlier identity that is none", Fails(&["identity_from_without_identity", "identity_version_without_identity"]),
        FoundIn("lifecycle/identity/by_hand.rs", &["there is an upgrade from version 0, but the version now is 0", "there are two upgrades from version 0"]);
    "2 (resource)", "a gap between the versions of a state", Fails(&["upgrade_skipping_version", "version_without_upgrade_from"]),
        FoundIn("lifecycle/state_upgrades.rs", &["there is no step from version 0 to version 1", "there is no step from version 1 to version 2"]);
    "2 (resource)", "a step to another version than the schema's", Fails(&["upgrade_from_without_version", "oldest_and_upgrade_from", "oldest_without_version"]),
        FoundIn("lifecycle/state_upgrades.rs", &["a step from version 0 is expected, but there is one from 1", "there is a step to version 1, but the schema's version is 0"]);
    "2 (resource)", "a step without a function, or from no object", Fails(&["upgrade_without_conversion", "upgrade_from_struct_without_derive", "upgrade_from_string_literal"]),
        RunTime::CannotBeWritten("`Upgrades::step` takes a `Schema` and a function");
};
