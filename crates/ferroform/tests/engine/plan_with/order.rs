//! `plan_with` in combination with other options.

use expect_test::expect;
use ferroform::schema::ValueChange;
use ferroform::{Known, Maybe, Model, Unknown};
use ferroform_testing::{Action, config};

use crate::common::{check, check_without_update, plan};
use crate::plan_with::{keep, newest};

/// The function receives the value that the other options plan, and returns the final planned value.
#[test]
fn plan_with_runs_after_other_options() {
    fn describe_change(it: &ValueChange<String>) -> Maybe<String> {
        let plan = match &it.plan {
            Known(it) => it.clone().unwrap_or("null".into()),
            Unknown => "unknown".into(),
        };
        Known(format!("{plan} was {}", it.prior.as_deref().unwrap_or("new")))
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Described {
        name: String,
        #[attr(write_only, fingerprint)]
        password: Option<String>,
        #[attr(computed, plan_with = describe_change)]
        plain: String,
        #[attr(computed, use_state_for_unknown, plan_with = describe_change)]
        kept: String,
        #[attr(computed, use_non_null_state_for_unknown, plan_with = describe_change)]
        unless_null: String,
        #[attr(computed, follows(name), plan_with = describe_change)]
        followed: String,
        #[attr(computed, follows(password), plan_with = describe_change)]
        secret: String,
    }
    let all = |name: &str| {
        config! { name = name, plain = "p", kept = "k", unless_null = "u", followed = "f", secret = "s" }
    };
    check::<Described>(
        None,
        config! { name = "a" },
        expect![[r#"
        create
        + name = "a"
        + plain = "unknown was new"
        + kept = "unknown was new"
        + unless_null = "unknown was new"
        + followed = "unknown was new"
        + secret = "unknown was new""#]],
    );
    check::<Described>(
        Some(all("a")),
        config! { name = "b" },
        expect![[r#"
        update
        ~ name = "a" -> "b"
        ~ plain = "p" -> "unknown was p"
        ~ kept = "k" -> "k was k"
        ~ unless_null = "u" -> "u was u"
        ~ followed = "f" -> "unknown was f"
        ~ secret = "s" -> "s was s""#]],
    );
    check::<Described>(
        Some(all("a")),
        config! { name = "a" },
        expect![[r#"
        update
        ~ plain = "p" -> "unknown was p"
        ~ kept = "k" -> "k was k"
        ~ unless_null = "u" -> "u was u"
        ~ followed = "f" -> "f was f"
        ~ secret = "s" -> "s was s""#]],
    );
    check::<Described>(
        Some(config! { name = "a" }),
        config! { name = "b", password = "x" },
        expect![[r#"
            update
            ~ name = "a" -> "b"
            + plain = "unknown was new"
            + kept = "null was new"
            + unless_null = "unknown was new"
            + followed = "unknown was new"
            + secret = "unknown was new""#]],
    );
}

/// An attribute that follows another one follows the value that `plan_with` returns.
#[test]
fn following_attribute_sees_plan_with_result() {
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Chain {
        name: String,
        #[attr(computed, plan_with = newest)]
        version: i64,
        #[attr(computed, follows(version))]
        image: String,
        #[attr(computed, follows(image), plan_with = keep)]
        disk: String,
        #[attr(computed, follows(disk))]
        mount: String,
    }
    let state =
        |version: i64| config! { name = "a", version = version, image = "i", disk = "d", mount = "m" };
    check::<Chain>(
        Some(state(9)),
        config! { name = "b" },
        expect![[r#"
        update
        ~ name = "a" -> "b""#]],
    );
    check::<Chain>(
        Some(state(3)),
        config! { name = "a" },
        expect![[r#"
        update
        ~ version = 3 -> 5
        ~ image = "i" -> (known after apply)"#]],
    );
}

#[test]
fn plan_with_result_may_require_replacement() {
    fn grows(it: &ValueChange<i64>) -> bool {
        it.plan > Known(it.prior)
    }
    #[derive(Model, Clone, Debug, PartialEq)]
    struct Fixed {
        name: String,
        #[attr(optional, computed, plan_with = newest, requires_replace)]
        always: i64,
        #[attr(optional, computed, plan_with = newest, requires_replace_if = grows)]
        growing: i64,
        #[attr(optional, computed, plan_with = newest, requires_replace_if_configured)]
        configured: i64,
    }
    for (always, growing, configured) in [(3, 7, 7), (7, 3, 7), (7, 7, 3), (7, 7, 7)] {
        let state = config! { name = "a", always = always, growing = growing, configured = configured };
        let action = plan::<Fixed>(Some(state), config! { name = "a" }).action;
        let expected = match (always, growing, configured) {
            (7, 7, 7) => Action::NoOp,
            (7, 7, _) => Action::Update,
            _ => Action::Replace,
        };
        assert_eq!(action, expected, "{always} {growing} {configured}");
    }
    check_without_update::<Chained>(
        config! { name = "a", version = 3 },
        config! { name = "a" },
        expect![[r#"
            replace
            ~ version = 3 -> 1 # forces replacement"#]],
    );
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Chained {
    name: String,
    #[attr(computed, plan_with = newest)]
    version: i64,
}
