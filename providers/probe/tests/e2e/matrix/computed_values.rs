//! Computed values and defaults from the environment.

use serde_json::json;

use super::{Row, create, fails, nothing, row, update};

/// Sets the required argument, without a default from the environment.
const NEEDED: &str = "needed = \"n\"\naround = \"\"";

pub(super) fn rows() -> Vec<Row> {
    vec![
        row(
            "computed: on create and update",
            "origin",
            [
                create(NEEDED).unknown(&["computed", "id"]),
                update("needed = \"n\"\naround = \"\"\nnote = \"x\"")
                    .unknown(&["computed"])
                    .after(json!({ "id": "created computed__on_create_and_update" }))
                    .applied(json!({ "computed": "updated computed__on_create_and_update" })),
            ],
        ),
        row(
            "optional and computed: omitted on create",
            "origin",
            [create(NEEDED).unknown(&["chosen", "kept"]).applied(json!({
                "chosen": "created optional_and_computed__omitted_on_create",
                "kept": "created optional_and_computed__omitted_on_create",
            }))],
        ),
        row(
            "optional and computed: removed",
            "origin",
            [
                create("needed = \"n\"\naround = \"\"\nchosen = \"a\"\nkept = \"a\"")
                    .after(json!({ "chosen": "a", "kept": "a" })),
                nothing(NEEDED).applied(json!({ "chosen": "a", "kept": "a" })),
            ],
        ),
        row(
            "optional and computed: removed while another attribute changes",
            "origin",
            [
                create("needed = \"n\"\naround = \"\"\nchosen = \"a\"\nkept = \"a\""),
                update("needed = \"n\"\naround = \"\"\nnote = \"x\"")
                    .unknown(&["chosen"])
                    .after(json!({ "kept": "a" }))
                    .applied(
                        json!({ "chosen": "updated optional_and_computed__removed_while_another_attribute_changes" }),
                    ),
            ],
        ),
        row(
            "optional and computed: set to the empty string",
            "origin",
            [
                create("needed = \"n\"\naround = \"\"\nchosen = \"a\"\nkept = \"a\""),
                update("needed = \"n\"\naround = \"\"\nchosen = \"\"\nkept = \"\"")
                    .after(json!({ "chosen": "", "kept": "" }))
                    .applied(json!({ "chosen": "", "kept": "" })),
            ],
        ),
        // The environment variable is `one`, then `second`, then unset.
        row(
            "default from the environment: variable changed and removed",
            "origin",
            [
                create("needed = \"n\"").after(json!({ "around": "one" })).applied(json!({ "around": "one" })),
                update("needed = \"n\"")
                    .after(json!({ "around": "second" }))
                    .applied(json!({ "around": "second" })),
                update("needed = \"n\"").after(json!({ "around": null })).applied(json!({ "around": null })),
            ],
        ),
        row(
            "default from the environment: configured",
            "origin",
            [
                create("needed = \"n\"\naround = \"\"").after(json!({ "around": "" })),
                nothing("needed = \"n\"\naround = \"\""),
                nothing("needed = \"n\"\naround = \"\"").applied(json!({ "around": "" })),
            ],
        ),
        row(
            "required, default from the environment: variable set",
            "origin",
            [
                create("around = \"\"").after(json!({ "needed": "one" })).applied(json!({ "needed": "one" })),
                update("around = \"\"").after(json!({ "needed": "second" })),
                update("around = \"\"\nneeded = \"n\"").after(json!({ "needed": "n" })),
            ],
        ),
        row(
            "required, default from the environment: variable missing",
            "origin",
            [
                create("around = \"\"\nneeded = \"n\""),
                nothing("around = \"\"\nneeded = \"n\""),
                fails("around = \"\"", "is required, but it is not set"),
            ],
        ),
    ]
}
