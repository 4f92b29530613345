//! The names of the options of `#[attr(…)]`, and the items that support them.

pub(crate) const ATTR: &str = "attr";

pub(crate) const AT_LEAST_ONE_OF: &str = "at_least_one_of";
pub(crate) const AT_LEAST_SUM_OF: &str = "at_least_sum_of";
pub(crate) const AT_MOST_SUM_OF: &str = "at_most_sum_of";
pub(crate) const BLOCK: &str = "block";
pub(crate) const CONFLICTING: &str = "conflicting";
pub(crate) const CONFLICTS_WITH: &str = "conflicts_with";
pub(crate) const COMPOSED: &str = "composed";
pub(crate) const COMPUTED: &str = "computed";
pub(crate) const DEFAULT: &str = "default";
pub(crate) const DEFAULT_WITH: &str = "default_with";
pub(crate) const DEPRECATED: &str = "deprecated";
pub(crate) const EQUAL_TO_PRODUCT_OF: &str = "equal_to_product_of";
pub(crate) const EQUAL_TO_SUM_OF: &str = "equal_to_sum_of";
pub(crate) const EXACTLY_ONE_OF: &str = "exactly_one_of";
pub(crate) const FINGERPRINT: &str = "fingerprint";
pub(crate) const FLATTEN: &str = "flatten";
pub(crate) const FOLLOWS: &str = "follows";
pub(crate) const IDENTITY: &str = "identity";
pub(crate) const IDENTITY_FROM: &str = "identity_from";
pub(crate) const IDENTITY_VERSION: &str = "identity_version";
pub(crate) const IMPORT: &str = "import";
pub(crate) const INPUTS_ONLY: &str = "inputs_only";
pub(crate) const KEY: &str = "key";
pub(crate) const MAX_ITEMS: &str = "max_items";
pub(crate) const MIN_ITEMS: &str = "min_items";
pub(crate) const MIXED: &str = "mixed";
pub(crate) const MUTABLE_IDENTITY: &str = "mutable_identity";
pub(crate) const OBJECT: &str = "object";
pub(crate) const OPTIONAL: &str = "optional";
pub(crate) const PLACEHOLDER: &str = "placeholder";
pub(crate) const PLAIN_DESCRIPTION: &str = "plain_description";
pub(crate) const PLAN_WITH: &str = "plan_with";
pub(crate) const PREFER_WRITE_ONLY: &str = "prefer_write_only";
pub(crate) const RENAME: &str = "rename";
pub(crate) const RENAME_ALL: &str = "rename_all";
pub(crate) const REQUIRED_TOGETHER: &str = "required_together";
pub(crate) const REQUIRED_FOR_IMPORT: &str = "required_for_import";
pub(crate) const REQUIRES: &str = "requires";
pub(crate) const REQUIRES_REPLACE: &str = "requires_replace";
pub(crate) const REQUIRES_REPLACE_IF: &str = "requires_replace_if";
pub(crate) const REQUIRES_REPLACE_IF_CONFIGURED: &str = "requires_replace_if_configured";
pub(crate) const SEMANTIC_EQ: &str = "semantic_eq";
pub(crate) const SENSITIVE: &str = "sensitive";
pub(crate) const SKIP: &str = "skip";
pub(crate) const SUMMARY: &str = "summary";
pub(crate) const SUPPRESS_DIFF: &str = "suppress_diff";
pub(crate) const SUPPRESS_ON_REFRESH: &str = "suppress_on_refresh";
pub(crate) const TIMEOUTS: &str = "timeouts";
pub(crate) const USE_NON_NULL_STATE_FOR_UNKNOWN: &str = "use_non_null_state_for_unknown";
pub(crate) const USE_STATE_FOR_UNKNOWN: &str = "use_state_for_unknown";
pub(crate) const VALIDATE: &str = "validate";
pub(crate) const VARIADIC: &str = "variadic";
pub(crate) const WITHOUT: &str = "without";
pub(crate) const WRITE_ONLY: &str = "write_only";

pub(crate) const OLDEST: &str = "oldest";
pub(crate) const UPGRADE_FROM: &str = "upgrade_from";
pub(crate) const UPGRADE_FROM_SDKV2: &str = "upgrade_from_sdkv2";
pub(crate) const UPGRADE_WARNINGS: &str = "upgrade_warnings";
pub(crate) const VERSION: &str = "version";

/// The options of a field of a model.
pub(crate) const FIELD: [&str; 43] = [
    AT_LEAST_ONE_OF,
    AT_LEAST_SUM_OF,
    AT_MOST_SUM_OF,
    BLOCK,
    COMPOSED,
    COMPUTED,
    CONFLICTS_WITH,
    DEFAULT,
    DEFAULT_WITH,
    DEPRECATED,
    EQUAL_TO_PRODUCT_OF,
    EQUAL_TO_SUM_OF,
    EXACTLY_ONE_OF,
    FINGERPRINT,
    FLATTEN,
    FOLLOWS,
    IDENTITY,
    INPUTS_ONLY,
    KEY,
    MAX_ITEMS,
    MIN_ITEMS,
    MIXED,
    OBJECT,
    OPTIONAL,
    PLAIN_DESCRIPTION,
    PLAN_WITH,
    PREFER_WRITE_ONLY,
    RENAME,
    REQUIRED_FOR_IMPORT,
    REQUIRES,
    REQUIRES_REPLACE,
    REQUIRES_REPLACE_IF,
    REQUIRES_REPLACE_IF_CONFIGURED,
    SEMANTIC_EQ,
    SENSITIVE,
    SKIP,
    SUPPRESS_DIFF,
    SUPPRESS_ON_REFRESH,
    TIMEOUTS,
    USE_NON_NULL_STATE_FOR_UNKNOWN,
    USE_STATE_FOR_UNKNOWN,
    VALIDATE,
    WRITE_ONLY,
];

/// The options of a struct of parameters.
pub(crate) const FUNCTION: [&str; 3] = [DEPRECATED, PLAIN_DESCRIPTION, SUMMARY];

/// The options of a parameter.
pub(crate) const PARAMETER: [&str; 3] = [RENAME, VALIDATE, VARIADIC];

/// The options of a model.
pub(crate) const STRUCT: [&str; 17] = [
    AT_LEAST_ONE_OF,
    CONFLICTING,
    DEPRECATED,
    EXACTLY_ONE_OF,
    IDENTITY,
    IDENTITY_FROM,
    IDENTITY_VERSION,
    IMPORT,
    MUTABLE_IDENTITY,
    OLDEST,
    PLAIN_DESCRIPTION,
    REQUIRED_TOGETHER,
    UPGRADE_FROM,
    UPGRADE_FROM_SDKV2,
    UPGRADE_WARNINGS,
    VALIDATE,
    VERSION,
];

/// The options of a newtype.
pub(crate) const NEWTYPE: [&str; 2] = [PLACEHOLDER, VALIDATE];

/// The options of an enum without data.
pub(crate) const ENUM: [&str; 2] = [RENAME_ALL, WITHOUT];

/// The items that `without(…)` removes from the code of an enum without data.
pub(crate) const ENUM_ITEMS: [&str; 3] = [AS_STR, DISPLAY, FROM_STR];
pub(crate) const AS_STR: &str = "as_str";
pub(crate) const DISPLAY: &str = "display";
pub(crate) const FROM_STR: &str = "from_str";

/// The options of a variant of an enum without data.
pub(crate) const VARIANT: [&str; 1] = [RENAME];

/// The options of an enum with data.
pub(crate) const TAGGED_ENUM: [&str; 0] = [];

/// The options of a variant of an enum with data.
pub(crate) const TAGGED_VARIANT: [&str; 4] = [DEPRECATED, RENAME, SENSITIVE, VALIDATE];

/// The options that can be repeated.
pub(crate) const REPEATED: [&str; 6] =
    [VALIDATE, EXACTLY_ONE_OF, AT_LEAST_ONE_OF, CONFLICTING, IMPORT, REQUIRED_TOGETHER];

/// The Ferroform equivalent of an option name from another framework.
pub(crate) fn of_other_frameworks(name: &str) -> Option<&'static str> {
    Some(match name {
        "required" => "remove it, because a field is required unless its type is an `Option`",
        "nullable" | "null" => "for an attribute that can be null, use the type `Option<T>`",
        "force_new" | "forces_new" | "forces_replacement" | "replace" | "immutable" => {
            "use `requires_replace`"
        }
        "optional_computed" | "computed_optional" => "use `optional, computed`",
        "read_only" => "use `computed`",
        "secret" => "use `sensitive`",
        "default_func" | "default_fn" => "use `default_with = f`",
        "name" => "use `rename = \"name\"`",
        "description" | "doc" => "the doc comment of the field is the description",
        "validator" | "validators" | "validate_func" => "use `validate = v`, which can be repeated",
        "plan_modifier" | "plan_modifiers" => {
            "use `plan_with = f`, or one of the options for common cases, such as `use_state_for_unknown`"
        }
        "diff_suppress" | "diff_suppress_func" | "suppress" => "use `suppress_diff = f`",
        "exactly_one" => "use `exactly_one_of(a, b)`",
        "required_with" | "also_requires" => "use `requires(a, b)`",
        "id" => "use `identity` for an attribute of the resource identity",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Returns the names in the first column of the tables below a heading of the guide page.
    fn documented(heading: &str) -> BTreeSet<&'static str> {
        let page = include_str!("../../../docs/attribute-options.md");
        let section = page.split("\n## ").find(|it| it.starts_with(heading)).unwrap();
        let cells = section.lines().filter_map(|it| it.strip_prefix("| `")?.split(" | ").next());
        // Every second part is inline code, such as `optional, computed`, `default = expr` and `follows(a, b)`.
        let code = cells.flat_map(|it| it.split('`').step_by(2));
        code.filter_map(|it| it.split(['(', '=']).next()).flat_map(|it| it.trim().split(", ")).collect()
    }

    #[test]
    fn guide_lists_every_option() {
        for (heading, options) in [
            ("Options of a field", FIELD.to_vec()),
            ("Options of a struct", STRUCT.to_vec()),
            ("Options of an enum", [&ENUM[..], &VARIANT].concat()),
            ("Options of a newtype", NEWTYPE.to_vec()),
            ("Options of function parameters", [&FUNCTION[..], &PARAMETER].concat()),
        ] {
            assert_eq!(documented(heading), BTreeSet::from_iter(options), "{heading}");
        }
    }
}
