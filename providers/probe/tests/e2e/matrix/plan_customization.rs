//! Plan customization, timeouts, failed updates and state upgrades.

use serde_json::json;

use super::{Row, create, fails, nothing, replace, row, update};

pub(super) fn rows() -> Vec<Row> {
    vec![
        // The environment variable is `one`, then `second`, then unset.
        row(
            "plan customization: called without a change",
            "course",
            [
                create("how = \"around\"").after(json!({ "length": 3 })),
                update("how = \"around\"").after(json!({ "length": 6 })),
                update("how = \"around\"").after(json!({ "length": 0 })),
            ],
        ),
        row(
            "plan customization: no change",
            "course",
            [create("how = \"nothing\"").unknown(&["length"]), nothing("how = \"nothing\"")],
        ),
        row(
            "plan customization: sets a computed value",
            "course",
            [
                create("how = \"set\"\ntext = \"a\"").after(json!({ "length": 1 })),
                update("how = \"set\"\ntext = \"abc\"").after(json!({ "length": 3 })),
            ],
        ),
        row(
            "plan customization: sets a computed value to unknown",
            "course",
            [
                create("how = \"unknown\"\ntext = \"a\""),
                update("how = \"unknown\"\ntext = \"abc\"")
                    .unknown(&["length"])
                    .applied(json!({ "length": 3 })),
            ],
        ),
        row(
            "plan customization: requests replacement",
            "course",
            [
                create("how = \"replace\"\ntext = \"a\""),
                replace("how = \"replace\"\ntext = \"b\"", &["text"]),
            ],
        ),
        row("plan customization: returns an error", "course", [fails("how = \"veto\"", "No such course")]),
        row(
            "plan customization: unknown values",
            "course",
            [
                create("how = \"set\"\ntext = \"a\""),
                update("how = \"set\"\ntext = LATER")
                    .unknown(&["length", "text"])
                    .applied(json!({ "length": 5 })),
            ],
        ),
        row(
            "timeouts: changed alone",
            "course",
            [
                create("timeouts {\ncreate = \"1h\"\n}").applied(json!({ "revision": 0 })),
                update("timeouts {\ncreate = \"2h\"\n}")
                    .after(json!({ "revision": 0, "timeouts": { "create": "2h", "update": null } }))
                    .applied(json!({ "revision": 0 })),
            ],
        ),
        row(
            "failed update: without a checkpoint",
            "course",
            [
                create("text = \"a\""),
                update("text = \"b\"\nhow = \"fail\"")
                    .fails_to_apply("The update failed")
                    .applied(json!({ "text": "a" })),
                update("text = \"b\"").before(json!({ "text": "a" })).after(json!({ "text": "b" })),
            ],
        ),
        row(
            "failed update: with a checkpoint",
            "course",
            [
                create("text = \"a\""),
                update("text = \"b\"\nhow = \"fail late\"")
                    .fails_to_apply("The update failed after a checkpoint")
                    .applied(json!({ "text": "b", "how": null })),
                nothing("text = \"b\""),
            ],
        ),
        row(
            "state upgrade: from version 0",
            "parcel",
            [nothing("grams = 7000").applied(json!({ "grams": 7000 }))],
        )
        .stored(0, json!({ "parts": ["NAME", "7000"] })),
        row(
            "state upgrade: from version 1",
            "parcel",
            [nothing("grams = 7000").applied(json!({ "grams": 7000 }))],
        )
        .stored(1, json!({ "name": "NAME", "weight": "7 kg" })),
        row(
            "state upgrade: from a newer version",
            "parcel",
            [fails("grams = 7000", "managed by newer provider")],
        )
        .stored(9, json!({ "name": "NAME" })),
    ]
}
