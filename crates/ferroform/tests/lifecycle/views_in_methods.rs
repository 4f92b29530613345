//! Changes of the plan that `plan` must not make, and the types of its views.

use expect_test::{Expect, expect};
use ferroform::{
    ApplyCx, Change, Known, Maybe, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Unknown,
};
use ferroform_testing::{Configuration, Harness, Invariant, config, provider, unknown};

provider! { Test { resource Thing = "test_thing" } }

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    /// The change that `plan` makes.
    change: Option<String>,
    #[attr(default = 3)]
    n: i64,
    #[attr(default_with = || Some(4))]
    m: i64,
    #[attr(default = vec!["a".to_owned()])]
    words: Vec<String>,
    #[attr(mixed)]
    list: Option<Vec<Part>>,
    #[attr(computed)]
    token: Option<Token>,
    #[attr(computed)]
    tokens: Vec<Token>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Token {
    a: String,
    b: Option<u64>,
}

#[derive(Model, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    k: String,
    #[attr(default = 5)]
    d: i64,
    #[attr(computed)]
    id: String,
}

impl Resource for Thing {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        let mut plan = change.plan;
        let part = |it: Proposed<Part>| Proposed::<Part> { d: Unknown, ..it };
        match plan.change.clone().known().flatten().as_deref() {
            Some("n") => plan.n = Unknown,
            Some("m") => plan.m = Unknown,
            Some("words") => plan.words = Known(vec![Known("a".into()), Unknown]),
            Some("list") => {
                plan.list = plan.list.map(|it| it.map(|it| it.into_iter().map(|it| it.map(part)).collect()));
            }
            Some("token") if change.prior.is_none() => {
                plan.token = Known(Some(Proposed::<Token> { a: Known("x".into()), b: Unknown }));
                plan.tokens = Known(vec![Known(TokenView { a: Unknown, b: Known(Some(1)) })]);
            }
            _ => {}
        }
        Ok(plan)
    }

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        let part = |it: Planned<Part>| Part { k: it.k, d: it.d, id: "i".into() };
        let token = |it: Proposed<Token>| Token { a: it.a.unwrap_or("y".into()), b: it.b.known().flatten() };
        let tokens =
            plan.tokens.unwrap_or_default().into_iter().filter_map(Maybe::known).map(token).collect();
        let token = plan.token.known().flatten().map(token);
        Ok(ThingComputed { token, tokens, list: plan.list.map(|it| it.into_iter().map(part).collect()) })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn check_rejected(config: Configuration, expected: Expect) {
    let harness = Harness::start::<Test>(config! {}).skip_check(Invariant::PlanMatchesConfiguration);
    let errors = harness.resource("test_thing").try_apply(config).error();
    let lines: Vec<String> =
        errors.iter().map(|it| it.detail.split(". This is").next().unwrap_or_default().to_owned()).collect();
    expected.assert_eq(&lines.join("\n"));
}

#[test]
fn attributes_with_defaults_are_known_in_methods() {
    check_rejected(
        config! { change = "n" },
        expect![
            "n: the default is 3, so the planned value must be known, but the provider planned an unknown value"
        ],
    );
    check_rejected(
        config! { change = "m" },
        expect![
            "m: there is a default, so the planned value must be known, but the provider planned an unknown value"
        ],
    );
    check_rejected(
        config! { change = "words" },
        expect![
            "words[1]: the default is a list of length 1, so the planned value must be known, but the provider planned an unknown value"
        ],
    );
    check_rejected(
        config! { change = "list", list = [{ k = "a" }, { k = "b", d = 6 }] },
        expect![[r#"
        list[0].d: the default is 5, so the planned value must be known, but the provider planned an unknown value
        list[1].d: the configured value is 6, but the provider planned an unknown value"#]],
    );
    // Unless the configured value is unknown.
    let mut thing = Harness::start::<Test>(config! {}).resource("test_thing");
    let unknown_config = config! { n = unknown(), m = unknown(), list = [{ k = "a", d = unknown() }] };
    thing.apply_once_known(unknown_config, config! { n = 1, m = 1, list = [{ k = "a", d = 1 }] });
}

/// Computed objects are planned like other values, and can be partly unknown.
#[test]
fn plan_method_sets_computed_objects() {
    let mut thing = Harness::start::<Test>(config! {}).resource("test_thing");
    expect![[r#"
        create
        + change = "token"
        + n = 3
        + m = 4
        + words = ["a"]
        + token.a = "x"
        + token.b = (known after apply)
        + tokens[0].a = (known after apply)
        + tokens[0].b = 1"#]]
    .assert_eq(&thing.apply(config! { change = "token" }).to_string());
    expect![[r#"
        change = "token"
        n = 3
        m = 4
        words = ["a"]
        token.a = "x"
        tokens[0].a = "y"
        tokens[0].b = 1"#]]
    .assert_eq(&thing.state().to_string());
}
