//! Objects and changes, as a test looks at them.

use std::fmt;
use std::sync::Arc;

use ferroform::raw::AnyResource;
use ferroform::schema::Block;
use ferroform::value::{Path, Step, Value};
use ferroform::{Attr, Deferral, Diagnostics};

use crate::leaves::{RedactedLeaf, leaves};

/// What a plan does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing.
    NoOp,
    /// Makes the object.
    Create,
    /// Changes the object in path.
    Update,
    /// Deletes the object and makes another one.
    Replace,
    /// Deletes the object.
    Delete,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Action::NoOp => "no change",
            Action::Create => "create",
            Action::Update => "update",
            Action::Replace => "replace",
            Action::Delete => "delete",
        })
    }
}

/// Where the schema of an object is from.
#[derive(Clone)]
pub(crate) enum SchemaOwner {
    Resource(Arc<dyn AnyResource>),
    DataSource(Arc<dyn ferroform::raw::AnyDataSource>),
    /// Its identity's.
    Identity(Arc<dyn AnyResource>),
}

impl SchemaOwner {
    pub(crate) fn block(&self) -> &Block {
        match self {
            SchemaOwner::Resource(it) => &it.schema().block,
            SchemaOwner::DataSource(it) => &it.schema().block,
            SchemaOwner::Identity(it) => it.identity().map_or(&it.schema().block, |it| &it.block),
        }
    }
}

/// An object at one moment: a state, or a plan's side.
///
/// Printed as one line for each attribute that is set, with sensitive values hidden.
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) owner: SchemaOwner,
    pub(crate) value: Value,
}

impl Snapshot {
    /// The value at that path, as a Rust type: `get::<String>(path!(id))`.
    ///
    /// # Panics
    ///
    /// Where there is no such path, or its value is of another type.
    #[track_caller]
    pub fn get<T: Attr>(&self, path: Path) -> T {
        let Some(value) = self.value.at(&path) else { panic!("there is no {path} in\n{self}") };
        T::from_value(value).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// True where the value at that path is known only after apply.
    ///
    /// # Panics
    ///
    /// Where there is no such path.
    #[track_caller]
    pub fn is_unknown(&self, path: Path) -> bool {
        let Some(value) = self.value.at(&path) else { panic!("there is no {path} in\n{self}") };
        value.is_unknown()
    }

    /// The whole object.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (path, it)) in leaves(self.owner.block(), &self.value).into_iter().enumerate() {
            write!(f, "{}{path} = {}", if i > 0 { "\n" } else { "" }, RedactedLeaf(&it))?;
        }
        Ok(())
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A change of an object: as planned, or as found when it was read again.
///
/// Printed as Terraform prints it, one line for each attribute that changes, with sensitive values hidden:
///
/// ```text
/// replace
/// ~ content = "a" -> "b" # forces replacement
/// ~ id = "1" -> (known after apply)
/// ```
#[derive(Clone)]
pub struct Diff {
    /// What is, or was, done.
    pub action: Action,
    /// The object before; none where there was none.
    pub before: Option<Snapshot>,
    /// The object after; none where there will be none.
    pub after: Option<Snapshot>,
    /// What the object is or will be known by, where that is known.
    pub identity: Option<Snapshot>,
    /// The paths whose change needs a new object.
    pub requires_replace: Vec<Path>,
    /// Why it is put off, where it is; the object after is then no more than what is known already.
    pub deferred: Option<Deferral>,
    /// What the provider warned of on the way.
    pub warnings: Diagnostics,
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.action)?;
        if let Some(why) = self.deferred {
            write!(f, ", put off: {why:?}")?;
        }
        let leaves = |side: &Option<Snapshot>| {
            side.as_ref().map(|it| leaves(it.owner.block(), &it.value)).unwrap_or_default()
        };
        let (before, after) = (leaves(&self.before), leaves(&self.after));
        let mut paths: Vec<&Path> = after.iter().map(|(path, _)| path).collect();
        paths.extend(
            before.iter().map(|(path, _)| path).filter(|it| !after.iter().any(|(at, _)| at == *it)),
        );
        for path in paths {
            let find = |side: &'_ [(Path, _)]| side.iter().position(|(at, _)| at == path);
            let (old, new) = (find(&before).map(|i| &before[i].1), find(&after).map(|i| &after[i].1));
            match (old, new) {
                (Some(old), Some(new)) if old.value == new.value => continue,
                (Some(old), Some(new)) => write!(f, "\n~ {path} = {} -> {}", RedactedLeaf(old), RedactedLeaf(new))?,
                (None, Some(new)) => write!(f, "\n+ {path} = {}", RedactedLeaf(new))?,
                (Some(old), None) => write!(f, "\n- {path} = {}", RedactedLeaf(old))?,
                (None, None) => {}
            }
            if self.requires_replace.iter().any(|it| is_within(path, it)) {
                f.write_str(" # forces replacement")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn is_within(path: &Path, outer: &Path) -> bool {
    let (path, outer): (&[Step], &[Step]) = (path.steps(), outer.steps());
    path.starts_with(outer)
}
