//! Marks of values: sensitive and ephemeral.
//!
//! Terraform marks a value, or values inside it. An expression transfers the marks of its operands to its result:
//!
//! ```
//! use std::sync::Arc;
//!
//! use ferroform_lang::marks::{Mark, Marked, Marks};
//! use ferroform_value::{Path, Type, Typed};
//!
//! let user = Marked::from(Typed::new(Type::String, "admin".into()));
//! let password = Marked { marks: Marks::of(Mark::Sensitive), ..Typed::new(Type::String, "s3cret".into()).into() };
//! let login = Marked::object([(Arc::from("user"), user), (Arc::from("password"), password)]);
//!
//! assert!(!login.marks.has(Mark::Sensitive) && login.marks.contains(Mark::Sensitive));
//! assert_eq!(login.marks.paths(Mark::Sensitive).collect::<Vec<_>>(), [&Path::attribute("password")]);
//! // As in Terraform, the elements of a map keep their marks, but a set is marked as a whole.
//! let map = login.convert(&Type::map(Type::String))?;
//! assert_eq!(map.marks.paths(Mark::Sensitive).next().map(ToString::to_string).as_deref(), Some("[\"password\"]"));
//! # Ok::<(), ferroform_value::Error>(())
//! ```

use std::cmp::Ordering;
use std::sync::Arc;

use ferroform_value::{Error, Path, Step, Type, Typed, Value, convert};

/// A mark of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The value is redacted in output.
    Sensitive,
    /// The value is not stored in plans and states.
    Ephemeral,
}

/// The marks of a value and of the values inside it, by path.
///
/// An element of a set has no marks of its own: they are those of the set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks(
    /// Sorted by path, so that the marks of a nested value are adjacent.
    Vec<(Path, Mark)>,
);

/// The marks of a value without marks.
pub(crate) const NO_MARKS: &Marks = &Marks(Vec::new());

impl Marks {
    /// Creates an empty set of marks.
    pub fn none() -> Marks {
        Marks::default()
    }

    /// Creates the marks of a value that is marked as a whole.
    pub fn of(mark: Mark) -> Marks {
        Marks(vec![(Path::ROOT, mark)])
    }

    /// Creates the marks of the value of a variable or output with these arguments.
    pub fn of_flags(sensitive: bool, ephemeral: bool) -> Marks {
        let flags = [(sensitive, Mark::Sensitive), (ephemeral, Mark::Ephemeral)];
        flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| (Path::ROOT, mark)).collect()
    }

    /// Returns true if neither the value nor any value inside it is marked.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Marks the value at a path. The mark of an element of a set applies to the set.
    pub fn add(&mut self, path: Path, mark: Mark) {
        self.insert([(path, mark)]);
    }

    /// Adds all of these marks.
    pub fn extend(&mut self, other: Marks) {
        if self.0.is_empty() {
            self.0 = other.0;
        } else if !other.0.is_empty() {
            self.insert(other.0);
        }
    }

    fn insert(&mut self, marks: impl IntoIterator<Item = (Path, Mark)>) {
        self.0.extend(marks.into_iter().map(|(path, mark)| (outside_sets(path), mark)));
        self.0.sort_by(|(a, first), (b, second)| compare(a.steps(), b.steps()).then(first.cmp(second)));
        self.0.dedup();
    }

    /// Returns true if the value as a whole has the mark.
    pub fn has(&self, mark: Mark) -> bool {
        self.0.iter().take_while(|(path, _)| path.is_root()).any(|(_, it)| *it == mark)
    }

    /// Returns true if the value or any value inside it has the mark, at any depth.
    pub fn contains(&self, mark: Mark) -> bool {
        self.0.iter().any(|(_, it)| *it == mark)
    }

    /// Returns the paths of all values with the mark.
    pub fn paths(&self, mark: Mark) -> impl Iterator<Item = &Path> {
        self.0.iter().filter(move |(_, it)| *it == mark).map(|(path, _)| path)
    }

    /// Returns the paths of all marked values, with their marks.
    pub fn iter(&self) -> impl Iterator<Item = (&Path, Mark)> {
        self.0.iter().map(|(path, mark)| (path, *mark))
    }

    /// Returns the marks of the value after its conversion to a type. The marks of the elements of a set become those of the
    /// set, and those of an attribute that the type does not have are dropped.
    #[must_use]
    pub fn after_conversion(self, ty: &Type) -> Marks {
        let marks = self.0.into_iter();
        marks.filter_map(|(path, mark)| Some((path_after_conversion(&path, ty)?, mark))).collect()
    }

    /// Removes a mark at all paths.
    #[must_use]
    pub fn without(mut self, mark: Mark) -> Marks {
        self.0.retain(|(_, it)| *it != mark);
        self
    }

    /// Removes a mark of the value as a whole.
    pub(crate) fn without_root(mut self, mark: Mark) -> Marks {
        self.0.retain(|(path, it)| *it != mark || !path.is_root());
        self
    }

    /// Prepends the path `parent`: these marks of a nested value become marks of the enclosing value.
    #[must_use]
    pub fn below(self, parent: &Path) -> Marks {
        if self.0.is_empty() || parent.is_root() {
            return self;
        }
        self.0.into_iter().map(|(path, mark)| (path.below(parent), mark)).collect()
    }

    /// Returns the marks of the value as a whole.
    #[must_use]
    pub fn root(&self) -> Marks {
        Marks(self.0.iter().take_while(|(path, _)| path.is_root()).cloned().collect())
    }

    /// Returns the marks of the element or attribute at a step, relative to it.
    pub(crate) fn at_step(&self, step: &Step) -> Marks {
        let marks = steps_below(&self.0, 0, step);
        Marks(marks.iter().map(|(path, mark)| (path.steps()[1..].iter().cloned().collect(), *mark)).collect())
    }

    /// Moves all marks to the value as a whole.
    #[must_use]
    pub fn into_root_marks(self) -> Marks {
        self.0.into_iter().map(|(_, mark)| (Path::ROOT, mark)).collect()
    }
}

/// Returns the marks whose step at the index `depth` is `step`. Their other steps up to this index are equal.
fn steps_below<'m>(marks: &'m [(Path, Mark)], depth: usize, step: &Step) -> &'m [(Path, Mark)] {
    let order = |(path, _): &(Path, Mark)| {
        path.steps().get(depth).map_or(Ordering::Less, |it| compare_steps(it, step))
    };
    let start = marks.partition_point(|it| order(it).is_lt());
    let end = marks.partition_point(|it| order(it).is_le());
    &marks[start..end]
}

impl FromIterator<(Path, Mark)> for Marks {
    fn from_iter<I: IntoIterator<Item = (Path, Mark)>>(marks: I) -> Marks {
        let mut all = Marks::none();
        all.insert(marks);
        all
    }
}

/// Returns the path up to the first set.
fn outside_sets(path: Path) -> Path {
    match path.steps().iter().position(|it| matches!(it, Step::Element(_))) {
        Some(set) => path.steps()[..set].iter().cloned().collect(),
        None => path,
    }
}

/// Compares paths step by step. A path is less than the paths below it.
fn compare(a: &[Step], b: &[Step]) -> Ordering {
    let steps = a.iter().zip(b).map(|(a, b)| compare_steps(a, b));
    steps.into_iter().find(|it| it.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
}

fn compare_steps(a: &Step, b: &Step) -> Ordering {
    fn rank(it: &Step) -> u8 {
        match it {
            Step::Attribute(_) => 0,
            Step::Index(_) => 1,
            Step::Key(_) => 2,
            Step::Element(_) => 3,
        }
    }
    match (a, b) {
        (Step::Attribute(a), Step::Attribute(b)) => a.cmp(b),
        (Step::Index(a), Step::Index(b)) => a.cmp(b),
        (Step::Key(a), Step::Key(b)) => a.cmp(b),
        _ => rank(a).cmp(&rank(b)),
    }
}

/// The entries of a map or the attributes of an object.
pub(crate) type Entries = Vec<(Arc<str>, Marked)>;

/// A value with its type and its marks.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// The value with its type.
    pub typed: Typed,
    /// The marks of the value and of the values inside it.
    pub marks: Marks,
}

impl From<Typed> for Marked {
    fn from(typed: Typed) -> Marked {
        Marked { typed, marks: Marks::none() }
    }
}

impl Marked {
    /// Creates an unknown value without marks.
    pub fn unknown(ty: Type) -> Marked {
        Typed::new(ty, Value::UNKNOWN).into()
    }

    /// Creates an object of these attributes, which keep their marks. If a name occurs more than once, the last value
    /// applies.
    pub fn object(attributes: impl IntoIterator<Item = (Arc<str>, Marked)>) -> Marked {
        let attributes: std::collections::BTreeMap<Arc<str>, Marked> = attributes.into_iter().collect();
        let mut marks = Vec::new();
        let typed = Typed::object(attributes.into_iter().map(|(name, it)| {
            marks.extend(it.marks.below(&Path::attribute(name.clone())).0);
            (name, it.typed)
        }));
        Marked { typed, marks: marks.into_iter().collect() }
    }

    /// Creates a tuple of these elements, which keep their marks.
    pub fn tuple(elements: impl IntoIterator<Item = Marked>) -> Marked {
        let mut marks = Vec::new();
        let typed = Typed::tuple(elements.into_iter().enumerate().map(|(i, it)| {
            marks.extend(it.marks.below(&Path::ROOT.then(Step::Index(i))).0);
            it.typed
        }));
        Marked { typed, marks: marks.into_iter().collect() }
    }

    /// Adds marks to the value as a whole.
    #[must_use]
    pub(crate) fn with(mut self, marks: Marks) -> Marked {
        self.marks.extend(marks.into_root_marks());
        self
    }

    /// Returns the value without marks, and all of its marks as those of the whole value.
    pub(crate) fn unmarked(self) -> (Typed, Marks) {
        (self.typed, self.marks.into_root_marks())
    }

    /// Returns the value in which the types of `any` are resolved, as all values of an expression are.
    #[must_use]
    pub(crate) fn resolved(self) -> Marked {
        if !self.typed.ty.has_dynamic() {
            return self;
        }
        let typed = Typed::resolve(self.typed.value.clone(), &self.typed.ty).unwrap_or(self.typed);
        Marked { typed, marks: self.marks }
    }

    /// Creates a list. The elements have the type `of`.
    pub(crate) fn list(of: Type, elements: impl IntoIterator<Item = Marked>) -> Marked {
        let it = Marked::tuple(elements);
        let elements = if let Value::Tuple(it) = it.typed.value { it } else { Vec::new() };
        Marked { typed: Typed::new(Type::list(of), Value::List(elements)), marks: it.marks }
    }

    /// Creates a map. The elements have the type `of`.
    pub(crate) fn map(of: Type, entries: impl IntoIterator<Item = (Arc<str>, Marked)>) -> Marked {
        let mut marks = Vec::new();
        let values = Value::map(entries.into_iter().map(|(key, it)| {
            marks.extend(it.marks.below(&Path::ROOT.then(Step::Key((&key).into()))).0);
            (key, it.typed.value)
        }));
        Marked { typed: Typed::new(Type::map(of), values), marks: marks.into_iter().collect() }
    }

    /// Returns the elements of a list, set or tuple with their marks, and the marks of the value as a whole.
    ///
    /// # Errors
    ///
    /// Returns the value itself if it is not a known list, set or tuple.
    pub(crate) fn into_elements(self) -> Result<(Vec<Marked>, Marks), Marked> {
        let marks = self.marks;
        match self.typed.into_elements() {
            Ok(elements) => {
                let element = |(i, typed)| Marked { typed, marks: marks.at_step(&Step::Index(i)) };
                Ok((elements.into_iter().enumerate().map(element).collect(), marks.root()))
            }
            Err(typed) => Err(Marked { typed, marks }),
        }
    }

    /// Returns the entries of a map or object with their marks, and the marks of the value as a whole.
    ///
    /// # Errors
    ///
    /// Returns the value itself if it is not a known map or object.
    pub(crate) fn into_entries(self) -> Result<(Entries, Marks), Marked> {
        let marks = self.marks;
        let is_map = matches!(self.typed.ty, Type::Map(_));
        match self.typed.into_entries() {
            Ok(entries) => {
                let entry = |(name, typed): (Arc<str>, Typed)| {
                    let step = if is_map { Step::Key((&name).into()) } else { Step::Attribute(name.clone()) };
                    (name, Marked { typed, marks: marks.at_step(&step) })
                };
                Ok((entries.into_iter().map(entry).collect(), marks.root()))
            }
            Err(typed) => Err(Marked { typed, marks }),
        }
    }

    /// Returns the keys and values that a `for` expression or `for_each` iterates over, and the marks of the value as a whole.
    /// The keys of a set are its elements. Returns `None` if the value is not a known collection, tuple or object.
    pub fn into_key_value_pairs(self) -> Option<(Vec<(Marked, Marked)>, Marks)> {
        let is_set = matches!(self.typed.ty, Type::Set(_));
        let number = |i: usize| Typed::new(Type::Number, Value::Number(i.into())).into();
        let name = |it: Arc<str>| Typed::new(Type::String, Value::String(it.into())).into();
        Some(match self.into_elements() {
            Ok((it, marks)) if is_set => (it.into_iter().map(|it| (it.clone(), it)).collect(), marks),
            Ok((it, marks)) => (it.into_iter().enumerate().map(|(i, it)| (number(i), it)).collect(), marks),
            Err(it) => {
                let (it, marks) = it.into_entries().ok()?;
                (it.into_iter().map(|(key, it)| (name(key), it)).collect(), marks)
            }
        })
    }

    /// Converts the value to a type. The values inside it keep their marks, except that the marks of the elements of a set
    /// become those of the set. The marks of an attribute that the type does not have are dropped.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no conversion, or if it fails for this value.
    pub fn convert(self, ty: &Type) -> Result<Marked, Error> {
        let typed = convert::convert(self.typed.value, &self.typed.ty, ty)?;
        Ok(Marked { marks: self.marks.after_conversion(&typed.ty), typed })
    }
}

/// A borrowed element, attribute or other nested value, with its marks. A step to an attribute or element takes logarithmic
/// time, whatever the size of the value.
#[derive(Clone, Debug)]
pub(crate) struct MarkedRef<'v> {
    pub(crate) ty: &'v Type,
    pub(crate) value: &'v Value,
    /// The marks of this value as a whole, including those of the values that enclose it.
    pub(crate) marks: Marks,
    /// The marks of the values inside this value. Their paths start at the root of the whole value.
    inner: &'v [(Path, Mark)],
    depth: usize,
}

impl<'v> MarkedRef<'v> {
    pub(crate) fn new(typed: &'v Typed, marks: &'v Marks) -> MarkedRef<'v> {
        MarkedRef { ty: &typed.ty, value: &typed.value, marks: Marks::none(), inner: &marks.0, depth: 0 }
            .with_own_marks()
    }

    /// Returns an unknown value without marks.
    pub(crate) fn unknown(ty: &'v Type) -> MarkedRef<'v> {
        const UNKNOWN: &Value = &Value::UNKNOWN;
        MarkedRef { ty, value: UNKNOWN, marks: Marks::none(), inner: &[], depth: 0 }
    }

    /// Separates the marks of this value as a whole from those of the values inside it, and resolves the type `any`.
    fn with_own_marks(mut self) -> MarkedRef<'v> {
        let whole = self.inner.partition_point(|(path, _)| path.steps().len() == self.depth);
        let (whole, inner) = self.inner.split_at(whole);
        if !whole.is_empty() {
            self.marks.insert(whole.iter().map(|(_, mark)| (Path::ROOT, *mark)));
        }
        self.inner = inner;
        if let Value::Dynamic(it) = self.value {
            (self.ty, self.value) = (&it.ty, &it.value);
        }
        self
    }

    /// Returns the nested value of this type at a step, if the value is known and has it.
    pub(crate) fn step(&self, ty: &'v Type, step: &Step) -> Option<MarkedRef<'v>> {
        let value = self.value.step(step)?;
        let inner = steps_below(self.inner, self.depth, step);
        Some(
            MarkedRef { ty, value, marks: self.marks.clone(), inner, depth: self.depth + 1 }.with_own_marks(),
        )
    }

    /// Returns an unknown value at a step, with the marks of this value.
    pub(crate) fn unknown_step(&self, ty: &'v Type) -> MarkedRef<'v> {
        MarkedRef { marks: self.marks.clone(), ..MarkedRef::unknown(ty) }
    }

    /// Returns the elements of a known list, set or tuple, without the marks of the value as a whole.
    pub(crate) fn elements(&self) -> Option<Vec<MarkedRef<'v>>> {
        let unmarked = MarkedRef { marks: Marks::none(), ..self.clone() };
        Some(match (self.ty, self.value) {
            (Type::List(of), Value::List(it)) => {
                (0..it.len()).filter_map(|i| unmarked.step(of, &Step::Index(i))).collect()
            }
            (Type::Tuple(types), Value::Tuple(_)) => {
                let each = types.iter().enumerate();
                each.filter_map(|(i, ty)| unmarked.step(ty, &Step::Index(i))).collect()
            }
            (Type::Set(of), Value::Set(it)) => {
                let element =
                    |value| MarkedRef { ty: of, value, inner: &[], ..unmarked.clone() }.with_own_marks();
                it.sorted().into_iter().map(element).collect()
            }
            _ => return None,
        })
    }

    /// Copies the value.
    pub(crate) fn to_marked(&self) -> Marked {
        let mut marks = self.marks.clone();
        let relative =
            |(path, mark): &(Path, Mark)| (path.steps()[self.depth..].iter().cloned().collect(), *mark);
        marks.0.extend(self.inner.iter().map(relative));
        Marked { typed: Typed::new(self.ty.clone(), self.value.clone()), marks }.resolved()
    }
}

/// Returns the path of a nested value after the conversion to a type; `None` if the conversion drops it.
pub fn path_after_conversion(path: &Path, mut ty: &Type) -> Option<Path> {
    let mut moved = Path::ROOT;
    for step in path.steps() {
        match (ty, step) {
            (Type::List(of), Step::Index(_)) => ty = of,
            (Type::Tuple(types), Step::Index(i)) => ty = types.get(*i)?,
            (Type::Map(of), Step::Attribute(name)) => {
                moved.push(Step::Key(name.into()));
                ty = of;
                continue;
            }
            (Type::Map(of), Step::Key(_)) => ty = of,
            (Type::Object(types), Step::Attribute(name)) => ty = &types.get(name)?.ty,
            (Type::Dynamic, _) => {}
            (Type::Object(types), Step::Key(key)) => {
                moved.push(Step::Attribute(key.clone().into()));
                ty = &types.get(key)?.ty;
                continue;
            }
            // The elements of a set have no marks.
            _ => return Some(moved),
        }
        moved.push(step.clone());
    }
    Some(moved)
}
