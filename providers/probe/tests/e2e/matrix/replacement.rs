//! Changes that require replacement.

use serde_json::json;

use super::{Row, create, nothing, replace, row, update};

const ALL: &[&str] = &["text", "number", "flag"];

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("replacement: on create", "fixed", [create("text = \"a\"").after(json!({ "text": "a" }))]),
        row(
            "replacement: set",
            "fixed",
            [create(""), replace("flag = true\nnumber = 5\ntext = \"a\"", ALL).after(json!({ "text": "a" }))],
        ),
        row(
            "replacement: changed",
            "fixed",
            [
                create("flag = true\nnumber = 5\ntext = \"a\""),
                replace("flag = false\nnumber = 6\ntext = \"b\"", ALL).after(json!({ "text": "b" })),
            ],
        ),
        row(
            "replacement: removed",
            "fixed",
            [
                create("flag = true\nnumber = 5\ntext = \"a\""),
                replace("", ALL).after(json!({ "text": null })).applied(json!({ "text": null })),
            ],
        ),
        row(
            "replacement: unknown",
            "fixed",
            [
                create("text = \"later\""),
                replace("text = LATER", &["text"]).unknown(&["text"]).applied(json!({ "text": "later" })),
            ],
        ),
        row(
            "replacement: from null to the zero value",
            "fixed",
            [
                create(""),
                replace("flag = false\nnumber = 0\ntext = \"\"", ALL)
                    .after(json!({ "flag": false, "number": 0, "text": "" })),
            ],
        ),
        row(
            "replacement, default: removed",
            "fixed",
            [create("text_or = \"a\""), replace("", &["text_or"]).after(json!({ "text_or": "d" }))],
        ),
        row(
            "replacement, optional and computed: removed",
            "fixed",
            [create("chosen = \"a\""), nothing("").applied(json!({ "chosen": "a" }))],
        ),
        row(
            "replacement, suppressed: changed",
            "fixed",
            [
                create("any_case = \"a\""),
                nothing("any_case = \"A\"").applied(json!({ "any_case": "a" })),
                replace("any_case = \"b\"", &["any_case"]),
            ],
        ),
        row(
            "replacement if configured: removed and set",
            "fixed",
            [
                create("configured = \"a\""),
                update("").after(json!({ "configured": null })),
                replace("configured = \"b\"", &["configured"]),
            ],
        ),
        row(
            "replacement, list: an element, and the number of elements",
            "fixed",
            [
                create("words = [\"a\", \"b\"]"),
                replace("words = [\"a\", \"c\"]", &["words"]),
                replace("words = [\"a\"]", &["words"]),
            ],
        ),
        row(
            "replacement, block: number of blocks",
            "fixed",
            [create("whole {}"), replace("whole {}\nwhole {}", &["whole"]), replace("", &["whole"])],
        ),
        row(
            "replacement, block: a value inside",
            "fixed",
            [create("whole {\nnote = \"a\"\n}"), replace("whole {\nnote = \"b\"\n}", &["whole"])],
        ),
        row(
            "replacement, inside a block: changed, added",
            "fixed",
            [
                create("part {\nkind = \"a\"\n}"),
                update("part {\nkind = \"a\"\nnote = \"x\"\n}"),
                replace("part {\nkind = \"b\"\n}", &["part[0].kind"]),
                update("part {\nkind = \"b\"\n}\npart {\nnote = \"x\"\n}"),
                replace("part {\nkind = \"b\"\n}\npart {\nkind = \"x\"\n}", &["part[1].kind"]),
            ],
        ),
        row(
            "replacement, inside a block: removed",
            "fixed",
            [
                create("part {\nkind = \"a\"\n}\npart {\nkind = \"b\"\n}"),
                update("part {\nkind = \"a\"\n}").applied(json!({ "part": [{ "kind": "a", "note": null }] })),
            ],
        ),
        row(
            "replacement, set block: another element",
            "fixed",
            [create("loose {\nnote = \"a\"\n}"), replace("loose {\nnote = \"b\"\n}", &["loose"])],
        ),
    ]
}
