//! The planned values of computed attributes in an update. The invariants allow a plan that keeps too many or too few prior
//! values, so this module checks the objects whose prior object is certain: single objects and map elements.

use ferroform::schema::Nesting;
use ferroform::value::{Path, Step, Value};

use crate::behavior::Behavior;
use crate::config::{ConfigValue, Object};
use crate::schema::{Field, Kind, name};

/// The prior state and the planned state of an update.
pub(crate) struct Update<'a> {
    pub(crate) before: &'a Value,
    pub(crate) after: &'a Value,
}

impl Update<'_> {
    /// # Panics
    ///
    /// Panics if a planned value contradicts the behavior of its attribute.
    pub(crate) fn check(&self, fields: &[Field], config: &Object, context: &Path) {
        for field in fields {
            let at = context.clone().name(field.name());
            match (&field.kind, config.get(&field.name())) {
                (_, None) if field.mode.is_computed() => self.check_omitted(fields, field, context),
                (Kind::Objects(Nesting::Single, inside), Some(ConfigValue::Object(config))) => {
                    self.check_object(inside, config, &at);
                }
                (Kind::Objects(Nesting::Map, inside), Some(ConfigValue::Map(entries))) => {
                    for (label, configured) in entries {
                        if let ConfigValue::Object(config) = configured {
                            self.check_object(inside, config, &at.clone().then(Step::Key((*label).into())));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Checks an object that the prior state contains.
    fn check_object(&self, fields: &[Field], config: &Object, context: &Path) {
        if let (Some(Value::Object(_)), Some(Value::Object(_))) = self.at(context) {
            self.check(fields, config, context);
        }
    }

    fn check_omitted(&self, fields: &[Field], field: &Field, object: &Path) {
        let context = object.clone().name(field.name());
        let (Some(old), Some(new)) = self.at(&context) else { return };
        let stays = match () {
            () if field.has(Behavior::UseState) => true,
            () if field.has(Behavior::UseNonNullState) && !old.is_null() => true,
            () if field.has(Behavior::Follows) => {
                let Some(changes) = self.changes(&fields[field.index - 1], object) else { return };
                !changes
            }
            () => return,
        };
        assert!(!stays || old == new, "{context} must keep its prior value");
        assert!(
            stays || new.is_unknown(),
            "{context} must be unknown because {} changes",
            name(field.index - 1)
        );
    }

    /// Returns whether the value of the field changes. Returns `None` for a write-only value, which the state does not
    /// contain, and for a collection, whose new value can be semantically equal to the prior one.
    fn changes(&self, field: &Field, object: &Path) -> Option<bool> {
        let (Some(old), Some(new)) = self.at(&object.clone().name(field.name())) else { return None };
        let is_same = old == new && new.is_wholly_known();
        let is_seen = !field.has(Behavior::WriteOnly) && (is_same || field.is_scalar());
        is_seen.then_some(!is_same)
    }

    fn at(&self, context: &Path) -> (Option<&Value>, Option<&Value>) {
        (self.before.at(context), self.after.at(context))
    }
}
