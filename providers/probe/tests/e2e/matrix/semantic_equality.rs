//! Differences that are not changes.

use serde_json::json;

use super::{Row, create, nothing, row, update};

pub(super) fn rows() -> Vec<Row> {
    vec![
        // Every difference is suppressed.
        row(
            "suppressed difference: on create",
            "soft",
            [create("text = \"a\"").after(json!({ "text": "a" }))],
        ),
        row(
            "suppressed difference: changed",
            "soft",
            [create("text = \"a\""), nothing("text = \"b\"").applied(json!({ "text": "a" }))],
        ),
        row(
            "suppressed difference: set for the first time",
            "soft",
            [create(""), update("text = \"a\"").after(json!({ "text": "a" }))],
        ),
        row(
            "suppressed difference: removed",
            "soft",
            [
                create("text = \"a\""),
                update("").after(json!({ "text": null })).applied(json!({ "text": null })),
            ],
        ),
        row(
            "suppressed difference: unknown",
            "soft",
            // The function is called when the value is known, so the final plan keeps the prior value.
            [
                create("text = \"a\""),
                update("text = LATER").unknown(&["text"]).applied(json!({ "text": "a" })),
                nothing("text = \"b\""),
            ],
        ),
        row(
            "suppressed difference: element of a list",
            "soft",
            [
                create("words = [\"a\", \"b\"]"),
                nothing("words = [\"A\", \"b\"]").applied(json!({ "words": ["a", "b"] })),
                update("words = [\"A\", \"c\"]").after(json!({ "words": ["A", "c"] })),
            ],
        ),
        row(
            "suppressed difference: number of elements",
            "soft",
            [
                create("words = [\"a\"]"),
                update("words = [\"A\", \"a\"]").after(json!({ "words": ["A", "a"] })),
                update("words = []").after(json!({ "words": [] })),
            ],
        ),
        row(
            "suppressed difference: value of a map",
            "soft",
            [
                create("labels = { k = \"a\" }"),
                nothing("labels = { k = \"A\" }").applied(json!({ "labels": { "k": "a" } })),
                update("labels = { k = \"b\" }"),
            ],
        ),
        row(
            "suppressed difference: key of a map",
            "soft",
            [
                create("labels = { k = \"a\" }"),
                nothing("labels = { K = \"a\" }").applied(json!({ "labels": { "k": "a" } })),
                update("labels = { other = \"a\" }"),
            ],
        ),
        row(
            "suppressed difference: element of a set",
            "soft",
            [
                create("tags = [\"a\", \"b\"]"),
                nothing("tags = [\"b\", \"A\"]").applied(json!({ "tags": ["a", "b"] })),
                update("tags = [\"a\", \"c\"]"),
            ],
        ),
        row(
            "suppressed difference: in a set block",
            "soft",
            [
                create("rule {\nport = 1\nnote = \"a\"\n}\nrule {\nport = 2\nnote = \"b\"\n}"),
                nothing("rule {\nport = 2\nnote = \"B\"\n}\nrule {\nport = 1\nnote = \"A\"\n}"),
                update("rule {\nport = 1\nnote = \"A\"\n}\nrule {\nport = 2\nnote = \"c\"\n}")
                    .after(json!({ "rule": [{ "port": 1, "note": "a" }, { "port": 2, "note": "c" }] })),
            ],
        ),
        row(
            "suppressed difference: in a list block",
            "soft",
            [
                create("disk {\nsize = 1\nnote = \"a\"\n}"),
                nothing("disk {\nsize = 1\nnote = \"A\"\n}"),
                update("disk {\nsize = 2\nnote = \"A\"\n}")
                    .after(json!({ "disk": [{ "size": 2, "note": "a" }] })),
            ],
        ),
        row(
            "suppressed difference: attribute and its object",
            "softnested",
            [
                create("disk = { size = 10, note = \"a\" }"),
                nothing("disk = { size = 15, note = \"A\" }")
                    .applied(json!({ "disk": { "size": 10, "note": "a" } })),
                update("disk = { size = 15, note = \"b\" }")
                    .after(json!({ "disk": { "size": 15, "note": "b" } })),
                update("disk = { size = 90, note = \"B\" }")
                    .after(json!({ "disk": { "size": 90, "note": "b" } })),
            ],
        ),
        row(
            "suppressed difference, default: removed, default suppressed",
            "soft",
            [
                create("kind = \"dEF\"").after(json!({ "kind": "dEF" })),
                nothing("").applied(json!({ "kind": "dEF" })),
                update("kind = \"other\""),
                update("").after(json!({ "kind": "Def" })),
            ],
        ),
        row(
            "suppressed difference: after a read",
            "soft",
            [
                create("read = \"a\""),
                nothing("read = \"a\"").after_drift("read", "A", true).applied(json!({ "read": "A" })),
            ],
        ),
        row(
            "suppressed on refresh: after a read",
            "soft",
            [
                create("read_softly = \"a\""),
                nothing("read_softly = \"a\"")
                    .after_drift("read_softly", "A", false)
                    .applied(json!({ "read_softly": "a" })),
                update("read_softly = \"a\"").after_drift("read_softly", "b", true),
            ],
        ),
        row(
            "semantic equality: equal results",
            "soft",
            [create("stored = \"a\""), nothing("stored = \"A\"").applied(json!({ "stored": "a" }))],
        ),
        row(
            "semantic equality: different results",
            "soft",
            [create("stored = \"a\""), update("stored = \"B\"").after(json!({ "stored": "B" }))],
        ),
    ]
}
