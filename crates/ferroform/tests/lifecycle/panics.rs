//! Panics in code other than methods: validators, defaults, equality and conversions of types.

use std::sync::Mutex;

use ferroform::schema::ValueChange;
use ferroform::value::{Error, Type, Value};
use ferroform::view::View;
use ferroform::{
    ApplyCx, Args, Attr, Change, Cx, DataSource, Known, Maybe, Model, PlanCx, Planned, Proposed, Provider,
    Registry, RequestCx, Resource, Result, path,
};
use ferroform_testing::{Configuration, Harness, Instance, Invariant, config};

/// What the service answers of every object.
static ANSWER: Mutex<String> = Mutex::new(String::new());

/// Tests that change the answer take turns.
static TURN: Mutex<()> = Mutex::new(());

fn answer() -> Touchy {
    Touchy(ANSWER.lock().unwrap().clone())
}

/// A text that cannot be compared, or read, where it says so.
#[derive(Clone, Debug)]
struct Touchy(String);

impl PartialEq for Touchy {
    fn eq(&self, other: &Touchy) -> bool {
        assert!(self.0 != "boom" && other.0 != "boom", "cannot compare");
        self.0 == other.0
    }
}

impl Attr for Touchy {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let text = String::from_value(value)?;
        assert!(text != "unreadable", "cannot read");
        Ok(Touchy(text))
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

struct Test;

impl Provider for Test {
    const ADDRESS: &'static str = "example.com/test/test";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Test))
    }

    fn register(registry: &mut Registry<Self>) {
        registry
            .resource::<Thing>("test_thing")
            .resource::<Fragile>("test_fragile")
            .data_source::<Look>("test_look");
    }
}

/// Something with an answer that is planned as it will not be.
#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    name: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed)]
    answer: Touchy,
}

async fn made(cx: &ApplyCx<Test>, plan: Planned<Thing>) -> Result<ThingComputed> {
    let id = format!("real {}", plan.name);
    cx.checkpoint_at(path!(id), &id);
    cx.set_private("made", &true)?;
    Ok(ThingComputed { id, answer: answer() })
}

impl Resource for Thing {
    type Provider = Test;

    async fn plan(_: &PlanCx<Test>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(Proposed::<Self> { answer: Known(Touchy("planned".into())), ..change.plan })
    }

    async fn create(cx: &ApplyCx<Test>, plan: Planned<Self>) -> Result<ThingComputed> {
        made(cx, plan).await
    }

    async fn read(_: &Cx<Test>, state: Self) -> Result<Option<Self>> {
        Ok(Some(Thing { answer: answer(), ..state }))
    }

    async fn update(cx: &ApplyCx<Test>, _: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        made(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Test>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn explode(_: &str) -> Result<(), String> {
    panic!("no luck")
}

fn differs(a: &str, b: &str) -> bool {
    panic!("cannot tell {a} from {b}")
}

fn replaces(change: &ValueChange<String>) -> bool {
    panic!("cannot tell {}", change.prior.is_some())
}

/// Each of its attributes panics in another way once it is set, the default where it is not.
#[derive(Model, Clone, Debug, PartialEq)]
struct Fragile {
    #[attr(default = String::from(boom("there is none")))]
    default: String,
    #[attr(default_with = of_nowhere)]
    elsewhere: String,
    #[attr(validate = explode)]
    rule: Option<String>,
    #[attr(suppress_diff = differs)]
    suppressed: Option<String>,
    #[attr(requires_replace_if = replaces)]
    replaces: Option<String>,
    touchy: Option<Touchy>,
}

fn boom(why: &str) -> &'static str {
    panic!("{why}")
}

fn of_nowhere() -> Option<String> {
    panic!("nowhere")
}

impl Resource for Fragile {
    type Provider = Test;

    async fn create(_: &ApplyCx<Test>, _: Planned<Self>) -> Result<FragileComputed> {
        Ok(FragileComputed {})
    }

    async fn read(_: &Cx<Test>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Test>, _: Self, _: Planned<Self>) -> Result<FragileComputed> {
        Ok(FragileComputed {})
    }

    async fn delete(_: &ApplyCx<Test>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Look {
    #[attr(optional, computed)]
    answer: Touchy,
}

impl DataSource for Look {
    type Provider = Test;

    async fn read(_: &Cx<Test>, _: Args<Self>) -> Result<LookComputed> {
        Ok(LookComputed { answer: answer() })
    }
}

fn harness() -> Harness {
    Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject)
}

fn answers(text: &str) {
    *ANSWER.lock().unwrap() = text.to_owned();
}

#[test]
fn created_object_is_kept_if_its_type_panics() {
    let _turn = TURN.lock().unwrap();
    let mut thing = harness().resource("test_thing");
    answers("boom");
    let errors = thing.expect_error(config! { name = "a" }).to_string();
    assert!(errors.contains("the creation of test_thing panicked at"), "{errors}");
    assert!(errors.contains("panics.rs:") && errors.contains(": cannot compare\n"), "{errors}");
    assert!(thing.is_tainted());
    assert_eq!(thing.state().to_string(), "name = \"a\"\nid = \"real a\"\nanswer = \"boom\"");

    // It can be read, where that panics too, and be replaced once it does not.
    let errors = core_refresh(&mut thing);
    assert!(errors.contains("the read of test_thing panicked at"), "{errors}");
    answers("planned");
    thing = harness()
        .resource("test_thing")
        .with_state(config! { name = "a", id = "real a", answer = "planned" });
    answers("boom");
    let errors = thing.expect_error(config! { name = "b" }).to_string();
    assert!(errors.contains("the update of test_thing panicked at"), "{errors}");
    assert_eq!(thing.state().to_string(), "name = \"b\"\nid = \"real b\"\nanswer = \"boom\"");
    assert!(!thing.is_tainted());
    answers("planned");
}

/// The errors of a reading; destroying reads first.
fn core_refresh(thing: &mut Instance) -> String {
    thing.expect_destroy_error().to_string()
}

#[test]
fn checkpoint_is_kept_if_its_type_panics_when_read() {
    let _turn = TURN.lock().unwrap();
    let mut thing = harness().resource("test_thing");
    answers("unreadable");
    let errors = thing.expect_error(config! { name = "a" }).to_string();
    assert!(errors.contains("test_thing panicked at"), "{errors}");
    assert_eq!(thing.state().get::<String>(path!(id)), "real a");
    answers("planned");
}

#[test]
fn panics_are_errors_with_a_location() {
    let fragile = |config: Configuration| harness().resource("test_fragile").expect_error(config).to_string();
    let errors = fragile(config! { elsewhere = "b" });
    assert!(errors.starts_with("default: Invalid Default: The argument \"default\""), "{errors}");
    assert!(errors.contains("the function panicked: there is none, at "), "{errors}");
    let errors = fragile(config! { default = "a" });
    assert!(errors.starts_with("elsewhere: Invalid Default: The argument \"elsewhere\""), "{errors}");
    assert!(errors.contains("the function panicked: nowhere, at "), "{errors}");
    let errors = fragile(config! { default = "a", elsewhere = "b", rule = "x" });
    assert!(errors.contains("the validation of test_fragile panicked at"), "{errors}");
    assert!(errors.contains(": no luck\n"), "{errors}");
    let errors = fragile(config! { default = "a", elsewhere = "b", touchy = "unreadable" });
    assert!(errors.contains("he validation of test_fragile panicked at"), "{errors}");

    let changed = |attribute: Configuration, config: Configuration| {
        harness().resource("test_fragile").with_state(attribute).expect_error(config).to_string()
    };
    for (before, after) in [
        (
            config! { default = "a", elsewhere = "b", suppressed = "x" },
            config! { default = "a", elsewhere = "b", suppressed = "y" },
        ),
        (
            config! { default = "a", elsewhere = "b", replaces = "x" },
            config! { default = "a", elsewhere = "b", replaces = "y" },
        ),
        (
            config! { default = "a", elsewhere = "b", touchy = "x" },
            config! { default = "a", elsewhere = "b", touchy = "boom" },
        ),
    ] {
        let errors = changed(before, after);
        assert!(errors.contains("the plan of test_fragile panicked at"), "{errors}");
    }
}

#[test]
fn panic_in_data_source_is_an_error() {
    let _turn = TURN.lock().unwrap();
    answers("boom");
    let errors = harness().data_source("test_look").expect_error(config! { answer = "planned" }).to_string();
    assert!(errors.contains("the read of test_look panicked at"), "{errors}");
    answers("planned");
}
