//! Float attributes, whose values can have more digits in Terraform than in Rust.

use std::collections::BTreeMap;

use ferroform::value::Number;
use ferroform::{
    ApplyCx, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx, Resource, Result, Set, path,
};
use ferroform_testing::{Action, Harness, Instance, Invariant, config};

struct Meters;

impl Provider for Meters {
    const ADDRESS: &'static str = "example.com/test/meter";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Meters))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Gauge>("meter_gauge");
    }
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Gauge {
    level: f64,
    #[attr(optional, computed)]
    limit: f64,
    #[attr(optional, computed)]
    narrow: f32,
    #[attr(optional, computed)]
    series: Vec<f64>,
    #[attr(optional, computed)]
    by_name: BTreeMap<String, Option<f64>>,
    #[attr(optional, computed)]
    marks: Set<f64>,
}

fn computed(plan: Planned<Gauge>) -> GaugeComputed {
    let series = plan.series.unwrap_or_default().into_iter();
    let by_name = plan.by_name.unwrap_or_default().into_iter();
    let marks = plan.marks.unwrap_or_default().into_iter();
    GaugeComputed {
        limit: plan.limit.unwrap_or(1.0),
        narrow: plan.narrow.unwrap_or(1.0),
        series: series.map(Maybe::unwrap_or_default).collect(),
        by_name: by_name.map(|(name, it)| (name, it.unwrap_or_default())).collect(),
        marks: marks.map(Maybe::unwrap_or_default).collect(),
    }
}

impl Resource for Gauge {
    type Provider = Meters;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<GaugeComputed> {
        Ok(computed(plan))
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<GaugeComputed> {
        Ok(computed(plan))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A third with more digits than a float.
const THIRD: &str = "0.3333333333333333333333333333333333333333";

/// `1 - 0.99` as Terraform computes and stores it.
const DIFFERENCE: &str = "0.01000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000094";

/// 2^63 and 2^64, which a float represents exactly, but writes with fewer digits.
const TWO_POW_63: &str = "9223372036854775808";
const TWO_POW_64: &str = "18446744073709551616";

fn number(digits: &str) -> Number {
    digits.parse().expect("a number")
}

fn gauge() -> Instance {
    Harness::start::<Meters>(config! {}).skip_check(Invariant::DestroyRemovesObject).resource("meter_gauge")
}

#[test]
fn plan_and_state_keep_all_digits_of_a_float() {
    for digits in
        [THIRD, DIFFERENCE, "1e23", "123456789012345680000", "9007199254740993", TWO_POW_63, TWO_POW_64]
    {
        let mut gauge = gauge();
        let config = || {
            config! {
                level = number(digits),
                limit = number(digits),
                narrow = number(digits),
                series = [number(digits)],
                by_name = { a = number(digits) },
                marks = [number(digits)]
            }
        };
        gauge.apply(config());
        gauge.refresh();
        for path in [path!(level), path!(limit), path!(narrow), path!(series[0]), path!(by_name["a"])] {
            assert_eq!(gauge.state().get::<Number>(path.clone()), number(digits), "{path}");
        }
        assert_eq!(gauge.plan(config()).action, Action::NoOp, "{digits}");
    }
}

#[test]
fn stored_float_with_more_digits_is_read() {
    let mut gauge = gauge();
    let state = format!(
        r#"{{"level": {DIFFERENCE}, "limit": {THIRD}, "narrow": {THIRD}, "series": [], "by_name": {{}}, "marks": []}}"#
    );
    gauge.upgrade_state(0, &state);
    gauge.refresh();
    assert_eq!(gauge.state().get::<Number>(path!(limit)), number(THIRD));
    assert_eq!(gauge.plan(config! { level = number(DIFFERENCE) }).action, Action::NoOp);
    gauge.destroy();
}

/// Terraform encodes a number of 53 bits with fewer digits than it has, which denote another number.
#[test]
fn large_float_stays_the_same_when_it_is_encoded() {
    use ferroform::Attr as _;
    use ferroform::value::{Type, Value, msgpack};
    for float in [1e300, f64::MAX, -1e23, 2_f64.powi(64), f64::from(f32::MAX), 2_f64.powi(-1074), 9.3e18] {
        let value = float.to_value();
        let bytes = msgpack::encode(&value, &Type::Number).expect("a number");
        assert_eq!(msgpack::decode(&bytes, &Type::Number), Ok(value.clone()), "{float}");
        assert_eq!(f64::from_value(&value), Ok(float));
    }
    assert_eq!(1e300_f64.to_value(), Value::Number(number("1e300")));
}

#[test]
fn number_outside_float_range_is_rejected() {
    for (digits, expected) in [
        ("1e400", "a number in the range of a 64-bit float"),
        ("1e-400", "a number in the range of a 64-bit float"),
    ] {
        let errors = gauge().try_plan(config! { level = number(digits) }).error().to_string();
        assert!(errors.to_lowercase().contains(expected), "{errors}");
    }
}
