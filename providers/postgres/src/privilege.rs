//! Privileges, and what a role has of them.

use std::collections::BTreeSet;

use ferroform::{Attr, Context as _, Result};
use tokio_postgres::Row;

use crate::sql::Sql;

/// The key of the applied privileges in private state.
pub(crate) const APPLIED: &str = "privileges";

/// A privilege.
#[derive(Attr, Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[attr(rename_all = "UPPERCASE")]
pub(crate) enum Privilege {
    /// All privileges of the type of object.
    All,
    Connect,
    Create,
    Delete,
    Execute,
    Insert,
    /// In PostgreSQL 17 and later.
    Maintain,
    References,
    Select,
    Temporary,
    Trigger,
    Truncate,
    Update,
    Usage,
}

/// The privileges of a role on one object.
pub(crate) struct Held {
    plain: BTreeSet<Privilege>,
    grantable: BTreeSet<Privilege>,
    /// What `ALL` stands for.
    every: BTreeSet<Privilege>,
}

impl Held {
    /// From three columns of a row, each of which is a list of privileges, of which only some apply to the type of object.
    pub(crate) fn of(row: &Row, column: usize, applicable: &[Privilege]) -> Result<Held> {
        let set = |column: usize| -> Result<BTreeSet<Privilege>> {
            let names: Vec<String> = row.get(column);
            let privileges: Result<_, _> = names.iter().map(|it| it.parse::<Privilege>()).collect();
            let privileges: BTreeSet<Privilege> = privileges.context("Unknown Privilege")?;
            Ok(privileges.into_iter().filter(|it| applicable.contains(it)).collect())
        };
        Ok(Held { plain: set(column)?, grantable: set(column + 1)?, every: set(column + 2)? })
    }
}

/// The SQL of a list of privileges, each of which is followed by a part, such as a list of columns.
pub(crate) fn list(privileges: &BTreeSet<Privilege>, suffix: &Sql) -> Sql {
    Sql::join(privileges.iter().map(|it| Sql::new("{}{}", &[it.as_str().into(), suffix.clone()])), ", ")
}

/// The privileges on several objects as the state describes them: a set, and whether the role can grant them. If the objects
/// differ, the set differs from the applied one, so that the next apply corrects them. `None` if the role has no privilege
/// although the state contains some. `applied` is `None` after an import. It is not the set of the state, because a refresh
/// changes that one, and two refreshes must have the same result.
pub(crate) fn observed(
    applied: Option<&BTreeSet<Privilege>>,
    state: &BTreeSet<Privilege>,
    with_grant_option: bool,
    objects: &[Held],
) -> Option<(BTreeSet<Privilege>, bool)> {
    let all = |set: fn(&Held) -> &BTreeSet<Privilege>| -> BTreeSet<Privilege> {
        objects.iter().flat_map(set).copied().collect()
    };
    let (plain, grantable) = (all(|it| &it.plain), all(|it| &it.grantable));
    let total = &plain | &grantable;
    if objects.is_empty() {
        return Some((state.clone(), with_grant_option));
    }
    if total.is_empty() {
        return state.is_empty().then(|| (BTreeSet::new(), with_grant_option));
    }
    let is_grantable = plain.is_empty() || (with_grant_option && !grantable.is_empty());
    let held = |it: &Held| if is_grantable { it.grantable.clone() } else { it.plain.clone() };
    let common = objects.iter().map(held).reduce(|a, b| &a & &b).unwrap_or_default();
    let Some(applied) = applied else { return Some((common, is_grantable)) };
    let expanded = if applied.contains(&Privilege::All) { all(|it| &it.every) } else { applied.clone() };
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
        let held: Vec<Held> = objects
            .iter()
            .map(|(plain, grantable)| Held {
                plain: set(plain),
                grantable: set(grantable),
                every: set(&[Insert, Select]),
            })
            .collect();
        observed(Some(&set(wanted)), &set(wanted), option, &held)
            .map(|(found, option)| (found.into_iter().collect(), option))
    }

    #[test]
    fn equal_privileges_are_no_drift() {
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
        let held = |it: &[Privilege]| Held { plain: set(it), grantable: set(&[]), every: set(&[]) };
        let objects = [held(&[Select]), held(&[])];
        for applied in [None, Some(set(&[])), Some(set(&[Select]))] {
            let observe = |state: &BTreeSet<Privilege>| observed(applied.as_ref(), state, false, &objects);
            let (first, _) = observe(&set(&[])).unwrap_or_default();
            assert_eq!(observe(&first), Some((first, false)), "{applied:?}");
        }
    }
}
