//! A planned change of a value, as the JSON of a plan contains it: the value before and after, and the marks of both.

use crate::workspace::json::{self, Json};

/// The change of a value.
#[derive(Clone, Debug)]
pub(super) struct ValueChange<'a> {
    /// The prior value; `None` if it is absent, in contrast to a null that is part of a collection.
    pub(super) before: Option<&'a Json>,
    /// The planned value; `None` if it is absent.
    pub(super) after: Option<&'a Json>,
    /// The structure of the planned value with `true` for each unknown value.
    unknown: &'a Json,
    before_sensitive: &'a Json,
    after_sensitive: &'a Json,
    /// The paths below this value that require replacement.
    replace: Vec<&'a [Json]>,
    /// True inside an element of a list or set, where Terraform prints empty strings as null.
    is_in_element: bool,
}

/// The action for a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    NoOp,
    Create,
    Update,
    Delete,
}

impl<'a> ValueChange<'a> {
    /// Converts the change of a resource or output in the JSON of a plan.
    pub(super) fn from_json(from: &'a Json) -> ValueChange<'a> {
        ValueChange {
            before: Some(&from["before"]),
            after: Some(&from["after"]),
            unknown: &from["after_unknown"],
            before_sensitive: &from["before_sensitive"],
            after_sensitive: &from["after_sensitive"],
            replace: json::list(&from["replace_paths"])
                .iter()
                .filter_map(Json::as_array)
                .map(Vec::as_slice)
                .collect(),
            is_in_element: false,
        }
        .with_nulls_absent()
    }

    /// A change from one value to another, without marks.
    pub(super) fn between(before: Option<&'a Json>, after: Option<&'a Json>) -> ValueChange<'a> {
        ValueChange {
            before,
            after,
            unknown: &Json::Null,
            before_sensitive: &Json::Null,
            after_sensitive: &Json::Null,
            replace: Vec::new(),
            is_in_element: false,
        }
    }

    /// The deletion of the prior value.
    pub(super) fn deletion(&self) -> ValueChange<'a> {
        ValueChange {
            after: None,
            unknown: &Json::Null,
            after_sensitive: &Json::Null,
            replace: Vec::new(),
            ..self.clone()
        }
    }

    /// The creation of the planned value.
    pub(super) fn creation(&self) -> ValueChange<'a> {
        ValueChange { before: None, before_sensitive: &Json::Null, ..self.clone() }
    }

    /// The same change, with the whole value marked as not sensitive.
    pub(super) fn without_sensitivity(&self) -> ValueChange<'a> {
        ValueChange { before_sensitive: &Json::Null, after_sensitive: &Json::Null, ..self.clone() }
    }

    /// The change of an attribute of an object. Null and absent are equal.
    pub(super) fn attribute(&self, name: &'a str) -> ValueChange<'a> {
        self.entry(name).with_nulls_absent()
    }

    /// The same change, in which a null is absent.
    pub(super) fn with_nulls_absent(self) -> ValueChange<'a> {
        let present = |it: Option<&'a Json>| it.filter(|it| !it.is_null());
        ValueChange { before: present(self.before), after: present(self.after), ..self }
    }

    /// The same change, in which an empty string is absent.
    pub(super) fn with_empty_strings_absent(self) -> ValueChange<'a> {
        let present = |it: Option<&'a Json>| it.filter(|it| **it != "");
        ValueChange { before: present(self.before), after: present(self.after), ..self }
    }

    /// The same value before and after.
    pub(super) fn unchanged(self) -> ValueChange<'a> {
        ValueChange {
            after: self.before,
            unknown: &Json::Null,
            after_sensitive: self.before_sensitive,
            ..self
        }
    }

    /// The change of an entry of a map. A null is an entry.
    pub(super) fn entry(&self, key: &'a str) -> ValueChange<'a> {
        ValueChange {
            before: self.before.and_then(|it| it.get(key)),
            after: self.after.and_then(|it| it.get(key)),
            unknown: &self.unknown[key],
            before_sensitive: &self.before_sensitive[key],
            after_sensitive: &self.after_sensitive[key],
            replace: self.replace_below(|step| step == key),
            is_in_element: self.is_in_element,
        }
    }

    /// The change from an element of the prior value to one of the planned value.
    pub(super) fn element(&self, before: Option<usize>, after: Option<usize>) -> ValueChange<'a> {
        let at =
            |tree: &'a Json, index: Option<usize>| index.and_then(|it| tree.get(it)).unwrap_or(&Json::Null);
        let index = after.or(before).and_then(|it| u64::try_from(it).ok());
        let is_unknown = *at(self.unknown, after) == true;
        ValueChange {
            before: before.and_then(|it| self.before?.get(it)),
            // The JSON contains null for an unknown element.
            after: after.and_then(|it| self.after?.get(it)).filter(|_| !is_unknown),
            unknown: at(self.unknown, after),
            before_sensitive: at(self.before_sensitive, before),
            after_sensitive: at(self.after_sensitive, after),
            replace: self.replace_below(|step| step.as_u64().is_some() && step.as_u64() == index),
            is_in_element: true,
        }
    }

    /// The same change as Terraform prints it in an element of a list or set: with null instead of empty strings.
    pub(super) fn with_empty_strings_as_null(self) -> ValueChange<'a> {
        let null = |it: &'a Json| if self.is_in_element && *it == "" { &Json::Null } else { it };
        ValueChange { before: self.before.map(null), after: self.after.map(null), ..self }
    }

    fn replace_below(&self, matches: impl Fn(&Json) -> bool) -> Vec<&'a [Json]> {
        let below =
            |path: &&'a [Json]| path.split_first().filter(|(step, _)| matches(step)).map(|(_, rest)| rest);
        self.replace.iter().filter_map(below).collect()
    }

    /// True if this value as a whole requires replacement, and not only a value inside it.
    pub(super) fn requires_replace(&self) -> bool {
        self.replace.iter().any(|it| it.is_empty())
    }

    pub(super) fn is_unknown(&self) -> bool {
        *self.unknown == true
    }

    pub(super) fn is_before_sensitive(&self) -> bool {
        *self.before_sensitive == true
    }

    pub(super) fn is_after_sensitive(&self) -> bool {
        *self.after_sensitive == true
    }

    /// The action for the value as a whole.
    pub(super) fn action(&self) -> Action {
        match (self.before, self.after) {
            (None, None) if !self.is_unknown() => Action::NoOp,
            (None, _) => Action::Create,
            (Some(_), None) if !self.is_unknown() => Action::Delete,
            (Some(before), Some(after)) if before == after && !self.is_unknown() && !self.has_unknown() => {
                Action::NoOp
            }
            _ => Action::Update,
        }
    }

    /// True if a value inside the planned value is unknown.
    fn has_unknown(&self) -> bool {
        contains_true(self.unknown)
    }

    /// The names in the prior and in the planned value.
    pub(super) fn names(&self) -> Vec<&'a str> {
        let names = |it: Option<&'a Json>| it.and_then(Json::as_object).into_iter().flat_map(|it| it.keys());
        let unknown = self.unknown.as_object().into_iter().flat_map(|it| it.keys());
        let mut all: Vec<&str> =
            names(self.before).chain(names(self.after)).chain(unknown).map(String::as_str).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The elements of the prior and of the planned value.
    pub(super) fn elements(&self) -> (&'a [Json], &'a [Json]) {
        let elements = |it: Option<&'a Json>| it.map_or(&[][..], json::list);
        (elements(self.before), elements(self.after))
    }
}

fn contains_true(tree: &Json) -> bool {
    match tree {
        Json::Bool(it) => *it,
        Json::Array(elements) => elements.iter().any(contains_true),
        Json::Object(entries) => entries.values().any(contains_true),
        _ => false,
    }
}
