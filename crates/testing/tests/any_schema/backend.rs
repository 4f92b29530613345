//! The service behind the resource: it keeps one object, makes what is computed, and has its habits.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ferroform::schema::{Nesting, Schema};
use ferroform::value::{Number, Object, Value};

use crate::behaviour::Behavior;
use crate::common::{Shelf, Thing};
use crate::config::LABELS;
use crate::dice::Dice;
use crate::habit;
use crate::schema::{Field, Kind, block};

/// What the service does besides keeping what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    None,
    /// It answers other words that mean the same.
    Respells,
    /// Its object changes without Terraform.
    Drifts,
    /// The provider plans sets in another order.
    Reorders,
}

pub(crate) struct Backend {
    fields: Vec<Field>,
    habit: Habit,
    object: Mutex<Option<Value>>,
    dice: Mutex<Dice>,
    /// How much was made: no two things that are made are the same.
    made: AtomicU64,
    /// How often the habit showed.
    shown: AtomicU64,
}

impl Backend {
    pub(crate) fn new(fields: &[Field], habit: Habit, seed: u64) -> Arc<Backend> {
        Arc::new(Backend {
            fields: fields.to_vec(),
            habit,
            object: Mutex::default(),
            dice: Mutex::new(Dice::new(seed)),
            made: AtomicU64::new(0),
            shown: AtomicU64::new(0),
        })
    }

    /// The resource that stands before it.
    pub(crate) fn thing(self: &Arc<Self>) -> Thing {
        let mut thing = Thing::right(&Shelf::default());
        thing.schema = Schema { version: 0, block: block(&self.fields) };
        let [creates, updates, reads, deletes, plans] = [(); 5].map(|()| self.clone());
        thing.create = Box::new(move |_, plan| Ok(creates.put(plan)));
        thing.update = Box::new(move |_, plan| Ok(updates.put(plan)));
        thing.read = Box::new(move |_, _| Ok(reads.get()));
        thing.delete = Box::new(move |_, _| {
            *lock(&deletes.object) = None;
            Ok(())
        });
        if self.habit == Habit::Reorders {
            thing.capabilities.plan = true;
            thing.plan = Box::new(move |_, change| Ok(plans.planned(change.plan)));
        }
        thing
    }

    /// What happens to the object between two runs of Terraform.
    pub(crate) fn time_passes(&self) {
        let mut object = lock(&self.object);
        if self.habit == Habit::Drifts {
            *object = object.take().map(|it| self.seen(it, habit::drifted));
        }
    }

    pub(crate) fn shown(&self) -> u64 {
        self.shown.load(Ordering::Relaxed)
    }

    fn get(&self) -> Value {
        let it = lock(&self.object).clone().unwrap_or(Value::Null);
        if self.habit == Habit::Respells { self.seen(it, habit::respelled) } else { it }
    }

    fn planned(&self, plan: Value) -> Value {
        self.seen(plan, |_, fields, it| habit::reordered(fields, it))
    }

    /// What the habit makes of the object.
    fn seen(&self, it: Value, habit: fn(&mut Dice, &[Field], Value) -> Value) -> Value {
        let seen = habit(&mut lock(&self.dice), &self.fields, it.clone());
        self.shown.fetch_add(u64::from(shows(&seen, &it)), Ordering::Relaxed);
        seen
    }

    /// Keeps what is planned with the rest filled in, and answers what is the provider's of it.
    fn put(&self, plan: Value) -> Object {
        let whole = self.filled(&self.fields, plan);
        *lock(&self.object) = Some(whole.clone());
        let written = self.fields.iter().filter(|it| it.is_written());
        written.filter_map(|it| Some((it.name().into(), whole.attribute(&it.name())?.clone()))).collect()
    }

    fn filled(&self, fields: &[Field], object: Value) -> Value {
        each_field(fields, object, |field, value| match (&field.kind, value) {
            _ if field.says(Behavior::WriteOnly) => Value::Null,
            (_, Value::Unknown(_)) => self.made(field),
            (Kind::Objects(_, inside), it) => each_object(it, |it| self.filled(inside, it)),
            (_, it) => it,
        })
    }

    /// Something new. In a set it is never null, because what is made keeps equal elements apart.
    fn made(&self, field: &Field) -> Value {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        if number % 8 == 7 && field.is_nullable() && !field.in_set {
            return Value::Null;
        }
        let count = 1 + number % 2;
        let text = |i: u64| Value::string(format!("S{number}{}", LABELS[i as usize]));
        match &field.kind {
            Kind::Text | Kind::AnyCase => text(0),
            Kind::Number => Value::Number(Number::from(1000 + number)),
            Kind::Bool => Value::Bool(count == 1),
            Kind::List => Value::List((0..count).map(text).collect()),
            Kind::Set => Value::set((0..count).map(text)),
            Kind::Map => Value::map((0..count).map(|i| (LABELS[i as usize], text(i)))),
            Kind::Objects(nesting, inside) => {
                let object = || Value::object(inside.iter().map(|it| (it.name(), self.made(it))));
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

/// True where they differ, also by the order of a set.
fn shows(one: &Value, other: &Value) -> bool {
    format!("{one:?}") != format!("{other:?}")
}

fn lock<T>(it: &Mutex<T>) -> MutexGuard<'_, T> {
    it.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The object with each field's value changed.
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

/// The value of a nested field with each of its objects changed.
pub(crate) fn each_object(value: Value, mut change: impl FnMut(Value) -> Value) -> Value {
    match value {
        Value::List(it) => Value::List(it.into_iter().map(change).collect()),
        Value::Set(it) => Value::set(it.iter().cloned().map(change)),
        Value::Map(it) => Value::Map(it.into_iter().map(|(key, it)| (key, change(it))).collect()),
        it @ Value::Object(_) => change(it),
        other => other,
    }
}
