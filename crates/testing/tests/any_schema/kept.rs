//! What an update plans of the values that the configuration leaves to the provider. The laws allow to keep too much, and
//! too little: so it is asked of the objects that stay where they are for certain.

use ferroform::schema::Nesting;
use ferroform::value::{Path, Step, Value};

use crate::behaviour::Behavior;
use crate::config::{Object, Said};
use crate::schema::{Field, Kind, name};

/// An update.
pub(crate) struct Update<'a> {
    pub(crate) before: &'a Value,
    pub(crate) after: &'a Value,
}

impl Update<'_> {
    /// # Panics
    ///
    /// Where a value is not planned as its behaviour says.
    pub(crate) fn check(&self, fields: &[Field], config: &Object, place: &Path) {
        for field in fields {
            let at = place.clone().name(field.name());
            match (&field.kind, config.get(&field.name())) {
                (_, None) if field.mode.is_computed() => self.check_left_out(fields, field, place),
                (Kind::Objects(Nesting::Single, inside), Some(Said::Object(config))) => {
                    self.check_object(inside, config, &at);
                }
                (Kind::Objects(Nesting::Map, inside), Some(Said::Map(entries))) => {
                    for (label, said) in entries {
                        if let Said::Object(config) = said {
                            self.check_object(inside, config, &at.clone().then(Step::Key((*label).into())));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// One that was there before.
    fn check_object(&self, fields: &[Field], config: &Object, place: &Path) {
        if let (Some(Value::Object(_)), Some(Value::Object(_))) = self.at(place) {
            self.check(fields, config, place);
        }
    }

    fn check_left_out(&self, fields: &[Field], field: &Field, object: &Path) {
        let place = object.clone().name(field.name());
        let (Some(old), Some(new)) = self.at(&place) else { return };
        let stays = match () {
            () if field.says(Behavior::UseState) => true,
            () if field.says(Behavior::UseNonNullState) && !old.is_null() => true,
            () if field.says(Behavior::Follows) => {
                let Some(changes) = self.changes(&fields[field.index - 1], object) else { return };
                !changes
            }
            () => return,
        };
        assert!(!stays || old == new, "{place} should stay");
        assert!(stays || new.is_unknown(), "{place} should follow {}", name(field.index - 1));
    }

    /// Whether the field changes. None where that cannot be seen: of what is not stored; and of what may be another
    /// value that means the same, after which nothing that follows need change.
    fn changes(&self, field: &Field, object: &Path) -> Option<bool> {
        let (Some(old), Some(new)) = self.at(&object.clone().name(field.name())) else { return None };
        let is_same = old == new && new.is_wholly_known();
        let is_seen = !field.says(Behavior::WriteOnly) && (is_same || field.is_scalar());
        is_seen.then_some(!is_same)
    }

    fn at(&self, place: &Path) -> (Option<&Value>, Option<&Value>) {
        (self.before.at(place), self.after.at(place))
    }
}
