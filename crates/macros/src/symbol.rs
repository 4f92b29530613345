//! The words of `#[attr(…)]`, each once.

pub(crate) const ATTR: &str = "attr";

pub(crate) const BLOCK: &str = "block";
pub(crate) const COMPUTED: &str = "computed";
pub(crate) const DEFAULT: &str = "default";
pub(crate) const DEPRECATED: &str = "deprecated";
pub(crate) const EXACTLY_ONE_OF: &str = "exactly_one_of";
pub(crate) const FLATTEN: &str = "flatten";
pub(crate) const FOLLOWS: &str = "follows";
pub(crate) const MIXED: &str = "mixed";
pub(crate) const OPTIONAL: &str = "optional";
pub(crate) const RENAME: &str = "rename";
pub(crate) const REQUIRES_REPLACE: &str = "requires_replace";
pub(crate) const REQUIRES_REPLACE_IF_CONFIGURED: &str = "requires_replace_if_configured";
pub(crate) const SENSITIVE: &str = "sensitive";
pub(crate) const USE_STATE_FOR_UNKNOWN: &str = "use_state_for_unknown";
pub(crate) const VALIDATE: &str = "validate";
pub(crate) const WRITE_ONLY: &str = "write_only";

pub(crate) const VERSION: &str = "version";

/// What a field may say.
pub(crate) const FIELD: [&str; 15] = [
    BLOCK,
    COMPUTED,
    DEFAULT,
    DEPRECATED,
    FLATTEN,
    FOLLOWS,
    MIXED,
    OPTIONAL,
    RENAME,
    REQUIRES_REPLACE,
    REQUIRES_REPLACE_IF_CONFIGURED,
    SENSITIVE,
    USE_STATE_FOR_UNKNOWN,
    VALIDATE,
    WRITE_ONLY,
];

/// What a struct may say.
pub(crate) const STRUCT: [&str; 3] = [DEPRECATED, EXACTLY_ONE_OF, VERSION];
