//! Primitive attributes with and without a default: set, removed, and set to their zero value.

use serde_json::{Value as Json, json};

use super::{Row, create, nothing, rejected, row, update};

const SET: &str = "flag = true\ntext = \"a\"\nnumber = 5\nratio = 0.5";
const ZERO: &str = "flag = false\ntext = \"\"\nnumber = 0\nratio = 0";
const SET_OR: &str = "flag_or = false\ntext_or = \"a\"\nnumber_or = 5\nratio_or = 0.5";
const ZERO_OR: &str = "flag_or = false\ntext_or = \"\"\nnumber_or = 0\nratio_or = 0";
const NULL_OR: &str = "flag_or = null\ntext_or = null\nnumber_or = null\nratio_or = null";
const SET_OR_ZERO: &str =
    "flag_or_zero = true\ntext_or_zero = \"a\"\nnumber_or_zero = 5\nratio_or_zero = 0.5";

fn set() -> Json {
    json!({ "flag": true, "text": "a", "number": 5, "ratio": 0.5 })
}

fn zero() -> Json {
    json!({ "flag": false, "text": "", "number": 0, "ratio": 0 })
}

fn null() -> Json {
    json!({ "flag": null, "text": null, "number": null, "ratio": null })
}

fn set_or() -> Json {
    json!({ "flag_or": false, "text_or": "a", "number_or": 5, "ratio_or": 0.5 })
}

fn zero_or() -> Json {
    json!({ "flag_or": false, "text_or": "", "number_or": 0, "ratio_or": 0 })
}

fn default() -> Json {
    json!({ "flag_or": true, "text_or": "d", "number_or": 7, "ratio_or": 1.5 })
}

fn zero_default() -> Json {
    json!({ "flag_or_zero": false, "text_or_zero": "", "number_or_zero": 0, "ratio_or_zero": 0 })
}

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("optional: set on create", "primitive", [create(SET).after(set()).applied(set())]),
        row("optional: omitted on create", "primitive", [create("").after(null()).applied(null())]),
        row("optional: removed", "primitive", [create(SET), update("").after(null()).applied(null())]),
        row(
            "optional: set to the zero value",
            "primitive",
            [create(SET), update(ZERO).after(zero()).applied(zero())],
        ),
        row(
            "optional: from null to the zero value",
            "primitive",
            [create(""), update(ZERO).after(zero()).applied(zero())],
        ),
        row(
            "optional: from the zero value to null",
            "primitive",
            [create(ZERO).after(zero()).applied(zero()), update("").after(null()).applied(null())],
        ),
        row("required: empty string", "required", [create("text = \"\"").after(json!({ "text": "" }))]),
        row("required: omitted", "required", [rejected("", "Missing required argument")]),
        row("default: omitted on create", "primitive", [create("").after(default()).applied(default())]),
        row("default: null on create", "primitive", [create(NULL_OR).after(default()).applied(default())]),
        row("default: set on create", "primitive", [create(SET_OR).after(set_or()).applied(set_or())]),
        row(
            "default: zero value on create",
            "primitive",
            [create(ZERO_OR).after(zero_or()).applied(zero_or())],
        ),
        row(
            "default: set later",
            "primitive",
            [create(""), update(SET_OR).after(set_or()).applied(set_or())],
        ),
        row(
            "default: removed",
            "primitive",
            [create(SET_OR), update("").after(default()).applied(default())],
        ),
        row(
            "default: set to the zero value",
            "primitive",
            [create(SET_OR), update(ZERO_OR).after(zero_or()).applied(zero_or())],
        ),
        row(
            "default: zero value removed",
            "primitive",
            [create(ZERO_OR), update("").after(default()).applied(default())],
        ),
        row(
            "default: the default is a zero value",
            "primitive",
            [
                create("").after(zero_default()).applied(zero_default()),
                update(SET_OR_ZERO),
                update("").after(zero_default()).applied(zero_default()),
            ],
        ),
        row(
            "default: in a set block",
            "primitive",
            [
                create("part {\nnote = \"a\"\n}").after(json!({ "part": [{ "note": "a", "kind": "d" }] })),
                nothing("part {\nnote = \"a\"\nkind = \"d\"\n}"),
                update("part {\nnote = \"a\"\nkind = \"\"\n}")
                    .after(json!({ "part": [{ "note": "a", "kind": "" }] })),
                update("part {\nnote = \"a\"\n}").after(json!({ "part": [{ "note": "a", "kind": "d" }] })),
            ],
        ),
    ]
}
