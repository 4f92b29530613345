//! Custom types in the engine: semantic equality, partially created objects, sensitive values.

#![allow(clippy::unwrap_used, reason = "test code")]

use std::sync::Mutex;

use ferroform::value::{Error, Type, Value};
use ferroform::{
    ApplyCx, Attr, Change, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, Set, path, view::View,
};
use ferroform_testing::{Action, Harness, config, provider};

/// A nonempty string that is compared and displayed in uppercase.
#[derive(Clone, Debug, PartialEq)]
struct Uppercase(String);

impl Attr for Uppercase {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let string = String::from_value(value)?;
        if string.is_empty() {
            Err(Error::new("letters are required"))
        } else {
            Ok(Uppercase(string.to_uppercase()))
        }
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }

    fn placeholder() -> Value {
        "NONE".into()
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Part {
    word: Uppercase,
    #[attr(computed, use_state_for_unknown)]
    serial: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Plain {
    word: Uppercase,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    #[attr(requires_replace)]
    name: String,
    word: Option<Uppercase>,
    plain: Option<Set<Plain>>,
    #[attr(mixed)]
    parts: Option<Set<Part>>,
    #[attr(sensitive)]
    pin: Option<u16>,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed, use_state_for_unknown)]
    mode: Uppercase,
}

provider! { Test { resource Thing = "test_thing" } }

/// The remote objects.
static THINGS: Mutex<Vec<Thing>> = Mutex::new(Vec::new());

impl Resource for Thing {
    type Provider = Test;

    /// Proposes no change. Converting the plan reads and writes every value.
    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(change.plan)
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        match plan.name.as_str() {
            "late" => {
                cx.checkpoint_at(path!(id), &"created".to_owned());
                panic!("after the fact");
            }
            "typo" => {
                cx.checkpoint_at(path!(idd), &"created".to_owned());
                cx.checkpoint_at(path!(id), &7_u64);
                cx.checkpoint_at(path!(name), &"other".to_owned());
                return Err(std::io::Error::other("it broke").into());
            }
            _ => {}
        }
        let part = |it: PartView<_>| Part { word: it.word, serial: "s".into() };
        let thing = Thing {
            parts: plan.parts.map(|it| it.into_iter().map(part).collect()),
            plain: plan.plain.map(|it| it.into_iter().map(|it| Plain { word: it.word }).collect()),
            name: plan.name,
            word: plan.word,
            pin: plan.pin,
            id: "created".into(),
            mode: Uppercase("ON".into()),
        };
        THINGS.lock().unwrap().push(thing.clone());
        Ok(thing.into())
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(THINGS.lock().unwrap().iter().find(|it| it.name == state.name).cloned())
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<ThingComputed> {
        Ok(prior.into())
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        THINGS.lock().unwrap().retain(|it| it.name != state.name);
        Ok(())
    }
}

#[test]
fn semantically_equal_value_stays_as_configured() {
    let harness = Harness::start::<Test>(config! {});
    let mut thing = harness.resource("test_thing");
    // After each apply, the test kit checks that another read and plan report no change.
    thing.apply(config! {
        name = "same", word = "abc", plain = [{ word = "def" }, { word = "ghi" }], parts = [{ word = "jkl" }],
    });
    assert_eq!(thing.state().get::<String>(path!(word)), "abc");
    assert_eq!(thing.plan(config! { name = "same", word = "ABC", plain = [{ word = "def" }, { word = "ghi" }], parts = [{ word = "jkl" }] }).action, Action::NoOp);
    thing.destroy();
}

#[test]
fn partially_created_object_can_be_destroyed() {
    let harness = Harness::start::<Test>(config! {});
    let mut thing = harness.resource("test_thing");
    thing.try_apply(config! { name = "late" }).error();
    assert!(thing.is_tainted());
    assert_eq!(thing.state().get::<String>(path!(id)), "created");
    assert_eq!(thing.state().get::<String>(path!(mode)), "NONE");
    thing.destroy();
}

#[test]
fn invalid_checkpoint_is_reported() {
    let harness = Harness::start::<Test>(config! {});
    let found = harness.resource("test_thing").try_apply(config! { name = "typo" }).error();
    let error = found.to_string();
    for message in [
        "\"idd\" that cannot be stored in the state, because the attribute is not computed",
        "\"id\" that cannot be stored in the state, because a string is required, but got a number",
        "\"name\" that cannot be stored in the state",
    ] {
        assert!(error.contains(message), "{message}: {error}");
    }
}

#[test]
fn sensitive_number_is_masked_in_errors() {
    let harness = Harness::start::<Test>(config! {});
    let found = harness.resource("test_thing").try_apply(config! { name = "pin", pin = 123_456 }).error();
    let error = found.to_string();
    assert!(error.contains("between 0 and 65535") && !error.contains("123456"), "{error}");
}

/// A type that rejects the empty string and does not implement `placeholder`.
#[derive(Clone, Debug, PartialEq)]
struct Strict(Uppercase);

impl Attr for Strict {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        Uppercase::from_value(value).map(Strict)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct WithoutPlaceholder {
    #[attr(computed)]
    mode: Strict,
}

#[test]
fn type_without_empty_value_needs_placeholder() {
    let errors: Vec<String> =
        WithoutPlaceholder::schema().definition_errors().iter().map(ToString::to_string).collect();
    assert!(
        matches!(errors.as_slice(), [one] if one.starts_with("mode: ") && one.contains("Attr::placeholder"))
    );
}
