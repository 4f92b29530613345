//! Path patterns: attribute paths in which a step may be any element.

use std::fmt;
use std::sync::Arc;

use ferroform_value::{Error, Path, Step, Type, Value};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Step(Step),
    /// Any element of a list, tuple, map or set.
    Any,
    /// The parent; only at the beginning.
    Parent,
}

/// A path in which a step may be any element: `disks[*].size`, written [`pattern!`](crate::pattern).
///
/// Every path is a pattern that matches itself.
///
/// A pattern that begins with `super` is relative to an attribute: `pattern!(super.kind)` is its sibling `kind`.
/// Each `super` is one step up, from an attribute or from an element. [`at`](Pattern::at) makes the pattern
/// absolute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    parts: Vec<Part>,
}

impl Pattern {
    /// The pattern that matches only the root.
    pub const ROOT: Pattern = Pattern { parts: Vec::new() };

    /// Appends a step.
    #[must_use]
    pub fn then(mut self, step: impl Into<Step>) -> Pattern {
        self.parts.push(Part::Step(step.into()));
        self
    }

    /// Appends an attribute.
    #[must_use]
    pub fn name(self, name: impl Into<Arc<str>>) -> Pattern {
        self.then(Step::Attribute(name.into()))
    }

    /// Appends any element of a list, tuple, map or set.
    #[must_use]
    pub fn any(mut self) -> Pattern {
        self.parts.push(Part::Any);
        self
    }

    /// The parent: removes the last step, or prepends `super` if there is none.
    #[must_use]
    pub fn parent(mut self) -> Pattern {
        match self.parts.last() {
            Some(Part::Step(_) | Part::Any) => drop(self.parts.pop()),
            Some(Part::Parent) | None => self.parts.push(Part::Parent),
        }
        self
    }

    /// True if it is relative to an attribute.
    pub fn is_relative(&self) -> bool {
        self.parts.first() == Some(&Part::Parent)
    }

    /// The absolute pattern of a pattern at that path: itself, or a relative pattern resolved. `None` if it leads
    /// outside of the root.
    ///
    /// ```
    /// use ferroform::{path, pattern};
    /// let sibling = pattern!(super.super.kind).at(&path!(disks[1].cache.size));
    /// assert_eq!(sibling, Some(pattern!(disks[1].kind)));
    /// assert_eq!(pattern!(super.super.kind).at(&path!(size)), None);
    /// ```
    pub fn at(&self, path: impl Into<Pattern>) -> Option<Pattern> {
        if !self.is_relative() {
            return Some(self.clone());
        }
        let up = self.parts.iter().take_while(|it| **it == Part::Parent).count();
        let Pattern { mut parts } = path.into();
        parts.truncate(parts.len().checked_sub(up)?);
        parts.extend(self.parts[up..].iter().cloned());
        Some(Pattern { parts })
    }

    /// The attributes of the pattern, each with the number of steps before it; `None` if it ends with an element.
    pub fn attributes(&self) -> Option<Vec<(usize, &Arc<str>)>> {
        let all = self.parts.iter().enumerate().filter_map(|(i, part)| match part {
            Part::Step(Step::Attribute(name)) => Some((i, name)),
            _ => None,
        });
        matches!(self.parts.last(), Some(Part::Step(Step::Attribute(_)))).then(|| all.collect())
    }

    /// True if it can match several paths.
    pub fn has_wildcard(&self) -> bool {
        self.parts.contains(&Part::Any)
    }

    /// The number of steps that both patterns begin with.
    pub fn common_prefix_len(&self, other: &Pattern) -> usize {
        self.parts.iter().zip(&other.parts).take_while(|(a, b)| a == b).count()
    }

    /// The same pattern below `parent`.
    #[must_use]
    pub fn below(self, parent: &Path) -> Pattern {
        Pattern { parts: Pattern::from(parent).parts.into_iter().chain(self.parts).collect() }
    }

    /// True if the pattern matches the path.
    pub fn matches(&self, path: &Path) -> bool {
        self.parts.len() == path.steps().len() && self.matches_start(path)
    }

    /// True if the pattern matches the path or a path inside it.
    pub fn matches_start(&self, path: &Path) -> bool {
        let is_match = |(part, step): (&Part, &Step)| match part {
            Part::Step(it) => it == step,
            Part::Any => !matches!(step, Step::Attribute(_)),
            Part::Parent => false,
        };
        self.parts.len() >= path.steps().len() && self.parts.iter().zip(path.steps()).all(is_match)
    }

    /// The paths in the value that the pattern matches. If there are none, the paths of null and unknown values inside
    /// which there could be some.
    ///
    /// # Errors
    ///
    /// Returns an error if no value of the type has such a path.
    pub fn find(&self, ty: &Type, value: &Value) -> Result<Vec<Path>, Error> {
        self.check_type(ty)?;
        let mut search = Search { found: Vec::new(), undecided: Vec::new() };
        search.walk(value, &self.parts, &mut Path::ROOT.clone());
        Ok(if search.found.is_empty() { search.undecided } else { search.found })
    }

    /// Checks that a value of the type can have a path that the pattern matches.
    ///
    /// # Errors
    ///
    /// Returns an error if no value of the type has such a path.
    pub fn check_type(&self, ty: &Type) -> Result<(), Error> {
        let step = |ty: &Type, part: &Part| match (ty, part) {
            (Type::Object(it), Part::Step(Step::Attribute(name))) => it.get(name).map(|it| it.ty.clone()),
            (Type::List(it), Part::Any | Part::Step(Step::Index(_)))
            | (Type::Map(it), Part::Any | Part::Step(Step::Key(_)))
            | (Type::Set(it), Part::Any | Part::Step(Step::Element(_))) => Some((**it).clone()),
            (Type::Tuple(types), Part::Step(Step::Index(i))) => types.get(*i).cloned(),
            // The elements may have different types.
            (Type::Tuple(_), Part::Any) | (Type::Dynamic, _) => Some(Type::Dynamic),
            _ => None,
        };
        let end = self.parts.iter().try_fold(ty.clone(), |ty, part| step(&ty, part));
        end.map(drop)
            .ok_or_else(|| Error::new(format!("no value of the type {ty} has a path that matches `{self}`")))
    }
}

struct Search {
    found: Vec<Path>,
    /// The paths of null and unknown values at which the search ended.
    undecided: Vec<Path>,
}

impl Search {
    fn walk(&mut self, value: &Value, parts: &[Part], path: &mut Path) {
        let Some((part, rest)) = parts.split_first() else {
            self.found.push(path.clone());
            return;
        };
        if value.is_null() || value.is_unknown() {
            self.undecided.push(path.clone());
            return;
        }
        let mut inside = |step: Step, it: &Value| {
            path.push(step);
            self.walk(it, rest, path);
            path.pop();
        };
        match (part, value.without_type()) {
            (Part::Step(step), _) => {
                if let Some(it) = value.step(step) {
                    inside(step.clone(), it);
                }
            }
            (Part::Any, it @ (Value::List(_) | Value::Tuple(_) | Value::Map(_) | Value::Set(_))) => {
                it.children().for_each(|(step, it)| inside(step, it));
            }
            _ => {}
        }
    }
}

impl From<&Path> for Pattern {
    fn from(path: &Path) -> Pattern {
        Pattern { parts: path.steps().iter().cloned().map(Part::Step).collect() }
    }
}

impl From<Path> for Pattern {
    fn from(path: Path) -> Pattern {
        Pattern::from(&path)
    }
}

/// Printed as in [`pattern!`](crate::pattern).
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, part) in self.parts.iter().enumerate() {
            match part {
                Part::Any => f.write_str("[*]")?,
                Part::Parent => write!(f, "{}super", if i > 0 { "." } else { "" })?,
                Part::Step(step) => {
                    let dot = if i > 0 && matches!(step, Step::Attribute(_)) { "." } else { "" };
                    write!(f, "{dot}{}", Path::from_iter([step.clone()]))?;
                }
            }
        }
        Ok(())
    }
}

/// A path pattern: `pattern!(disks[*].size)`, `pattern!(labels[*])`, `pattern!(tags[2])`; relative to an attribute,
/// `pattern!(super.kind)`.
///
/// ```
/// use ferroform::{path, pattern};
///
/// let sizes = pattern!(disks[*].size);
/// assert!(sizes.matches(&path!(disks[1].size)));
/// assert!(!sizes.matches(&path!(disks[1].name)));
/// assert_eq!(sizes.to_string(), "disks[*].size");
/// ```
#[macro_export]
macro_rules! pattern {
    (super $($rest:tt)*) => {
        $crate::pattern!(@ $crate::Pattern::ROOT.parent(); $($rest)*)
    };
    ($first:ident $($rest:tt)*) => {
        $crate::pattern!(@ $crate::Pattern::ROOT.name($crate::attribute_name(stringify!($first))); $($rest)*)
    };
    (@ $pattern:expr; . super $($rest:tt)*) => {
        $crate::pattern!(@ $pattern.parent(); $($rest)*)
    };
    (@ $pattern:expr; . $name:ident $($rest:tt)*) => {
        $crate::pattern!(@ $pattern.name($crate::attribute_name(stringify!($name))); $($rest)*)
    };
    (@ $pattern:expr; [ * ] $($rest:tt)*) => {
        $crate::pattern!(@ $pattern.any(); $($rest)*)
    };
    (@ $pattern:expr; [ $index:expr ] $($rest:tt)*) => {
        $crate::pattern!(@ $pattern.then($index); $($rest)*)
    };
    (@ $pattern:expr;) => { $pattern };
}
