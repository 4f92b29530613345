//! The names of Terraform's blocks, arguments and functions.

use ferroform_lang::expression::known_functions;

/// The block types of a module.
pub(crate) const BLOCKS: &[&str] = &[
    "action",
    "check",
    "data",
    "ephemeral",
    "import",
    "locals",
    "module",
    "moved",
    "output",
    "provider",
    "removed",
    "resource",
    "terraform",
    "variable",
];

/// The names that a variable must not have, because they are arguments or nested blocks of `module` blocks.
pub(crate) const RESERVED: &[&str] = &[
    "source",
    "version",
    "providers",
    "count",
    "for_each",
    "depends_on",
    "lifecycle",
    "locals",
    "provider",
    "_",
];

/// The arguments of a `variable` block.
pub(crate) const ARGUMENTS: &[&str] = &[
    "type",
    "default",
    "description",
    "sensitive",
    "nullable",
    "ephemeral",
    "deprecated",
    "const",
    "validation",
];

/// The objects that expressions can refer to, in addition to variables, local values and resources.
pub(crate) const OBJECTS: &[&str] =
    &["data", "module", "path", "terraform", "tofu", "ephemeral", "action", "check"];

/// Returns true for functions of Terraform and OpenTofu and for all provider functions, which only their providers know.
pub(crate) fn is_known_function(name: &str) -> bool {
    let unqualified = name.strip_prefix("core::").unwrap_or(name);
    unqualified.contains("::") || known_functions().any(|it| it == unqualified)
}
