//! The API behind the resource: it stores one object, computes values, and may return them differently.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferroform::schema::{Nesting, Schema};
use ferroform::value::{Number, Object, Value};

use crate::api_behavior;
use crate::behavior::Behavior;
use crate::common::{MockResource, ObjectStore};
use crate::config::LABELS;
use crate::rng::Rng;
use crate::schema::{Field, Kind, block};

/// Behavior of an API that a provider has to tolerate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ApiBehavior {
    None,
    /// The API returns semantically equal values.
    Normalizes,
    /// The object drifts.
    Drifts,
    /// The provider plans set elements in another order.
    Reorders,
}

pub(crate) struct Backend {
    fields: Vec<Field>,
    api_behavior: ApiBehavior,
    object: Mutex<Option<Value>>,
    rng: Mutex<Rng>,
    /// The number of computed values, which makes each of them unique.
    computed_value: AtomicU64,
    /// The number of times that the API behavior changed a value.
    changed: AtomicU64,
}

impl Backend {
    pub(crate) fn new(fields: &[Field], api_behavior: ApiBehavior, seed: u64) -> Arc<Backend> {
        Arc::new(Backend {
            fields: fields.to_vec(),
            api_behavior,
            object: Mutex::default(),
            rng: Mutex::new(Rng::new(seed)),
            computed_value: AtomicU64::new(0),
            changed: AtomicU64::new(0),
        })
    }

    /// Returns the resource that uses this API.
    pub(crate) fn resource(self: &Arc<Self>) -> MockResource {
        let mut resource = MockResource::correct(&ObjectStore::default());
        resource.schema = Schema::new(block(&self.fields));
        let [creates, updates, reads, deletes, plans] = [(); 5].map(|()| self.clone());
        resource.create = Box::new(move |_, plan| Ok(creates.put(plan)));
        resource.update = Box::new(move |_, plan| Ok(updates.put(plan)));
        resource.read = Box::new(move |_, _| Ok(reads.get()));
        resource.delete = Box::new(move |_, _| {
            *lock(&deletes.object) = None;
            Ok(())
        });
        if self.api_behavior == ApiBehavior::Reorders {
            resource.capabilities.plan = true;
            resource.plan = Box::new(move |_, change| Ok(plans.planned(change.plan)));
        }
        resource
    }

    /// Changes the object between two runs of Terraform.
    pub(crate) fn drift(&self) {
        let mut object = lock(&self.object);
        if self.api_behavior == ApiBehavior::Drifts {
            *object = object.take().map(|it| self.changed_by_api(it, api_behavior::drifted));
        }
    }

    pub(crate) fn changed_values(&self) -> u64 {
        self.changed.load(Ordering::Relaxed)
    }

    fn get(&self) -> Value {
        let it = lock(&self.object).clone().unwrap_or(Value::Null);
        if self.api_behavior == ApiBehavior::Normalizes {
            self.changed_by_api(it, api_behavior::normalized)
        } else {
            it
        }
    }

    fn planned(&self, plan: Value) -> Value {
        self.changed_by_api(plan, |_, fields, it| api_behavior::reordered(fields, it))
    }

    /// Applies the API behavior to a value.
    fn changed_by_api(&self, it: Value, api_behavior: fn(&mut Rng, &[Field], Value) -> Value) -> Value {
        let changed_by_api = api_behavior(&mut lock(&self.rng), &self.fields, it.clone());
        self.changed.fetch_add(u64::from(differs(&changed_by_api, &it)), Ordering::Relaxed);
        changed_by_api
    }

    /// Stores the planned object with computed values, and returns the attributes that the provider sets.
    fn put(&self, plan: Value) -> Object {
        let object = self.with_computed_values(&self.fields, plan);
        *lock(&self.object) = Some(object.clone());
        let computed = self.fields.iter().filter(|it| it.is_written());
        computed.filter_map(|it| Some((it.name().into(), object.attribute(&it.name())?.clone()))).collect()
    }

    fn with_computed_values(&self, fields: &[Field], object: Value) -> Value {
        each_field(fields, object, |field, value| match (&field.kind, value) {
            _ if field.has(Behavior::WriteOnly) => Value::Null,
            (_, Value::Unknown(_)) => self.computed_value(field),
            (Kind::Objects(_, inside), it) => each_object(it, |it| self.with_computed_values(inside, it)),
            (_, it) => it,
        })
    }

    /// Returns a unique computed value. It is never null in a set, because it distinguishes equal elements.
    fn computed_value(&self, field: &Field) -> Value {
        let number = self.computed_value.fetch_add(1, Ordering::Relaxed);
        if number % 8 == 7 && field.is_nullable() && !field.in_set {
            return Value::Null;
        }
        let count = 1 + number % 2;
        let string = |i: u64| Value::string(format!("S{number}{}", LABELS[i as usize]));
        match &field.kind {
            Kind::String | Kind::CaseInsensitive => string(0),
            Kind::Number => Value::Number(Number::from(1000 + number)),
            Kind::Bool => Value::Bool(count == 1),
            Kind::List => Value::List((0..count).map(string).collect()),
            Kind::Set => Value::set((0..count).map(string)),
            Kind::Map => Value::map((0..count).map(|i| (LABELS[i as usize], string(i)))),
            Kind::Objects(nesting, inside) => {
                let object = || Value::object(inside.iter().map(|it| (it.name(), self.computed_value(it))));
                let objects = (0..count).map(|_| object());
                match nesting {
                    Nesting::Single => object(),
                    Nesting::List => Value::List(objects.collect()),
                    Nesting::Set => Value::set(objects),
                    Nesting::Map => Value::map(LABELS.into_iter().zip(objects)),
                }
            }
        }
    }
}

/// Returns true if the values differ, including the order of set elements.
fn differs(one: &Value, other: &Value) -> bool {
    format!("{one:?}") != format!("{other:?}")
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Changes the value of each field of an object.
pub(crate) fn each_field(
    fields: &[Field],
    object: Value,
    mut change: impl FnMut(&Field, Value) -> Value,
) -> Value {
    let Value::Object(mut object) = object else { return object };
    for field in fields {
        if let Some(value) = object.get(&field.name()).cloned() {
            object.insert(field.name(), change(field, value));
        }
    }
    Value::Object(object)
}

/// Changes each object of a nested field.
pub(crate) fn each_object(value: Value, mut change: impl FnMut(Value) -> Value) -> Value {
    match value {
        Value::List(it) => Value::List(it.into_iter().map(change).collect()),
        Value::Set(it) => Value::set(it.iter().cloned().map(change)),
        Value::Map(it) => Value::Map(it.into_iter().map(|(key, it)| (key, change(it))).collect()),
        it @ Value::Object(_) => change(it),
        other => other,
    }
}
