//! Computed strings that consist of other attributes, and separators in import IDs.

use std::sync::Mutex;

use ferroform::{ApplyCx, Change, Maybe, Model, PlanCx, Planned, Proposed, ReadCx, Resource, Result, path};
use ferroform_testing::{Harness, config, provider, unknown};

/// The grants that exist.
#[derive(Default)]
struct Database(Mutex<Vec<Grant>>);

provider! {
    impl Database {
        resource Grant = "database_grant",
        resource Account = "database_account",
        resource Membership = "database_membership",
    }
}

/// A grant.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(import = "{role}/{database}/{privilege}")]
struct Grant {
    #[attr(requires_replace)]
    role: String,
    #[attr(requires_replace)]
    database: String,
    #[attr(rename = "level", requires_replace)]
    privilege: u32,
    comment: Option<String>,
    /// The import ID.
    #[attr(composed)]
    id: String,
    /// Not escaped, because it is not an import ID.
    #[attr(composed = "db://{role}@{database}")]
    url: String,
}

impl Resource for Grant {
    type Provider = Database;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<GrantComputed> {
        let grant = Grant {
            role: plan.role,
            database: plan.database,
            privilege: plan.privilege,
            comment: plan.comment,
            id: "not used".into(),
            url: "not used".into(),
        };
        cx.provider.0.lock().unwrap().push(grant.clone());
        Ok(grant.into())
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        assert_eq!(state.url, format!("db://{}@{}", state.role, state.database), "also after an import");
        let grants = cx.provider.0.lock().unwrap();
        Ok(grants.iter().find(|it| it.role == state.role && it.database == state.database).cloned())
    }

    async fn update(_: &ApplyCx<Self>, _: Self, _: Planned<Self>) -> Result<GrantComputed> {
        Ok(GrantComputed {})
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        cx.provider.0.lock().unwrap().retain(|it| it.role != state.role);
        Ok(())
    }
}

/// An account, whose number the service assigns.
#[derive(Model, Clone, Debug, PartialEq)]
struct Account {
    region: String,
    #[attr(computed, use_state_for_unknown)]
    number: u64,
    #[attr(composed = "{region}-{number}")]
    name: String,
}

impl Resource for Account {
    type Provider = Database;

    async fn plan(_: &PlanCx<Self>, change: Change<Self>) -> Result<Proposed<Self>> {
        assert!(change.plan.name.is_unknown() || change.prior.is_some());
        Ok(change.plan)
    }

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<AccountComputed> {
        Ok(AccountComputed { number: 7 })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn update(_: &ApplyCx<Self>, prior: Self, _: Planned<Self>) -> Result<AccountComputed> {
        Ok(AccountComputed { number: prior.number })
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

/// A membership, which cannot be updated.
#[derive(Model, Clone, Debug, PartialEq)]
struct Membership {
    role: String,
    user: String,
    #[attr(composed = "{role}/{user}")]
    id: String,
}

impl Resource for Membership {
    type Provider = Database;

    async fn create(_: &ApplyCx<Self>, _: Planned<Self>) -> Result<MembershipComputed> {
        Ok(MembershipComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(Some(state))
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn composed_attribute_does_not_require_replacement() {
    let mut membership = harness().resource("database_membership");
    membership.apply(config! { role = "r", user = "a" });
    let plan = membership.plan(config! { role = "r", user = "b" });
    assert_eq!(plan.requires_replace, [path!(user)]);
    assert_eq!(plan.after.unwrap().get::<String>(path!(id)), "r/b");
}

fn harness() -> Harness {
    Harness::start::<Database>(config! {})
}

#[test]
fn composed_attribute_is_known_as_soon_as_its_parts_are_known() {
    let harness = harness();
    let mut grant = harness.resource("database_grant");
    let plan = grant.plan(config! { role = "r", database = "d", level = 2 });
    assert_eq!(plan.after.unwrap().get::<String>(path!(id)), "r/d/2");
    let plan = grant.plan(config! { role = unknown(), database = "d", level = 2 });
    let after = plan.after.unwrap();
    assert_eq!(after.get::<Maybe<String>>(path!(id)), Maybe::Unknown);

    let once_known = config! { role = "r", database = "d", level = 2 };
    grant.apply_once_known(config! { role = unknown(), database = "d", level = 2 }, once_known);
    assert_eq!(grant.state().get::<String>(path!(id)), "r/d/2");
    assert_eq!(grant.state().get::<String>(path!(url)), "db://r@d");

    // Another attribute changes.
    let plan = grant.plan(config! { role = "r", database = "d", level = 2, comment = "c" });
    assert_eq!(plan.after.unwrap().get::<String>(path!(id)), "r/d/2");
}

#[test]
fn composed_attribute_contains_computed_values_once_they_are_known() {
    let mut account = harness().resource("database_account");
    let plan = account.plan(config! { region = "north" });
    assert_eq!(plan.after.unwrap().get::<Maybe<String>>(path!(name)), Maybe::Unknown);
    account.apply(config! { region = "north" });
    assert_eq!(account.state().get::<String>(path!(name)), "north-7");
    let plan = account.plan(config! { region = "south" });
    assert_eq!(plan.after.unwrap().get::<String>(path!(name)), "south-7");
    account.apply(config! { region = "south" });
    assert_eq!(account.state().get::<String>(path!(name)), "south-7");
}

#[test]
fn import_id_is_consistent_with_composed_attribute() {
    let harness = harness();
    for (role, database, id) in
        [("r", "d", "r/d/2"), ("a/b", r"c\", r"a\/b/c\\/2"), (r"x\y", "/", r"x\y/\//2")]
    {
        let mut grant = harness.resource("database_grant");
        grant.apply(config! { role = role, database = database, level = 2 });
        assert_eq!(grant.state().get::<String>(path!(id)), id);
        let mut imported = harness.resource("database_grant");
        imported.import(id);
        assert_eq!(imported.state(), grant.state());
    }
    let error = harness.resource("database_grant").try_import("a/b/c/2").error();
    assert!(error.to_string().contains("{role}/{database}/{level}"), "{error}");
}
