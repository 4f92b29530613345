//! What needs a new object.

use serde_json::json;

use super::{Row, create, nothing, replace, row, update};

const ALL: &[&str] = &["text", "number", "flag"];

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("replaces: on create", "fixed", [create("text = \"a\"").after(json!({ "text": "a" }))]),
        row(
            "replaces: set",
            "fixed",
            [create(""), replace("flag = true\nnumber = 5\ntext = \"a\"", ALL).after(json!({ "text": "a" }))],
        ),
        row(
            "replaces: changed",
            "fixed",
            [
                create("flag = true\nnumber = 5\ntext = \"a\""),
                replace("flag = false\nnumber = 6\ntext = \"b\"", ALL).after(json!({ "text": "b" })),
            ],
        ),
        row(
            "replaces: removed",
            "fixed",
            [
                create("flag = true\nnumber = 5\ntext = \"a\""),
                replace("", ALL).after(json!({ "text": null })).made(json!({ "text": null })),
            ],
        ),
        row(
            "replaces: unknown",
            "fixed",
            [
                create("text = \"later\""),
                replace("text = LATER", &["text"]).unknown(&["text"]).made(json!({ "text": "later" })),
            ],
        ),
        row(
            "replaces: null to zero",
            "fixed",
            [
                create(""),
                replace("flag = false\nnumber = 0\ntext = \"\"", ALL)
                    .after(json!({ "flag": false, "number": 0, "text": "" })),
            ],
        ),
        row(
            "replaces, default: removed",
            "fixed",
            [create("text_or = \"a\""), replace("", &["text_or"]).after(json!({ "text_or": "d" }))],
        ),
        row(
            "replaces, optional and computed: removed",
            "fixed",
            [create("chosen = \"a\""), nothing("").made(json!({ "chosen": "a" }))],
        ),
        row(
            "replaces, suppressed: a change that is none",
            "fixed",
            [
                create("any_case = \"a\""),
                nothing("any_case = \"A\"").made(json!({ "any_case": "a" })),
                replace("any_case = \"b\"", &["any_case"]),
            ],
        ),
        row(
            "replaces if configured: removed and set",
            "fixed",
            [
                create("configured = \"a\""),
                update("").after(json!({ "configured": null })),
                replace("configured = \"b\"", &["configured"]),
            ],
        ),
        row(
            "replaces, a list: an element and the count",
            "fixed",
            [
                create("words = [\"a\", \"b\"]"),
                replace("words = [\"a\", \"c\"]", &["words"]),
                replace("words = [\"a\"]", &["words"]),
            ],
        ),
        row(
            "replaces, a block: the count",
            "fixed",
            [create("whole {}"), replace("whole {}\nwhole {}", &["whole"]), replace("", &["whole"])],
        ),
        row(
            "replaces, a block: a value inside",
            "fixed",
            [create("whole {\nnote = \"a\"\n}"), replace("whole {\nnote = \"b\"\n}", &["whole"])],
        ),
        row(
            "replaces, inside a block: changed, added",
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
            "replaces, inside a block: taken out",
            "fixed",
            [
                create("part {\nkind = \"a\"\n}\npart {\nkind = \"b\"\n}"),
                update("part {\nkind = \"a\"\n}").made(json!({ "part": [{ "kind": "a", "note": null }] })),
            ],
        ),
        row(
            "replaces, a set block: another element",
            "fixed",
            [create("loose {\nnote = \"a\"\n}"), replace("loose {\nnote = \"b\"\n}", &["loose"])],
        ),
    ]
}
