//! Cases that the random generator does not produce.

use ferroform_vars::Setting;

use crate::Case;

/// Parses the files of a case. A line `@@ name` starts a file.
pub(crate) fn case(name: &str, files: &str) -> Case {
    let mut case = Case { name: name.into(), ..Case::default() };
    let mut current = "main.tf".to_owned();
    for line in files.split_inclusive('\n') {
        if let Some(name) = line.trim().strip_prefix("@@ ") {
            current = name.to_owned();
        } else {
            case.files.entry(current.clone()).or_default().push_str(line);
        }
    }
    case
}

fn with(mut case: Case, options: &[(&str, &str)]) -> Case {
    let each = options.iter().map(|(name, value)| match *name {
        "-var-file" => Setting::File((*value).into()),
        _ => Setting::Value { name: (*name).to_owned(), value: (*value).to_owned() },
    });
    case.options.extend(each);
    case
}

fn environment(mut case: Case, values: &[(&str, &str)]) -> Case {
    case.environment.extend(values.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())));
    case
}

pub(crate) fn buckets() -> Case {
    let mut case = Case { name: "buckets".into(), ..Case::default() };
    case.files.insert("main.tf".into(), include_str!("buckets/main.tf").into());
    case.files.insert("terraform.tfvars".into(), include_str!("buckets/terraform.tfvars").into());
    case
}

const PLAIN: &[(&str, &str)] = &[
    ("twice", "variable \"a\" { default = 1 }\nvariable \"a\" { default = 2 }\n"),
    ("two-labels", "variable \"a\" \"b\" {}\n"),
    ("no-label", "variable {}\n"),
    ("bare-label", "variable a { default = 1 }\n"),
    ("digit", "variable \"1a\" { default = 1 }\n"),
    ("reserved", "variable \"count\" { default = 1 }\n"),
    ("dash", "variable \"a-b\" { default = 1 }\n"),
    ("accent", "variable \"é\" { default = 1 }\n"),
    ("decomposed", "variable \"e\u{301}\" { default = 1 }\n@@ terraform.tfvars\né = 4\n"),
    ("typo-argument", "variable \"a\" {\n  defualt = 1\n}\n"),
    ("typo-block", "varable \"a\" {}\n"),
    ("argument-outside", "variable \"a\" { default = 1 }\nb = 1\n"),
    ("inner-block", "variable \"a\" {\n  default = 1\n  foo {}\n}\n"),
    ("null-flag", "variable \"a\" {\n  default = 1\n  nullable = null\n}\n"),
    ("number-flag", "variable \"a\" {\n  default = 1\n  sensitive = 1\n}\n"),
    ("null-default", "variable \"a\" {\n  default = null\n  nullable = false\n}\n"),
    ("reference", "variable \"a\" {\n  default = local.x\n}\n"),
    ("call", "variable \"a\" {\n  default = upper(\"x\")\n}\n"),
    ("quoted-type", "variable \"a\" {\n  type = \"string\"\n  default = 1\n}\n"),
    ("bare-list", "variable \"a\" {\n  type = list\n  default = [1, \"x\"]\n}\n"),
    ("bare-set", "variable \"a\" {\n  type = set\n  default = [1, \"x\"]\n}\n"),
    ("required", "variable \"a\" {}\n"),
    ("one-line-two", "variable \"a\" { type = string, default = 1 }\n"),
    ("one-line-block", "variable \"a\" { validation { condition = true } }\n"),
    ("unclosed", "variable \"a\" {\n  default = 1\n"),
    ("unclosed-string", "variable \"a\" {\n  default = \"x\n}\n"),
    ("crlf", "variable \"a\" {\r\n  type = string\r\n  default = <<EOT\r\nx\r\ny\r\nEOT\r\n}\r\n"),
    ("duplicate-argument", "variable \"a\" {\n  default = 1\n  default = 2\n}\n"),
    ("comments", "# a\n// b\n/* c\n } */ variable \"a\" { # d\n  default = 1 /* e */\n}\n"),
    ("no-newline", "variable \"a\" { default = 1 } variable \"b\" { default = 2 }\n"),
    ("label-template", "variable \"a${1}\" { default = 1 }\n"),
    ("stray-brace", "variable \"a\" { default = 1 }\n}\n"),
    ("validation-incomplete", "variable \"a\" {\n  default = 1\n  validation { condition = var.a > 0 }\n}\n"),
    (
        "validation-elsewhere",
        "variable \"a\" { default = 1 }\nvariable \"b\" {\n  default = 1\n  validation {\n    condition = var.a > 0\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-two",
        "variable \"a\" { default = 1 }\nvariable \"b\" {\n  default = 1\n  validation {\n    condition = var.a == var.b\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-undeclared",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = var.a == var.b\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-no-function",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = starts_with(var.a, 1)\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-message-fails",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = var.a == 1\n    error_message = \"x${[]}\"\n  }\n}\n",
    ),
    (
        "validation-message-null",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = var.a == 2\n    error_message = null\n  }\n}\n",
    ),
    (
        "validation-null",
        "variable \"a\" {\n  default = null\n  validation {\n    condition = var.a\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "condition-string",
        "variable \"a\" {\n  default = \"true\"\n  validation {\n    condition = var.a\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-number",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = var.a\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-unknown-argument",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = var.a == 1\n    error_message = \"x\"\n    zap = 1\n  }\n}\n",
    ),
    (
        "validation-sensitive",
        "variable \"a\" {\n  default = \"x\"\n  sensitive = true\n  validation {\n    condition = length(var.a) > 3\n    error_message = \"short\"\n  }\n}\n",
    ),
    (
        "validation-local",
        "locals {\n  x = 1\n}\nvariable \"a\" {\n  default = 1\n  validation {\n    condition = var.a == local.x\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "not-evaluated",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = md5(var.a) == \"2\"\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "override",
        "variable \"a\" {\n  type = string\n  default = 1\n}\n@@ override.tf\nvariable \"a\" {\n  default = 2\n}\n",
    ),
    (
        "override-order",
        "variable \"a\" { default = 1 }\n@@ a_override.tf\nvariable \"a\" { default = 2 }\n@@ b_override.tf\nvariable \"a\" { default = 3 }\n",
    ),
    (
        "override-type",
        "variable \"a\" {\n  type = string\n  default = \"5\"\n}\n@@ x_override.tf\nvariable \"a\" {\n  type = number\n}\n",
    ),
    (
        "override-invalid",
        "variable \"a\" {\n  type = string\n  default = \"x\"\n}\n@@ x_override.tf\nvariable \"a\" {\n  type = number\n}\n",
    ),
    (
        "override-nullable",
        "variable \"a\" {\n  default = null\n}\n@@ override.tf\nvariable \"a\" {\n  nullable = false\n}\n",
    ),
    ("override-missing", "variable \"a\" { default = 1 }\n@@ override.tf\nvariable \"b\" { default = 1 }\n"),
    (
        "override-validation",
        "variable \"a\" { default = 1 }\n@@ override.tf\nvariable \"a\" {\n  validation {\n    condition = var.a == 2\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "override-itself-invalid",
        "variable \"a\" { default = 1 }\n@@ override.tf\nvariable \"a\" {\n  type = bool\n  default = 2\n}\n",
    ),
    (
        "override-json",
        "variable \"a\" { default = 1 }\n@@ override.tf.json\n{\"variable\": {\"a\": {\"default\": [1]}}}\n",
    ),
    (
        "override-sensitive",
        "variable \"a\" { default = 1 }\n@@ override.tf\nvariable \"a\" { sensitive = true }\n",
    ),
    (
        "hidden-file",
        "variable \"a\" { default = 1 }\n@@ .b.tf\nvariable \"a\" { default = 2 }\n@@ c.tf~\n}\n",
    ),
    (
        "json",
        "@@ a.tf.json\n{\"variable\": {\"a\": {\"type\": \"number\", \"default\": \"5\", \"//\": 1}, \"b\": [{\"default\": \"${x}\"}]}, \"//\": \"c\"}\n",
    ),
    (
        "json-array",
        "@@ a.tf.json\n[{\"variable\": [{\"a\": {\"default\": 1}}]}, {\"variable\": {\"b\": {\"default\": 1}}}]\n",
    ),
    ("json-twice", "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 1}, \"a\": {\"default\": 2}}}\n"),
    ("json-typo", "@@ a.tf.json\n{\"variable\": {\"a\": {\"defualt\": 1}}}\n"),
    ("json-unknown-block", "@@ a.tf.json\n{\"varable\": {\"a\": {\"default\": 1}}}\n"),
    ("json-type", "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 1, \"type\": [\"number\"]}}}\n"),
    (
        "json-type-template",
        "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 1, \"type\": \"${string}\"}}}\n",
    ),
    ("json-type-list", "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": [1], \"type\": \"list\"}}}\n"),
    ("json-null", "@@ a.tf.json\n{\"variable\": {\"a\": null, \"b\": {\"default\": null}}}\n"),
    ("json-none", "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"variable\": []}\n"),
    ("json-empty", "variable \"a\" { default = 1 }\n@@ a.tf.json\n{}\n"),
    ("json-comma", "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 1,}}}\n"),
    (
        "json-validation",
        "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 1, \"validation\": [{\"condition\": \"${var.a > 3}\", \"error_message\": \"x ${var.a}\"}]}}}\n",
    ),
    (
        "json-validation-passes",
        "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 5, \"validation\": {\"condition\": \"${var.a > 3}\", \"error_message\": \"x ${var.a}\"}}}}\n",
    ),
    (
        "json-condition-string",
        "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 5, \"validation\": {\"condition\": \"var.a > 3\", \"error_message\": \"x\"}}}}\n",
    ),
    (
        "json-template-local",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"locals\": {\"x\": [{\"y\": \"a ${1 +} b\"}]}}\n",
    ),
    (
        "json-template-key",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"locals\": {\"x\": {\"${\": 1}}}\n",
    ),
    (
        "json-template-comment",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"locals\": {\"//\": \"${\", \"x\": 1}}\n",
    ),
    (
        "json-template-output",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"output\": {\"x\": {\"value\": \"%{\"}}}\n",
    ),
    (
        "json-template-described",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"output\": [{\"x\": [{\"value\": \"$${\", \"description\": \"${\"}]}]}\n",
    ),
    (
        "json-template-resource",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"resource\": {\"terraform_data\": {\"x\": {\"input\": \"${\"}}}}\n",
    ),
    (
        "json-template-fine",
        "variable \"a\" { default = 1 }\n@@ a.tf.json\n{\"locals\": [{\"x\": \"${var.a} %{ if true }y%{ endif }\"}], \"resource\": {\"terraform_data\": {\"x\": {\"//\": \"${\", \"input\": \"${[for it in [1] : it]}\"}}}}\n",
    ),
    ("json-number", "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": 01}}}\n"),
    (
        "json-escapes",
        "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": \"\\u00e9\\ud83d\\ude00\\ud83d\\n\\/\"}}}\n",
    ),
    ("json-inner-twice", "@@ a.tf.json\n{\"variable\": {\"a\": {\"default\": {\"x\": 1, \"x\": 2}}}}\n"),
    (
        "values-expressions",
        "variable \"a\" { type = any }\n@@ terraform.tfvars\na = { x = 1 + 2, y = \"${1}-${true}\", z = [for i in [1, 2] : i * 2], (\"w\") = true ? 1 : \"a\" }\n",
    ),
    (
        "values-condition",
        "variable \"a\" { type = any }\n@@ terraform.tfvars\na = [true ? 1 : [1][5], \"false\" ? null : [[2]], true ? { x = 1 } : { y = \"2\" }]\n",
    ),
    (
        "values-condition-types",
        "variable \"a\" { type = any }\n@@ terraform.tfvars\na = \"true\" ? [1] : { a = toset(1) }\n",
    ),
    (
        "values-condition-fails",
        "variable \"a\" { type = any }\n@@ terraform.tfvars\na = true ? [1] : 1 + \"x\"\n",
    ),
    (
        "validation-condition",
        "variable \"a\" {\n  default = [\"x\"]\n  validation {\n    condition = length(var.a) > 0 ? contains(var.a, \"x\") : var.a[0] == \"y\"\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-condition-types",
        "variable \"a\" {\n  default = []\n  validation {\n    condition = length(var.a) > 0 ? var.a : true\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-condition-fails",
        "variable \"a\" {\n  type = list(string)\n  default = []\n  validation {\n    condition = length(var.a) == 0 ? true : [var.a[0]]\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-splat",
        "variable \"a\" {\n  type = list(object({ n = number }))\n  default = []\n  validation {\n    condition = length(var.a[*].m) == 0\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "validation-star",
        "variable \"a\" {\n  default = [{ n = [1, 2] }, { n = [3] }]\n  validation {\n    condition = jsonencode(var.a.*.n[0]) == \"[1,2]\"\n    error_message = \"x\"\n  }\n}\n",
    ),
    ("values-call", "variable \"a\" { type = any }\n@@ terraform.tfvars\na = upper(\"x\")\n"),
    ("values-reference", "variable \"a\" { type = any }\n@@ terraform.tfvars\na = b\n"),
    ("values-twice", "variable \"a\" { type = any }\n@@ terraform.tfvars\na = 1\na = 2\n"),
    ("values-block", "variable \"a\" { default = 1 }\n@@ terraform.tfvars\nfoo {\n}\n"),
    ("values-declaration", "variable \"a\" { default = 1 }\n@@ terraform.tfvars\nvariable \"a\" {}\n"),
    ("values-mark", "variable \"a\" { type = string }\n@@ terraform.tfvars\n\u{feff}a = \"x\"\n"),
    (
        "values-heredoc",
        "variable \"a\" { type = string }\n@@ terraform.tfvars\na = <<-EOT\n    x\n      y ${1 + 1}\n  EOT\n",
    ),
    ("values-undeclared", "variable \"a\" { default = 1 }\n@@ terraform.tfvars\nb = 1\nc = f(1)\n"),
    (
        "values-json",
        "variable \"a\" { type = any }\n@@ terraform.tfvars.json\n{\"a\": {\"x\": \"${1 + 1}\", \"y\": [1.50, null]}, \"//\": 1}\n",
    ),
    ("values-json-array", "variable \"a\" { default = 1 }\n@@ terraform.tfvars.json\n[{\"a\": 1}]\n"),
    ("values-json-twice", "variable \"a\" { default = 1 }\n@@ terraform.tfvars.json\n{\"a\": 1, \"a\": 2}\n"),
    (
        "values-json-inner-twice",
        "variable \"a\" { type = any }\n@@ terraform.tfvars.json\n{\"a\": {\"x\": 1, \"x\": 2}}\n",
    ),
    ("values-json-mark", "variable \"a\" { default = 1 }\n@@ terraform.tfvars.json\n\u{feff}{\"a\": 1}\n"),
    ("values-json-word", "variable \"a\" { default = 1 }\n@@ terraform.tfvars.json\n{\"a\": yes}\n"),
    ("values-json-after", "variable \"a\" { default = 1 }\n@@ terraform.tfvars.json\n{\"a\": 1} x\n"),
    ("values-json-null", "variable \"a\" { default = 1 }\n@@ terraform.tfvars.json\nnull\n"),
    ("values-empty", "variable \"a\" { default = 1 }\n@@ terraform.tfvars\n@@ b.auto.tfvars\n\n"),
    ("null-not-nullable", "variable \"a\" {\n  nullable = false\n}\n@@ terraform.tfvars\na = null\n"),
    (
        "null-takes-default",
        "variable \"a\" {\n  nullable = false\n  default = 7\n}\n@@ terraform.tfvars\na = null\n",
    ),
    ("null-stays", "variable \"a\" {\n  default = 7\n}\n@@ terraform.tfvars\na = null\n"),
    (
        "auto-order",
        "variable \"a\" {}\n@@ a.auto.tfvars\na = 1\n@@ Z.auto.tfvars\na = 2\n@@ .auto.tfvars\na = 3\n@@ auto.tfvars\na = 4\n",
    ),
    ("auto-json", "variable \"a\" {}\n@@ a.auto.tfvars\na = 1\n@@ a.auto.tfvars.json\n{\"a\": 2}\n"),
    ("other-tfvars", "variable \"a\" { default = 1 }\n@@ other.tfvars\na = 2\n"),
    ("resource-syntax", "variable \"a\" { default = 1 }\nlocals {\n  x = [for\n}\n"),
    (
        "syntax-then-more",
        "locals {\n  x = [1 2]\n}\nvariable \"a\" {\n  default = 1\n}\n@@ b_override.tf\nvariable \"b\" {\n  default = 1\n}\n@@ terraform.tfvars\na = 2\n",
    ),
    ("syntax-of-values", "variable \"a\" {}\nvariable \"b\" {}\n@@ terraform.tfvars\na = [1 2]\nb = 1\n"),
    (
        "provider-function",
        "variable \"a\" {\n  default = 1\n  validation {\n    condition = core::abs(var.a) == 1\n    error_message = \"x\"\n  }\n}\n",
    ),
    (
        "deep-types",
        "variable \"a\" {\n  type = object({ x = optional(object({ y = optional(list(object({ z = optional(number, 1) })), [{}]) }), {}) })\n  default = {}\n}\n",
    ),
];

pub(crate) fn cases() -> Vec<Case> {
    let mut all: Vec<Case> = PLAIN.iter().map(|(name, files)| case(name, files)).collect();
    for case in all.iter_mut().filter(|it| it.name == "provider-function") {
        case.deviates = Some("only later versions have function namespaces");
    }
    let declared = |name: &str, ty: &str| case(name, &format!("variable \"a\" {{ type = {ty} }}\n"));
    let types_and_values = [
        ("number", "1e3"),
        ("number", " 1"),
        ("number", "\"5\""),
        ("number", "1+1"),
        ("number", ""),
        ("bool", "true"),
        ("bool", "1"),
        ("bool", "TRUE"),
        ("string", "null"),
        ("string", " q\""),
        ("string", ""),
        ("any", "1 + 1"),
        ("any", ""),
        ("any", "x"),
        ("any", "null"),
        ("any", "a,b"),
        ("any", "upper(\"x\")"),
        ("any", "<<EOT\nx\nEOT\n"),
        ("any", "<<EOT\nx\nEOT"),
        ("list(string)", "[1, # c\n 2]"),
        ("list(string)", "1"),
        ("map(any)", "{ a = 1 }"),
        ("map(any)", "{ a = 1, a = 2 }"),
        ("set(number)", "[3, 1, \"2\", 1]"),
        ("tuple([string, bool])", "[1, \"true\"]"),
        ("tuple([string])", "[]"),
        ("object({})", "{ a = 1 }"),
        ("any", "\"${1}\""),
        ("any", "\u{feff}1"),
        ("any", "1\n"),
        ("any", "\n1"),
        ("any", "{\n  a : 1\n  b = 2\n}"),
        ("any", "[[], {}]"),
        ("any", "\"\\u00e9\""),
        ("any", "1 2"),
    ];
    for (i, (ty, value)) in types_and_values.iter().enumerate() {
        all.push(with(declared(&format!("option-{i}"), ty), &[("a", value)]));
        all.push(environment(declared(&format!("environment-{i}"), ty), &[("TF_VAR_a", value)]));
    }
    let plain = || case("", "variable \"a\" { default = 0 }\n@@ x.tfvars\na = 1\n@@ y.json\n{\"a\": 2}\n");
    let more: [&[(&str, &str)]; 8] = [
        &[("a", "3"), ("-var-file", "x.tfvars")],
        &[("-var-file", "x.tfvars"), ("a", "3")],
        &[("-var-file", "y.json"), ("-var-file", "x.tfvars")],
        &[("-var-file", "none.tfvars")],
        &[("b", "1")],
        &[(" a", "1")],
        &[("", "1")],
        &[("a", "1"), ("a", "2=3")],
    ];
    for (i, options) in more.into_iter().enumerate() {
        all.push(Case { name: format!("options-{i}"), ..with(plain(), options) });
    }
    let ignored = [("TF_VAR_b", "1"), ("TF_VAR_A", "2"), ("TF_VAR_", "3"), ("TF_VAR_a", "[")];
    all.push(environment(case("environment-ignored", "variable \"a\" { default = 0 }\n"), &ignored));
    let overridden =
        case("overridden-is-not-read", "variable \"a\" { type = any }\n@@ terraform.tfvars\na = f(1)\n");
    all.push(with(environment(overridden, &[("TF_VAR_a", "[")]), &[("a", "1")]));
    let mut later = case("deprecated", "variable \"a\" {\n  default = 1\n  deprecated = \"Use b.\"\n}\n");
    later.deviates = Some("only later versions have this argument");
    all.push(later);
    all
}
