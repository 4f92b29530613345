//! Privileges, and the comparison of the configured privileges with those of a role.

use std::collections::BTreeSet;

use ferroform::{Attr, Context as _, Diagnostic, Result, path};
use tokio_postgres::Row;

use crate::sql::Sql;

/// The key of the applied privileges in private state.
pub(crate) const APPLIED: &str = "privileges";

/// A privilege.
#[derive(Attr, Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Privilege {
    /// All privileges that apply to the object type.
    All,
    Connect,
    Create,
    Delete,
    Execute,
    Insert,
    /// Requires PostgreSQL 17 or later.
    Maintain,
    References,
    Select,
    Temporary,
    Trigger,
    Truncate,
    Update,
    Usage,
}

impl Privilege {
    /// Rejects a privilege that does not apply to an object type.
    pub(crate) fn validate(self, object_type: &str, applicable: &[Privilege]) -> Result<()> {
        if applicable.contains(&self) {
            return Ok(());
        }
        let names: Vec<&str> = applicable.iter().map(Privilege::as_str).collect();
        let detail = format!(
            "The privilege {self} does not apply to the object type \"{object_type}\". Use one of {}.",
            names.join(", ")
        );
        Err(Diagnostic::error("Invalid Attribute Combination").detail(detail).at(path!(privileges)).into())
    }
}

/// The privileges of a role on one object.
pub(crate) struct ObjectPrivileges {
    without_grant_option: BTreeSet<Privilege>,
    with_grant_option: BTreeSet<Privilege>,
    /// The privileges that `ALL` grants.
    all: BTreeSet<Privilege>,
}

impl ObjectPrivileges {
    /// Reads the three lists of privileges that begin at a column, without privileges that do not apply to the object type.
    pub(crate) fn from_row(row: &Row, column: usize, applicable: &[Privilege]) -> Result<ObjectPrivileges> {
        let set = |column: usize| -> Result<BTreeSet<Privilege>> {
            let names: Vec<String> = row.get(column);
            let privileges: Result<_, _> = names.iter().map(|it| it.parse::<Privilege>()).collect();
            let privileges: BTreeSet<Privilege> = privileges.context("Unknown Privilege")?;
            Ok(privileges.into_iter().filter(|it| applicable.contains(it)).collect())
        };
        let (without_grant_option, with_grant_option) = (set(column)?, set(column + 1)?);
        Ok(ObjectPrivileges { without_grant_option, with_grant_option, all: set(column + 2)? })
    }

    /// Whether the role has these privileges and no others.
    pub(crate) fn is_equal(&self, privileges: &BTreeSet<Privilege>, with_grant_option: bool) -> bool {
        let expected = if privileges.contains(&Privilege::All) { &self.all } else { privileges };
        let grantable = if with_grant_option { expected } else { &BTreeSet::new() };
        &self.without_grant_option | &self.with_grant_option == *expected
            && self.with_grant_option == *grantable
    }
}

/// The SQL of a list of privileges. Each privilege is followed by a suffix, such as a list of columns.
pub(crate) fn list(privileges: &BTreeSet<Privilege>, suffix: &Sql) -> Sql {
    Sql::join(privileges.iter().map(|it| Sql::new("{}{}", &[it.as_str().into(), suffix.clone()])), ", ")
}

/// Summarizes the privileges of a role on several objects for the state: one set of privileges, and whether the role has the
/// grant option. Returns `None` if the role has no privileges although the state contains some.
///
/// If the privileges differ between the objects, the result differs from the applied privileges, so that the next plan contains an
/// update. For example, `SELECT` was applied to two tables:
///
/// | first table | second table | result |
/// |---|---|---|
/// | `SELECT` | `SELECT` | `SELECT` |
/// | `SELECT` | `SELECT`, `INSERT` | `SELECT`, `INSERT` |
/// | `SELECT` | | no privileges |
///
/// `applied` contains the privileges of the last apply, or `None` after an import. A refresh changes the privileges of the
/// state, but not `applied`, so two refreshes have the same result.
pub(crate) fn observed(
    applied: Option<&BTreeSet<Privilege>>,
    state: &BTreeSet<Privilege>,
    with_grant_option: bool,
    objects: &[ObjectPrivileges],
) -> Option<(BTreeSet<Privilege>, bool)> {
    let union = |set: fn(&ObjectPrivileges) -> &BTreeSet<Privilege>| -> BTreeSet<Privilege> {
        objects.iter().flat_map(set).copied().collect()
    };
    let (plain, grantable) = (union(|it| &it.without_grant_option), union(|it| &it.with_grant_option));
    let total = &plain | &grantable;
    if objects.is_empty() {
        return Some((state.clone(), with_grant_option));
    }
    if total.is_empty() {
        return state.is_empty().then(|| (BTreeSet::new(), with_grant_option));
    }
    let is_grantable = plain.is_empty() || (with_grant_option && !grantable.is_empty());
    let privileges = |it: &ObjectPrivileges| match is_grantable {
        true => it.with_grant_option.clone(),
        false => it.without_grant_option.clone(),
    };
    let common = objects.iter().map(privileges).reduce(|a, b| &a & &b).unwrap_or_default();
    let Some(applied) = applied else { return Some((common, is_grantable)) };
    let expanded = if applied.contains(&Privilege::All) { union(|it| &it.all) } else { applied.clone() };
    let found = if common == expanded { total } else { common };
    Some((if found == expanded { applied.clone() } else { found }, is_grantable))
}

#[cfg(test)]
mod tests {
    use super::Privilege::{All, Delete, Insert, Select};
    use super::*;

    fn observe(
        wanted: &[Privilege],
        option: bool,
        objects: &[(&[Privilege], &[Privilege])],
    ) -> Option<(Vec<Privilege>, bool)> {
        let set = |it: &[Privilege]| it.iter().copied().collect::<BTreeSet<_>>();
        let objects: Vec<ObjectPrivileges> = objects
            .iter()
            .map(|(plain, grantable)| ObjectPrivileges {
                without_grant_option: set(plain),
                with_grant_option: set(grantable),
                all: set(&[Insert, Select]),
            })
            .collect();
        observed(Some(&set(wanted)), &set(wanted), option, &objects)
            .map(|(found, option)| (found.into_iter().collect(), option))
    }

    #[test]
    fn equal_privileges_are_not_drift() {
        assert_eq!(
            observe(&[Select], false, &[(&[Select], &[]), (&[Select], &[])]),
            Some((vec![Select], false))
        );
        assert_eq!(observe(&[Select], true, &[(&[], &[Select])]), Some((vec![Select], true)));
        assert_eq!(observe(&[All], false, &[(&[Insert, Select], &[])]), Some((vec![All], false)));
        assert_eq!(observe(&[], false, &[(&[], &[])]), Some((vec![], false)));
        assert_eq!(observe(&[Select], true, &[]), Some((vec![Select], true)));
    }

    #[test]
    fn missing_and_additional_privileges_are_drift() {
        assert_eq!(observe(&[Select], false, &[(&[Select], &[]), (&[], &[])]), Some((vec![], false)));
        assert_eq!(
            observe(&[Select], false, &[(&[Select], &[]), (&[Insert, Select], &[])]),
            Some((vec![Insert, Select], false))
        );
        assert_eq!(observe(&[All], false, &[(&[Select], &[])]), Some((vec![Select], false)));
        assert_eq!(observe(&[], false, &[(&[Delete], &[])]), Some((vec![Delete], false)));
        assert_eq!(observe(&[Select], false, &[(&[], &[Select])]), Some((vec![Select], true)));
        assert_eq!(observe(&[Select], true, &[(&[Insert], &[Select])]), Some((vec![Insert, Select], true)));
        assert_eq!(observe(&[Select], false, &[(&[], &[])]), None);
    }

    #[test]
    fn two_refreshes_have_the_same_result() {
        let set = |it: &[Privilege]| it.iter().copied().collect::<BTreeSet<_>>();
        let object = |it: &[Privilege]| ObjectPrivileges {
            without_grant_option: set(it),
            with_grant_option: set(&[]),
            all: set(&[]),
        };
        let objects = [object(&[Select]), object(&[])];
        for applied in [None, Some(set(&[])), Some(set(&[Select]))] {
            let observe = |state: &BTreeSet<Privilege>| observed(applied.as_ref(), state, false, &objects);
            let (first, _) = observe(&set(&[])).unwrap_or_default();
            assert_eq!(observe(&first), Some((first, false)), "{applied:?}");
        }
    }
}
