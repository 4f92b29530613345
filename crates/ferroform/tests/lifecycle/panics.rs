//! Panics outside of methods: in validators, defaults, equality functions and type conversions.

use std::sync::Mutex;

use ferroform::schema::ValueChange;
use ferroform::value::{Error, Type, Value};
use ferroform::view::View;
use ferroform::{
    ApplyCx, Args, Attr, Change, DataCx, DataSource, Known, Model, PlanCx, Planned, Proposed, ReadCx,
    Resource, Result, path,
};
use ferroform_testing::{Configuration, Harness, Instance, Invariant, config, provider};

/// The value that the service returns for every object.
static REMOTE_VALUE: Mutex<String> = Mutex::new(String::new());

/// Serializes the tests that change the value.
static SERIAL: Mutex<()> = Mutex::new(());

fn remote_value() -> Panicking {
    Panicking(REMOTE_VALUE.lock().unwrap().clone())
}

/// A string whose comparison or conversion panics for certain values.
#[derive(Clone, Debug)]
struct Panicking(String);

impl PartialEq for Panicking {
    fn eq(&self, other: &Panicking) -> bool {
        assert!(self.0 != "boom" && other.0 != "boom", "cannot compare");
        self.0 == other.0
    }
}

impl Attr for Panicking {
    type In<V: View> = Self;

    fn ty() -> Type {
        Type::String
    }

    fn from_value(value: &Value) -> Result<Self, Error> {
        let string = String::from_value(value)?;
        assert!(string != "unreadable", "cannot read");
        Ok(Panicking(string))
    }

    fn to_value(&self) -> Value {
        self.0.as_str().into()
    }
}

provider! {
    Test {
        resource Thing = "test_thing",
        resource Fragile = "test_fragile",
        data_source Look = "test_look",
    }
}

/// A resource whose computed value differs from the planned one.
#[derive(Model, Clone, Debug, PartialEq)]
struct Thing {
    name: String,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(computed)]
    value: Panicking,
}

async fn created(cx: &ApplyCx<Thing>, plan: Planned<Thing>) -> Result<ThingComputed> {
    let id = format!("real {}", plan.name);
    cx.checkpoint_at(path!(id), &id);
    cx.set_private("created", &true)?;
    Ok(ThingComputed { id, value: remote_value() })
}

impl Resource for Thing {
    type Provider = Test;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        Ok(Proposed::<Self> { value: Known(Panicking("planned".into())), ..change.plan })
    }

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<ThingComputed> {
        created(cx, plan).await
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(Thing { value: remote_value(), ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<ThingComputed> {
        created(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

fn explode(_: &str) -> Result<(), String> {
    panic!("no luck")
}

fn differs(a: &str, b: &str) -> bool {
    panic!("cannot compare {a} and {b}")
}

fn replaces(change: &ValueChange<String>) -> bool {
    panic!("cannot compare {}", change.prior.is_some())
}

/// Each attribute panics in another function when it is set, the default when it is not set.
#[derive(Model, Clone, Debug, PartialEq)]
struct Fragile {
    #[attr(default = String::from(panic_with("there is none")))]
    default: String,
    #[attr(default_with = failing_default)]
    elsewhere: String,
    #[attr(validate = explode)]
    rule: Option<String>,
    #[attr(suppress_diff = differs)]
    suppressed: Option<String>,
    #[attr(requires_replace_if = replaces)]
    replaces: Option<String>,
    touchy: Option<Panicking>,
}

fn panic_with(why: &str) -> &'static str {
    panic!("{why}")
}

fn failing_default() -> Option<String> {
    panic!("nowhere")
}

impl Resource for Fragile {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<FragileComputed> {
        Ok(FragileComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<FragileComputed> {
        Ok(FragileComputed {})
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Look {
    #[attr(optional, computed)]
    value: Panicking,
}

impl DataSource for Look {
    type Provider = Test;

    async fn read(_: &DataCx<Self>, _: Args<Self>) -> Result<LookComputed> {
        Ok(LookComputed { value: remote_value() })
    }
}

fn harness() -> Harness {
    Harness::start::<Test>(config! {}).skip_check(Invariant::DestroyRemovesObject)
}

fn set_remote_value(value: &str) {
    *REMOTE_VALUE.lock().unwrap() = value.to_owned();
}

#[test]
fn created_object_is_kept_if_its_type_panics() {
    let _guard = SERIAL.lock().unwrap();
    let mut thing = harness().resource("test_thing");
    set_remote_value("boom");
    let errors = thing.try_apply(config! { name = "a" }).error().to_string();
    assert!(errors.contains("the creation of test_thing panicked at"), "{errors}");
    assert!(errors.contains("panics.rs:") && errors.contains(": cannot compare\n"), "{errors}");
    assert!(thing.is_tainted());
    assert_eq!(thing.state().to_string(), "name = \"a\"\nid = \"real a\"\nvalue = \"boom\"");

    // Reading the object panics too, and the object is replaced once the panic is fixed.
    let errors = read_errors(&mut thing);
    assert!(errors.contains("the read of test_thing panicked at"), "{errors}");
    set_remote_value("planned");
    thing =
        harness().resource("test_thing").with_state(config! { name = "a", id = "real a", value = "planned" });
    set_remote_value("boom");
    let errors = thing.try_apply(config! { name = "b" }).error().to_string();
    assert!(errors.contains("the update of test_thing panicked at"), "{errors}");
    assert_eq!(thing.state().to_string(), "name = \"b\"\nid = \"real b\"\nvalue = \"boom\"");
    assert!(!thing.is_tainted());
    set_remote_value("planned");
}

/// Returns the errors of a read, which precedes a destroy.
fn read_errors(thing: &mut Instance) -> String {
    thing.try_destroy().error().to_string()
}

#[test]
fn checkpoint_is_kept_if_its_type_panics_when_read() {
    let _guard = SERIAL.lock().unwrap();
    let mut thing = harness().resource("test_thing");
    set_remote_value("unreadable");
    let errors = thing.try_apply(config! { name = "a" }).error().to_string();
    assert!(errors.contains("test_thing panicked at"), "{errors}");
    assert_eq!(thing.state().get::<String>(path!(id)), "real a");
    set_remote_value("planned");
}

#[test]
fn panics_are_errors_with_a_location() {
    let fragile =
        |config: Configuration| harness().resource("test_fragile").try_apply(config).error().to_string();
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
        harness().resource("test_fragile").with_state(attribute).try_apply(config).error().to_string()
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
    let _guard = SERIAL.lock().unwrap();
    set_remote_value("boom");
    let errors =
        harness().data_source("test_look").try_read(config! { value = "planned" }).error().to_string();
    assert!(errors.contains("the read of test_look panicked at"), "{errors}");
    set_remote_value("planned");
}
