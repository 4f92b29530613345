//! Relations between attributes, and numbers of elements.

use super::{Row, create, rejected, row};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("conflicts with: null", "group", [create("conflicts {\na = \"x\"\nb = null\n}")]),
        row(
            "conflicts with: empty string",
            "group",
            [rejected("conflicts {\na = \"x\"\nb = \"\"\n}", "Invalid Attribute Combination")],
        ),
        row(
            "conflicts with: unknown, then null",
            "group",
            [create("conflicts {\na = \"x\"\nb = LATER == \"later\" ? null : \"y\"\n}")],
        ),
        row(
            "conflicts with: unknown, then set",
            "group",
            [
                create("conflicts {\na = \"x\"\nb = LATER\n}")
                    .fails_to_apply("Invalid Attribute Combination"),
                create("conflicts {\na = \"x\"\n}"),
            ],
        ),
        row(
            "exactly one of: null",
            "group",
            [rejected("exactly {\na = null\n}", "Missing Attribute Configuration")],
        ),
        row(
            "exactly one of: empty string",
            "group",
            [rejected("exactly {\na = \"x\"\nb = \"\"\n}", "Invalid Attribute Combination")],
        ),
        row(
            "exactly one of: unknown",
            "group",
            [create("exactly {\na = LATER == \"later\" ? \"x\" : null\n}")],
        ),
        row(
            "at least one of: null",
            "group",
            [rejected("at_least {\na = null\n}", "Missing Attribute Configuration")],
        ),
        row("at least one of: empty string", "group", [create("at_least {\na = \"\"\n}")]),
        row(
            "at least one of: unknown",
            "group",
            [create("at_least {\na = LATER == \"later\" ? \"x\" : null\n}")],
        ),
        row("requires: null", "group", [rejected("with {\na = \"x\"\n}", "Invalid Attribute Combination")]),
        row("requires: empty string", "group", [create("with {\na = \"x\"\nb = \"\"\n}")]),
        row(
            "requires: unknown",
            "group",
            [create("with {\na = \"x\"\nb = LATER == \"later\" ? \"x\" : null\n}")],
        ),
        row(
            "number of elements: too many",
            "group",
            [rejected(
                "limits {\nwords = [\"a\", \"b\", \"c\"]\npart {}\n}",
                "1 to 2 elements are required, but there are 3",
            )],
        ),
        row(
            "number of elements: `[]`",
            "group",
            [rejected("limits {\nwords = []\npart {}\n}", "1 to 2 elements are required, but there are 0")],
        ),
        row("number of elements: null", "group", [create("limits {\npart {}\n}")]),
        row(
            "number of blocks: too many",
            "group",
            [rejected("limits {\npart {}\npart {}\npart {}\n}", "Too many part blocks")],
        ),
        row("number of blocks: none", "group", [rejected("limits {}", "Insufficient part blocks")]),
    ]
}
