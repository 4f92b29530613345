//! Optional and computed blocks of SDKv2, which become attributes of a list of objects.

use serde_json::json;

use super::{Row, create, nothing, rejected, row, update};

pub(super) fn rows() -> Vec<Row> {
    let chosen = json!({ "listener": [{ "port": 80, "label": null }] });
    let one = json!({ "listener": [{ "port": 1, "label": null }] });
    vec![
        row(
            "optional and computed block: omitted on create",
            "balancer",
            [create("").unknown(&["listener", "endpoint"]).applied(chosen.clone()), nothing("")],
        ),
        row(
            "optional and computed block: set with block syntax",
            "balancer",
            [
                create("listener {\nport = 1\n}").after(one.clone()).unknown(&["endpoint"]).applied(one.clone()),
                nothing("dynamic \"listener\" {\nfor_each = [1]\ncontent {\nport = listener.value\n}\n}"),
            ],
        ),
        row(
            "optional and computed block: set with attribute syntax",
            "balancer",
            [
                create("listener = [{ port = 1, label = null }]").after(one.clone()),
                update("listener = [{ port = 1, label = null }, { port = 2, label = \"b\" }]")
                    .unknown(&["endpoint"])
                    .after(json!({ "listener": [{ "port": 1, "label": null }, { "port": 2, "label": "b" }] })),
            ],
        ),
        row(
            "optional and computed block: attribute syntax without a nested attribute",
            "balancer",
            [rejected("listener = [{ port = 1 }]", "attribute \"label\" is required")],
        ),
        row(
            "optional and computed block: unknown value inside",
            "balancer",
            [create("listener {\nport = 1\nlabel = LATER\n}").applied(json!({
                "listener": [{ "port": 1, "label": "later" }],
            }))],
        ),
        row(
            "optional and computed block: removed",
            "balancer",
            [create("listener {\nport = 1\n}"), nothing("").applied(one.clone())],
        ),
        row(
            "optional and computed block: removed while another attribute changes",
            "balancer",
            [create("listener {\nport = 1\n}"), update("note = \"x\"").after(one).applied(json!({ "note": "x" }))],
        ),
        row(
            "optional and computed block: set to `[]`",
            "balancer",
            [
                create("").applied(chosen),
                update("listener = []").after(json!({ "listener": [] })).applied(json!({ "listener": [], "endpoint": [] })),
            ],
        ),
        row(
            "optional and computed block: computed value of each block",
            "balancer",
            [
                create("listener {\nport = 1\n}").unknown(&["endpoint"]).applied(
                    json!({ "endpoint": [{ "url": "http://optional_and_computed_block__computed_value_of_each_block:1" }] }),
                ),
                update("listener {\nport = 1\n}\nnote = \"x\"").after(
                    json!({ "endpoint": [{ "url": "http://optional_and_computed_block__computed_value_of_each_block:1" }] }),
                ),
            ],
        ),
    ]
}
