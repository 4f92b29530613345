//! The names of Terraform's blocks, arguments and functions.

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

/// The functions of Terraform and OpenTofu, including those that are not supported here.
#[rustfmt::skip]
pub(crate) const FUNCTIONS: &[&str] = &[
    "abs", "abspath", "alltrue", "anytrue", "base64decode", "base64encode", "base64gunzip", "base64gzip",
    "base64sha256", "base64sha512", "basename", "bcrypt", "can", "ceil", "chomp", "chunklist", "cidrcontains",
    "cidrhost", "cidrnetmask", "cidrsubnet", "cidrsubnets", "coalesce", "coalescelist", "compact", "concat", "contains",
    "convert", "csvdecode", "dirname", "distinct", "element", "endswith", "ephemeralasnull", "file",
    "filebase64", "filebase64sha256", "filebase64sha512", "fileexists", "filemd5", "fileset", "filesha1",
    "filesha256", "filesha512", "flatten", "floor", "format", "formatdate", "formatlist", "indent", "index",
    "issensitive", "join", "jsondecode", "jsonencode", "keys", "length", "list", "log", "lookup", "lower",
    "map", "matchkeys", "max", "md5", "merge", "min", "nonsensitive", "one", "parseint", "pathexpand",
    "plantimestamp", "pow", "range", "regex", "regexall", "replace", "reverse", "rsadecrypt", "sensitive",
    "setintersection", "setproduct", "setsubtract", "setunion", "sha1", "sha256", "sha512", "signum", "slice",
    "sort", "split", "startswith", "strcontains", "strrev", "substr", "sum", "templatefile", "templatestring",
    "textdecodebase64", "textencodebase64", "timeadd", "timecmp", "timestamp", "title", "tobool", "tolist",
    "tomap", "tonumber", "toset", "tostring", "transpose", "trim", "trimprefix", "trimspace", "trimsuffix",
    "try", "upper", "urldecode", "urlencode", "uuid", "uuidv5", "values", "yamldecode", "yamlencode",
    "zipmap",
];

/// Returns true for functions of Terraform and OpenTofu and for all provider functions, which only their providers know.
pub(crate) fn is_known_function(name: &str) -> bool {
    let unqualified = name.strip_prefix("core::").unwrap_or(name);
    unqualified.contains("::") || FUNCTIONS.contains(&unqualified)
}
