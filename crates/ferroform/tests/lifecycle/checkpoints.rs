//! Checkpoints: which values they keep and which they reject.

use expect_test::{Expect, expect};
use ferroform::{ApplyCx, Diagnostic, Model, Planned, ReadCx, Resource, Result, path};
use ferroform_testing::{Harness, config, provider};

provider! { Test { resource Thing = "test_thing" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    what: String,
    #[attr(default = 3)]
    n: i64,
    #[attr(mixed)]
    els: Vec<Part>,
    #[attr(computed)]
    one: Option<Token>,
    #[attr(computed)]
    ids: Vec<String>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    k: String,
    #[attr(computed)]
    id: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Token {
    a: String,
    b: u64,
}

impl Resource for Thing {
    type Provider = Test;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        let parts = |all: &[&str]| -> Vec<Part> {
            all.iter().map(|k| Part { k: (*k).to_owned(), id: format!("id-{k}") }).collect()
        };
        match plan.what.as_str() {
            "as planned" => {
                cx.checkpoint_at(path!(n), &3);
                cx.checkpoint_at(path!(els), &parts(&["x", "y"]));
                cx.checkpoint_at(path!(els[0].id), &"other".to_owned());
                cx.checkpoint_at(path!(one), &Token { a: "a".into(), b: 1 });
                cx.checkpoint_at(path!(one.b), &2_u64);
            }
            "elements" => cx.checkpoint_at(path!(els), &parts(&["lied"])),
            "inputs" => {
                cx.checkpoint_at(path!(n), &9);
                cx.checkpoint_at(path!(els[0].k), &"lied".to_owned());
            }
            _ => {
                cx.checkpoint_at(path!(one.a), &"x".to_owned());
                cx.checkpoint_at(path!(ids[0]), &"x".to_owned());
                cx.checkpoint_at(path!(els[9].id), &"x".to_owned());
                cx.checkpoint_at(path!(els[0].id), &7);
            }
        }
        Err(Diagnostic::error("It broke").into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn check(what: &str, errors: Expect, state: Expect) {
    let mut thing = Harness::start::<Test>(config! {}).resource("test_thing");
    let found = thing.try_apply(config! { what = what, els = [{ k = "x" }, { k = "y" }] }).error();
    errors.assert_eq(&found.to_string());
    state.assert_eq(&thing.state().to_string());
}

#[test]
fn checkpoint_keeps_planned_values() {
    check(
        "as planned",
        expect![
            "It broke: The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it."
        ],
        expect![[r#"
        what = "as planned"
        n = 3
        els[0].k = "x"
        els[0].id = "other"
        els[1].k = "y"
        els[1].id = "id-y"
        one.a = "a"
        one.b = 2
        ids = []"#]],
    );
}

/// The state contains the recorded values, as after a successful method.
#[test]
fn checkpoint_with_unplanned_computed_value_is_kept_and_reported() {
    check(
        "elements",
        expect![[r#"
            It broke: The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.
            els: Provider produced invalid checkpoint: els: the planned value is a list of length 2, but the provider returned a list of length 1. This is a bug in the provider; please report it to its authors."#]],
        expect![[r#"
        what = "elements"
        n = 3
        els[0].k = "lied"
        els[0].id = "id-lied"
        ids = []"#]],
    );
}

#[test]
fn checkpoint_does_not_change_configured_values() {
    check(
        "inputs",
        expect![[r#"
            It broke: The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.
            Provider produced invalid checkpoint: The provider recorded a value at "n" that cannot be stored in the state, because the attribute is not computed and the value differs from the planned one. This is a bug in the provider; please report it to its authors.
            Provider produced invalid checkpoint: The provider recorded a value at "els[0].k" that cannot be stored in the state, because the attribute is not computed and the value differs from the planned one. This is a bug in the provider; please report it to its authors."#]],
        expect![[r#"
        what = "inputs"
        n = 3
        els[0].k = "x"
        els[0].id = ""
        els[1].k = "y"
        els[1].id = ""
        ids = []"#]],
    );
}

#[test]
fn rejected_checkpoint_reports_the_reason() {
    check(
        "nowhere",
        expect![[r#"
            It broke: The state contains the values that the provider recorded. The object is tainted, so the next apply replaces it.
            Provider produced invalid checkpoint: The provider recorded a value at "one.a" that cannot be stored in the state, because "one" is still unknown, so it can only be recorded as a whole. This is a bug in the provider; please report it to its authors.
            Provider produced invalid checkpoint: The provider recorded a value at "ids[0]" that cannot be stored in the state, because "ids" is still unknown, so it can only be recorded as a whole. This is a bug in the provider; please report it to its authors.
            Provider produced invalid checkpoint: The provider recorded a value at "els[9].id" that cannot be stored in the state, because the path does not exist in the object. This is a bug in the provider; please report it to its authors.
            Provider produced invalid checkpoint: The provider recorded a value at "els[0].id" that cannot be stored in the state, because a string is required, but got a number. This is a bug in the provider; please report it to its authors."#]],
        expect![[r#"
        what = "nowhere"
        n = 3
        els[0].k = "x"
        els[0].id = ""
        els[1].k = "y"
        els[1].id = ""
        ids = []"#]],
    );
}
