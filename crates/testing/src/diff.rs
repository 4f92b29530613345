//! Snapshots of objects and differences between them, as a test inspects them.

use std::fmt;
use std::sync::Arc;

use ferroform::raw::{AnyConfigurable, AnyResource};
use ferroform::schema::Block;
use ferroform::value::{Path, Step, Value};
use ferroform::{Attr, Deferral, Diagnostics};

use crate::leaves::{RedactedLeaf, leaves};

/// The action of a plan.
///
/// ```
/// use ferroform_testing::{Action, Instance, config};
///
/// fn size_is_updated_in_place(mut disk: Instance) {
///     disk.apply(config! { size = 1 });
///     assert_eq!(disk.plan(config! { size = 2 }).action, Action::Update);
///     assert_eq!(disk.plan_destroy().action, Action::Delete);
/// }
///
/// assert_eq!(Action::NoOp.to_string(), "no change");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Action {
    /// The object does not change.
    NoOp,
    /// The object is created.
    Create,
    /// The object is changed in place.
    Update,
    /// The object is destroyed and created again.
    Replace,
    /// The object is destroyed.
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

/// The owner of the schema of an object.
#[derive(Clone)]
pub(crate) enum SchemaOwner {
    Object(Arc<dyn AnyConfigurable>),
    /// The identity of a resource.
    Identity(Arc<dyn AnyResource>),
}

impl SchemaOwner {
    pub(crate) fn block(&self) -> &Block {
        match self {
            SchemaOwner::Object(it) => &it.schema().block,
            SchemaOwner::Identity(it) => it.identity().map_or(&it.schema().block, |it| &it.block),
        }
    }
}

/// An object at one moment: a state, the planned state of a [`Diff`], or the result of a data source.
///
/// `Display` prints one line for each attribute that is set, with sensitive values redacted.
///
/// ```no_run
/// # fn example(disk: ferroform_testing::Instance) {
/// use ferroform::path;
///
/// let state = disk.state();
/// assert_eq!(state.get::<String>(path!(name)), "a");
/// assert_eq!(state.get::<Option<i64>>(path!(partitions[0].size)), None);
/// assert!(!state.is_unknown(path!(id)));
/// # }
/// ```
#[derive(Clone)]
pub struct Snapshot {
    pub(crate) owner: SchemaOwner,
    pub(crate) value: Value,
    warnings: Diagnostics,
}

impl Snapshot {
    pub(crate) fn new(owner: SchemaOwner, value: Value) -> Snapshot {
        Snapshot { owner, value, warnings: Diagnostics::new() }
    }

    pub(crate) fn with_warnings(self, warnings: Diagnostics) -> Snapshot {
        Snapshot { warnings, ..self }
    }

    /// Returns the value at an attribute path, converted to a Rust type: `get::<String>(path!(id))`.
    ///
    /// # Panics
    ///
    /// Panics if the path does not exist, or if the value does not convert to `T`.
    #[track_caller]
    pub fn get<T: Attr>(&self, path: Path) -> T {
        let Some(value) = self.value.at(&path) else { panic!("{path} does not exist in\n{self}") };
        T::from_value(value).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Returns true if the value at an attribute path is unknown.
    ///
    /// # Panics
    ///
    /// Panics if the path does not exist.
    #[track_caller]
    pub fn is_unknown(&self, path: Path) -> bool {
        let Some(value) = self.value.at(&path) else { panic!("{path} does not exist in\n{self}") };
        value.is_unknown()
    }

    /// Returns the object as a value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the warnings of the step that has returned the object: the read of a data source, the opening of an ephemeral
    /// resource, or an import. The warnings of a plan, an apply and a refresh are those of the [`Diff`]. `==` ignores them.
    ///
    /// ```no_run
    /// # fn example(harness: ferroform_testing::Harness) {
    /// use ferroform_testing::config;
    ///
    /// let image = harness.data_source("cloud_image").read(config! { name = "debian-11" });
    /// assert_eq!(image.warnings().to_string(), "Image Deprecated: Use debian-12 instead.");
    /// # }
    /// ```
    pub fn warnings(&self) -> &Diagnostics {
        &self.warnings
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

/// A change of an object: a planned change, or the drift that a refresh found.
///
/// `Display` prints it as Terraform does, with one line for each attribute that changes and with sensitive values
/// redacted:
///
/// ```text
/// replace
/// ~ content = "a" -> "b" # forces replacement
/// ~ id = "1" -> (known after apply)
/// ```
///
/// ```no_run
/// # fn example(mut disk: ferroform_testing::Instance) {
/// use ferroform::path;
/// use ferroform_testing::{Action, config};
///
/// let planned = disk.plan(config! { name = "b" });
/// assert_eq!(planned.action, Action::Replace);
/// assert_eq!(planned.requires_replace, [path!(name)]);
/// assert!(planned.after.is_some_and(|after| after.is_unknown(path!(id))));
/// # }
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Diff {
    /// The action.
    pub action: Action,
    /// The prior state; `None` if the object does not exist.
    pub before: Option<Snapshot>,
    /// The planned or refreshed state; `None` if the object is or will be deleted.
    pub after: Option<Snapshot>,
    /// The identity, if it is known.
    pub identity: Option<Snapshot>,
    /// The attribute paths whose change requires replacement.
    pub requires_replace: Vec<Path>,
    /// The reason if the change is deferred. The planned state is incomplete then.
    pub deferred: Option<Deferral>,
    /// The warnings of the provider.
    pub warnings: Diagnostics,
}

impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.action)?;
        if let Some(reason) = self.deferred {
            write!(f, ", deferred: {reason:?}")?;
        }
        let leaves = |side: &Option<Snapshot>| {
            side.as_ref().map(|it| leaves(it.owner.block(), &it.value)).unwrap_or_default()
        };
        let (before, after) = (leaves(&self.before), leaves(&self.after));
        let mut paths: Vec<&Path> = after.iter().map(|(path, _)| path).collect();
        paths.extend(before.iter().map(|(path, _)| path).filter(|it| !after.iter().any(|(at, _)| at == *it)));
        for path in paths {
            let find = |side: &'_ [(Path, _)]| side.iter().position(|(at, _)| at == path);
            let (old, new) = (find(&before).map(|i| &before[i].1), find(&after).map(|i| &after[i].1));
            match (old, new) {
                (Some(old), Some(new)) if old.value == new.value => continue,
                (Some(old), Some(new)) => {
                    write!(f, "\n~ {path} = {} -> {}", RedactedLeaf(old), RedactedLeaf(new))?
                }
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
