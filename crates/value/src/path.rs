//! Attribute paths.

use std::fmt;
use std::sync::Arc;

use crate::value::Value;

/// One step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an object: `.name`.
    Attribute(Arc<str>),
    /// Into a list or tuple: `[0]`.
    Index(usize),
    /// Into a map: `["key"]`.
    Key(Arc<str>),
    /// Into a set, to the element that is equal to this value. Has no form on the wire.
    Element(Box<Value>),
}

/// A place in a value: the steps that lead there from the root.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Path {
    steps: Vec<Step>,
}

impl Path {
    /// The value itself.
    pub const ROOT: Path = Path { steps: Vec::new() };

    /// The path to the attribute of that name at the root.
    pub fn attribute(name: impl Into<Arc<str>>) -> Path {
        Path { steps: vec![Step::Attribute(name.into())] }
    }

    /// This path and one step more.
    #[must_use]
    pub fn then(mut self, step: Step) -> Path {
        self.steps.push(step);
        self
    }

    /// This path and one attribute more.
    #[must_use]
    pub fn name(self, name: impl Into<Arc<str>>) -> Path {
        self.then(Step::Attribute(name.into()))
    }

    /// The same path, below `parent`.
    #[must_use]
    pub fn below(self, parent: &Path) -> Path {
        Path { steps: parent.steps.iter().cloned().chain(self.steps).collect() }
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Takes the last step away.
    pub fn pop(&mut self) -> Option<Step> {
        self.steps.pop()
    }

    /// The path to what holds this; none for the value itself.
    pub fn parent(&self) -> Option<Path> {
        let (_, steps) = self.steps.split_last()?;
        Some(Path { steps: steps.to_vec() })
    }

    /// The last step; none for the value itself.
    pub fn last(&self) -> Option<&Step> {
        self.steps.last()
    }

    /// The steps from the root.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// True for the path to the value itself.
    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }
}

/// The path as Terraform writes it: `tags[2]`, `owner.name`, `labels["env"]`.
impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, step) in self.steps.iter().enumerate() {
            match step {
                Step::Attribute(name) if i == 0 => f.write_str(name)?,
                Step::Attribute(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Key(key) => write!(f, "[{key:?}]")?,
                Step::Element(_) => f.write_str("[an element of the set]")?,
            }
        }
        Ok(())
    }
}

impl FromIterator<Step> for Path {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> Path {
        Path { steps: steps.into_iter().collect() }
    }
}

impl From<usize> for Step {
    fn from(index: usize) -> Step {
        Step::Index(index)
    }
}

impl From<&str> for Step {
    fn from(key: &str) -> Step {
        Step::Key(key.into())
    }
}

// What a loop over a map hands out as the key.
impl From<&String> for Step {
    fn from(key: &String) -> Step {
        Step::from(key.as_str())
    }
}

impl From<String> for Step {
    fn from(key: String) -> Step {
        Step::Key(key.into())
    }
}
