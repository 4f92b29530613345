//! Access to the elements and attributes of a value: by attribute path, and by traversal.

use crate::path::{Path, Step};
use crate::value::Value;

impl Value {
    /// Returns the value at an attribute path, or `None` if the path does not exist. The path of an element of a
    /// [`Value::Dynamic`] has no step for the `Dynamic` itself.
    ///
    /// ```
    /// use ferroform_value::{Path, Value};
    ///
    /// let value = Value::object([("owner", Value::object([("name", "a".into())]))]);
    /// assert_eq!(value.at(&Path::attribute("owner").name("name")), Some(&"a".into()));
    /// assert_eq!(value.at(&Path::attribute("tags")), None);
    /// ```
    pub fn at(&self, path: &Path) -> Option<&Value> {
        path.steps().iter().try_fold(self, |it, step| it.step(step))
    }

    /// Returns the value after one step of a path, or `None` if it does not exist.
    pub fn step(&self, step: &Step) -> Option<&Value> {
        match (self, step) {
            (Value::Dynamic(it), _) => it.value.step(step),
            (Value::Object(it), Step::Attribute(name)) => it.get(name),
            (Value::Map(it), Step::Key(key)) => it.get(key),
            (Value::List(it) | Value::Tuple(it), Step::Index(index)) => it.get(*index),
            (Value::Set(it), Step::Element(element)) => it.iter().find(|it| *it == &**element),
            _ => None,
        }
    }

    /// Returns a mutable reference to the value at an attribute path. It returns `None` if the path does not exist or
    /// if it leads into a set, because a change could make two elements equal.
    pub fn at_mut(&mut self, path: &Path) -> Option<&mut Value> {
        path.steps().iter().try_fold(self, |it, step| it.step_mut(step))
    }

    fn step_mut(&mut self, step: &Step) -> Option<&mut Value> {
        match (self, step) {
            (Value::Dynamic(it), _) => it.value.step_mut(step),
            (Value::Object(it), Step::Attribute(name)) => it.get_mut(name),
            (Value::Map(it), Step::Key(key)) => it.get_mut(key),
            (Value::List(it) | Value::Tuple(it), Step::Index(index)) => it.get_mut(*index),
            _ => None,
        }
    }

    /// Returns an iterator over the elements of a collection or the attributes of an object, each with its path step. It is
    /// empty for any other value.
    ///
    /// ```
    /// use ferroform_value::{Step, Value};
    ///
    /// let ports = Value::List(vec![80.into(), 443.into()]);
    /// assert_eq!(ports.children().last(), Some((Step::Index(1), &443.into())));
    /// ```
    pub fn children(&self) -> Box<dyn Iterator<Item = (Step, &Value)> + '_> {
        match self.without_type() {
            Value::List(it) | Value::Tuple(it) => {
                Box::new(it.iter().enumerate().map(|(i, it)| (Step::Index(i), it)))
            }
            Value::Set(it) => Box::new(it.iter().map(|it| (Step::Element(Box::new(it.clone())), it))),
            Value::Map(it) => Box::new(it.iter().map(|(key, it)| (Step::Key(key.clone()), it))),
            Value::Object(it) => Box::new(it.iter().map(|(name, it)| (Step::Attribute(name.clone()), it))),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Returns an iterator over the elements of a list, tuple, set or map, also inside a [`Value::Dynamic`]. It is empty for
    /// any other value.
    pub fn elements(&self) -> Box<dyn Iterator<Item = &Value> + '_> {
        match self.without_type() {
            Value::List(it) | Value::Tuple(it) => Box::new(it.iter()),
            Value::Set(it) => Box::new(it.iter()),
            Value::Map(it) => Box::new(it.values()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Returns the number of elements of a collection or of attributes of an object, also inside a [`Value::Dynamic`]; `None`
    /// for any other value.
    pub fn length(&self) -> Option<usize> {
        match self.without_type() {
            Value::List(it) | Value::Tuple(it) => Some(it.len()),
            Value::Set(it) => Some(it.len()),
            Value::Map(it) => Some(it.len()),
            Value::Object(it) => Some(it.len()),
            _ => None,
        }
    }

    /// Returns, for each item of [`children`](Value::children), the value of `other` with the same index, key or attribute
    /// name; `None` if there is none. Set elements have no counterpart, so they are always `None`. Takes linear time,
    /// even for maps.
    ///
    /// ```
    /// use ferroform_value::Value;
    ///
    /// let prior = Value::map([("a", 1.into()), ("b", 2.into())]);
    /// let new = Value::map([("b", Value::UNKNOWN), ("c", 3.into())]);
    /// let mut prior = new.at_same_steps(&prior);
    /// let known = new.map_elements(|_, it| match prior.next().flatten() {
    ///     Some(prior) if it.is_unknown() => prior.clone(),
    ///     _ => it.clone(),
    /// });
    /// assert_eq!(known, Value::map([("b", 2.into()), ("c", 3.into())]));
    /// ```
    pub fn at_same_steps<'a>(&'a self, other: &'a Value) -> Box<dyn Iterator<Item = Option<&'a Value>> + 'a> {
        match (self.without_type(), other.without_type()) {
            (Value::List(it), Value::List(other)) | (Value::Tuple(it), Value::Tuple(other)) => {
                Box::new((0..it.len()).map(|i| other.get(i)))
            }
            (Value::Map(it), Value::Map(other)) => {
                // Both maps are sorted, so one walk through them finds all keys.
                let mut rest = other.iter().peekable();
                Box::new(it.keys().map(move |key| {
                    while rest.next_if(|(other, _)| *other < key).is_some() {}
                    rest.next_if(|(other, _)| *other == key).map(|(_, it)| it)
                }))
            }
            (Value::Object(it), Value::Object(other)) => Box::new(it.iter().map(|(name, _)| other.get(name))),
            (it, _) => Box::new(std::iter::repeat_n(None, it.length().unwrap_or_default())),
        }
    }

    /// Returns true if both values have the same indexes, keys or attribute names and `is_match` returns true for each pair
    /// of their elements or attributes; `None` if they are not both lists, tuples, maps or objects.
    ///
    /// ```
    /// use ferroform_value::Value;
    ///
    /// let planned = Value::List(vec![80.into(), Value::UNKNOWN]);
    /// let is_match = |planned: &Value, new: &Value| planned.is_unknown() || planned == new;
    /// assert_eq!(planned.all_pairs(&Value::List(vec![80.into(), 443.into()]), is_match), Some(true));
    /// assert_eq!(planned.all_pairs(&Value::List(vec![80.into()]), is_match), Some(false));
    /// assert_eq!(planned.all_pairs(&Value::Null, is_match), None);
    /// ```
    pub fn all_pairs(&self, other: &Value, mut is_match: impl FnMut(&Value, &Value) -> bool) -> Option<bool> {
        let is_match = |(a, b): (&Value, &Value)| is_match(a, b);
        Some(match (self, other) {
            (Value::List(a), Value::List(b)) | (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(is_match)
            }
            (Value::Map(a), Value::Map(b)) => {
                a.keys().eq(b.keys()) && a.values().zip(b.values()).all(is_match)
            }
            (Value::Object(a), Value::Object(b)) => {
                a.has_same_names(b) && a.values().zip(b.values()).all(is_match)
            }
            _ => return None,
        })
    }

    /// Returns a copy in which `replace` has replaced each element of a list, set or map. `replace` receives the path step of
    /// the element. If elements of a set become equal, one remains. Any other value, including a tuple and a
    /// [`Value::Dynamic`], is returned unchanged.
    ///
    /// ```
    /// use ferroform_value::Value;
    ///
    /// let ports = Value::List(vec![80.into(), Value::Null]);
    /// let known = ports.map_elements(|_, it| if it.is_null() { 443.into() } else { it.clone() });
    /// assert_eq!(known, Value::List(vec![80.into(), 443.into()]));
    /// ```
    #[must_use]
    pub fn map_elements(&self, mut replace: impl FnMut(Step, &Value) -> Value) -> Value {
        match self {
            Value::List(it) => {
                Value::List(it.iter().enumerate().map(|(i, it)| replace(Step::Index(i), it)).collect())
            }
            Value::Set(it) => {
                Value::Set(it.iter().map(|it| replace(Step::Element(Box::new(it.clone())), it)).collect())
            }
            Value::Map(it) => {
                let entries = it.iter().map(|(key, it)| (key.clone(), replace(Step::Key(key.clone()), it)));
                Value::Map(entries.collect())
            }
            it => it.clone(),
        }
    }

    /// Visits the value and its elements and attributes at every depth, each value before its elements and
    /// attributes. If `visit` returns false, the elements and attributes of the value are skipped.
    ///
    /// ```
    /// use ferroform_value::Value;
    ///
    /// let value = Value::object([("ports", Value::List(vec![80.into(), Value::UNKNOWN]))]);
    /// let mut unknown = Vec::new();
    /// value.walk(&mut |path, part| {
    ///     unknown.extend(part.is_unknown().then(|| path.to_string()));
    ///     true
    /// });
    /// assert_eq!(unknown, ["ports[1]"]);
    /// ```
    pub fn walk(&self, visit: &mut dyn FnMut(&Path, &Value) -> bool) {
        self.walk_at(&mut Path::ROOT.clone(), visit);
    }

    fn walk_at(&self, path: &mut Path, visit: &mut dyn FnMut(&Path, &Value) -> bool) {
        if !visit(path, self) {
            return;
        }
        for (step, it) in self.children() {
            path.push(step);
            it.walk_at(path, visit);
            path.pop();
        }
    }

    /// Replaces the value and its elements and attributes at every depth, each value after its elements and
    /// attributes. The path of a set element contains the element before its change.
    ///
    /// ```
    /// use ferroform_value::Value;
    ///
    /// let value = Value::List(vec!["a".into(), Value::UNKNOWN]);
    /// let known = value.transform(&mut |path, part| match part {
    ///     Value::Unknown(_) => Ok(path.to_string().into()),
    ///     part => Ok::<_, std::convert::Infallible>(part),
    /// });
    /// assert_eq!(known, Ok(Value::List(vec!["a".into(), "[1]".into()])));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the first error of `change`.
    pub fn transform<E>(self, change: &mut dyn FnMut(&Path, Value) -> Result<Value, E>) -> Result<Value, E> {
        self.transform_at(&mut Path::ROOT.clone(), change)
    }

    fn transform_at<E>(
        self,
        path: &mut Path,
        change: &mut dyn FnMut(&Path, Value) -> Result<Value, E>,
    ) -> Result<Value, E> {
        let it = self.transform_inside(path, change)?;
        change(path, it)
    }

    fn transform_inside<E>(
        self,
        path: &mut Path,
        change: &mut dyn FnMut(&Path, Value) -> Result<Value, E>,
    ) -> Result<Value, E> {
        let mut inside = |step, it: Value| {
            path.push(step);
            let it = it.transform_at(path, change);
            path.pop();
            it
        };
        let mut indexed = |it: Vec<Value>| {
            it.into_iter()
                .enumerate()
                .map(|(i, it)| inside(Step::Index(i), it))
                .collect::<Result<Vec<_>, E>>()
        };
        Ok(match self {
            Value::List(it) => Value::List(indexed(it)?),
            Value::Tuple(it) => Value::Tuple(indexed(it)?),
            Value::Set(it) => Value::Set(
                it.into_iter()
                    .map(|it| inside(Step::Element(Box::new(it.clone())), it))
                    .collect::<Result<_, E>>()?,
            ),
            Value::Map(it) => Value::Map(
                it.into_iter()
                    .map(|(key, it)| Ok((key.clone(), inside(Step::Key(key), it)?)))
                    .collect::<Result<_, E>>()?,
            ),
            Value::Object(it) => {
                Value::Object(it.try_map(|name, it| inside(Step::Attribute(name.clone()), it))?)
            }
            Value::Dynamic(mut it) => {
                it.value = it.value.transform_inside(path, change)?;
                Value::Dynamic(it)
            }
            it => it,
        })
    }

    /// Returns the value inside a [`Value::Dynamic`], or the value itself if it does not contain its type.
    pub fn without_type(&self) -> &Value {
        if let Value::Dynamic(it) = self { it.value.without_type() } else { self }
    }
}
