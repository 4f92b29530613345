//! Write-only attributes: a changed value is detected although it is not stored.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ferroform::{ApplyCx, Model, Planned, ReadCx, Resource, Result, path};
use ferroform_testing::{Action, Diff, Harness, Instance, Invariant, config, provider, unknown};

/// The passwords of the service by user.
static SERVICE: Mutex<BTreeMap<String, Option<String>>> = Mutex::new(BTreeMap::new());

fn password(user: &str) -> Option<String> {
    SERVICE.lock().ok()?.get(user).cloned().flatten()
}

provider! {
    Test {
        resource User = "test_user",
        resource Versioned = "test_versioned",
        resource Team = "test_team",
    }
}

/// A changed password is detected by its fingerprint.
#[derive(Model, Clone, Debug, PartialEq)]
struct User {
    #[attr(requires_replace)]
    name: String,
    note: Option<String>,
    #[attr(write_only, fingerprint)]
    password: Option<String>,
    /// The number of password changes.
    #[attr(computed, follows(password))]
    password_revision: u64,
    #[attr(computed, use_state_for_unknown)]
    id: String,
    #[attr(mixed)]
    keys: Option<Vec<Key>>,
    #[attr(mixed)]
    by_name: Option<BTreeMap<String, Key>>,
    /// The number of changes of these passwords.
    #[attr(computed, follows(by_name))]
    by_name_revision: u64,
    #[attr(block, mixed)]
    login: Option<Key>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Key {
    label: String,
    #[attr(write_only, fingerprint)]
    secret: Option<Vec<u8>>,
    #[attr(computed, follows(secret, label))]
    revision: u64,
}

static REVISION: Mutex<u64> = Mutex::new(0);

fn next() -> u64 {
    let mut last = REVISION.lock().expect("no test panics here");
    *last += 1;
    *last
}

fn key(it: Planned<Key>) -> Key {
    Key { label: it.label, secret: None, revision: it.revision.unwrap_or_else(next) }
}

impl Resource for User {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<UserComputed> {
        if plan.note.as_deref() == Some("fail") {
            return Err(std::io::Error::other("it is down").into());
        }
        if plan.password_revision.is_unknown() {
            SERVICE.lock().expect("no panic").insert(plan.name.clone(), plan.password);
        }
        Ok(UserComputed {
            password_revision: plan.password_revision.unwrap_or_else(next),
            id: plan.id.unwrap_or(plan.name),
            keys: plan.keys.map(|it| it.into_iter().map(key).collect()),
            by_name: plan.by_name.map(|it| it.into_iter().map(|(name, it)| (name, key(it))).collect()),
            by_name_revision: plan.by_name_revision.unwrap_or_else(next),
            login: plan.login.map(key),
        })
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(SERVICE.lock().expect("no panic").contains_key(&state.name).then_some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<UserComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVICE.lock().expect("no panic").remove(&state.name);
        Ok(())
    }

    async fn import(_: &ReadCx<Self>, id: String) -> Result<Self> {
        Ok(User {
            note: None,
            password: None,
            password_revision: 0,
            by_name_revision: 0,
            id: id.clone(),
            name: id,
            keys: None,
            by_name: None,
            login: None,
        })
    }
}

/// A changed password is announced by a version attribute.
#[derive(Model, Clone, Debug, PartialEq)]
#[attr(required_together(password, password_version))]
struct Versioned {
    #[attr(requires_replace)]
    name: String,
    #[attr(write_only)]
    password: Option<String>,
    password_version: Option<u64>,
}

impl Resource for Versioned {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<VersionedComputed> {
        SERVICE.lock().expect("no panic").insert(plan.name, plan.password);
        Ok(VersionedComputed {})
    }

    async fn read(_: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        Ok(SERVICE.lock().expect("no panic").contains_key(&state.name).then_some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<VersionedComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, state: Self) -> Result<()> {
        SERVICE.lock().expect("no panic").remove(&state.name);
        Ok(())
    }
}

fn user() -> Instance {
    Harness::start::<Test>(config! {}).resource("test_user")
}

#[test]
fn changed_write_only_value_makes_following_value_unknown() {
    let mut user = user();
    user.apply(config! { name = "a", password = "first-secret" });
    assert_eq!(password("a").as_deref(), Some("first-secret"));
    let revision = user.state().get::<u64>(path!(password_revision));

    // The same password is not a change, even if another attribute changes.
    assert_eq!(user.plan(config! { name = "a", password = "first-secret" }).action, Action::NoOp);
    user.apply(config! { name = "a", password = "first-secret", note = "n" });
    assert_eq!(user.state().get::<u64>(path!(password_revision)), revision);

    let plan = user.plan(config! { name = "a", password = "second-secret", note = "n" });
    assert_eq!(plan.action, Action::Update);
    let after = plan.after.expect("a plan");
    assert!(after.is_unknown(path!(password_revision)) && !after.is_unknown(path!(id)));
    user.apply(config! { name = "a", password = "second-secret", note = "n" });
    assert_eq!(password("a").as_deref(), Some("second-secret"));
    assert_ne!(user.state().get::<u64>(path!(password_revision)), revision);

    // The password is removed and set again.
    user.apply(config! { name = "a", note = "n" });
    assert_eq!(password("a"), None);
    assert_eq!(user.plan(config! { name = "a", note = "n" }).action, Action::NoOp);
    assert_eq!(user.plan(config! { name = "a", note = "n", password = "x" }).action, Action::Update);
    user.destroy();
}

#[test]
fn unknown_write_only_value_may_be_a_change() {
    let mut user = user();
    user.apply(config! { name = "b", password = "some-secret" });
    let plan = user.plan(config! { name = "b", password = unknown() });
    assert!(
        plan.action == Action::Update && plan.after.expect("a plan").is_unknown(path!(password_revision))
    );
    // The value turns out to be unchanged, so there is nothing to do.
    user.apply_once_known(
        config! { name = "b", password = unknown() },
        config! { name = "b", password = "some-secret" },
    );
    user.apply_once_known(
        config! { name = "b", password = unknown() },
        config! { name = "b", password = "another-secret" },
    );
    assert_eq!(password("b").as_deref(), Some("another-secret"));
    user.destroy();
}

#[test]
fn value_following_object_with_write_only_attribute_is_kept() {
    let mut user = user();
    user.apply(config! { name = "s", by_name = { k = { label = "l", secret = [1] } } });
    let mut revision = |note: &str, secret: u8| {
        let by_name = config! { k = { label = "l", secret = [secret] } };
        let plan = user.plan(config! { name = "s", note = note, by_name = by_name });
        plan.after.expect("a plan").is_unknown(path!(by_name_revision))
    };
    assert!(!revision("n", 1));
    assert!(revision("n", 2));
    user.destroy();
}

#[test]
fn failed_apply_keeps_old_fingerprint() {
    let mut user = user();
    user.apply(config! { name = "c", password = "old-secret" });
    user.try_apply(config! { name = "c", password = "new-secret", note = "fail" }).error();
    assert_eq!(user.plan(config! { name = "c", password = "new-secret" }).action, Action::Update);
    assert_eq!(user.plan(config! { name = "c", password = "old-secret" }).action, Action::NoOp);
    user.destroy();
}

/// An imported object has no fingerprint.
#[test]
fn imported_object_receives_write_only_value() {
    SERVICE.lock().expect("no panic").insert("d".into(), Some("unknown-secret".into()));
    let mut user = user();
    user.import("d");
    assert_eq!(user.plan(config! { name = "d" }).action, Action::NoOp);
    user.apply(config! { name = "d", password = "our-secret" });
    assert_eq!(password("d").as_deref(), Some("our-secret"));
    user.destroy();
}

#[test]
fn nested_write_only_values_have_fingerprints() {
    let mut user = user();
    let config = |keys: [u8; 2], by_name: u8, login: u8| {
        config! {
            name = "e",
            keys = [{ label = "x", secret = [(keys[0])] }, { label = "y", secret = [(keys[1])] }],
            by_name = { k = { label = "z", secret = [by_name] } },
            login { label = "l", secret = [login] }
        }
    };
    user.apply(config([1, 2], 3, 4));
    assert_eq!(user.plan(config([1, 2], 3, 4)).action, Action::NoOp);
    let unknown = |plan: Diff| {
        let after = plan.after.expect("a plan");
        [
            after.is_unknown(path!(keys[0].revision)),
            after.is_unknown(path!(keys[1].revision)),
            after.is_unknown(path!(by_name["k"].revision)),
            after.is_unknown(path!(login.revision)),
        ]
    };
    assert_eq!(unknown(user.plan(config([1, 9], 3, 4))), [false, true, false, false]);
    assert_eq!(unknown(user.plan(config([1, 2], 9, 4))), [false, false, true, false]);
    assert_eq!(unknown(user.plan(config([1, 2], 3, 9))), [false, false, false, true]);
    user.apply(config([1, 9], 9, 9));
    assert_eq!(user.plan(config([1, 9], 9, 9)).action, Action::NoOp);
    // Without a key, a moved element is a new element.
    let swapped = config! {
        name = "e", keys = [{ label = "y", secret = [9] }, { label = "x", secret = [1] }],
        by_name = { k = { label = "z", secret = [9] } }, login { label = "l", secret = [9] }
    };
    assert_eq!(unknown(user.plan(swapped)), [true, true, false, false]);
    assert!(user.plan_with_unknowns(config([1, 2], 3, 4)) > 10);
    user.destroy();
}

#[test]
fn version_attribute_announces_changed_write_only_value() {
    let mut user = Harness::start::<Test>(config! {}).resource("test_versioned");
    user.apply(config! { name = "v", password = "first-secret", password_version = 1 });
    // Without another version, the change is not detected.
    let other = config! { name = "v", password = "second-secret", password_version = 1 };
    assert_eq!(user.plan(other).action, Action::NoOp);
    user.apply(config! { name = "v", password = "second-secret", password_version = 2 });
    assert_eq!(password("v").as_deref(), Some("second-secret"));
    let found = user.try_apply(config! { name = "v", password = "third-secret" }).error().to_string();
    assert!(found.contains("Either all or none of"), "{found}");
    user.destroy();
}

/// A resource whose service returns the keys in another order than configured.
#[derive(Model, Clone, Debug, PartialEq)]
struct Team {
    #[attr(mixed)]
    users: Vec<Member>,
    /// The same elements without a key.
    #[attr(mixed)]
    guests: Vec<Key>,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Member {
    #[attr(key)]
    name: String,
    #[attr(write_only, fingerprint)]
    secret: String,
    #[attr(computed, follows(secret))]
    revision: u64,
}

impl Resource for Team {
    type Provider = Test;

    async fn create(_: &ApplyCx<Self>, plan: Planned<Self>) -> Result<TeamComputed> {
        let member = |it: Planned<Member>| Member {
            name: it.name,
            secret: String::new(),
            revision: it.revision.unwrap_or_else(next),
        };
        let users = plan.users.into_iter().map(member).collect();
        Ok(TeamComputed { users, guests: plan.guests.into_iter().map(key).collect() })
    }

    async fn read(_: &ReadCx<Self>, mut state: Self) -> Result<Option<Self>> {
        state.users.sort_by_key(|it| std::cmp::Reverse(it.name.clone()));
        state.guests.sort_by_key(|it| std::cmp::Reverse(it.label.clone()));
        Ok(Some(state))
    }

    async fn update(cx: &ApplyCx<Self>, _: Self, plan: Planned<Self>) -> Result<TeamComputed> {
        Self::create(cx, plan).await
    }

    async fn delete(_: &ApplyCx<Self>, _: Self) -> Result<()> {
        Ok(())
    }
}

#[test]
fn fingerprint_follows_its_list_element() {
    // The order of the keys in the state differs from the configuration, which is not under test here.
    let harness = Harness::start::<Test>(config! {})
        .skip_check(Invariant::RefreshIsIdempotent)
        .skip_check(Invariant::PlanIsEmptyAfterApply);
    let mut team = harness.resource("test_team");
    let two_members = |a: &str, b: &str| {
        let (a, b) = (a.to_owned(), b.to_owned());
        config! {
            users = [{ name = "a", secret = a.clone() }, { name = "b", secret = b.clone() }],
            guests = [{ label = "a", secret = a.as_bytes().to_vec() }, { label = "b", secret = b.as_bytes().to_vec() }],
        }
    };
    team.apply(two_members("aaaa", "bbbb"));
    team.refresh();
    let unknown = |diff: &Diff| -> Vec<String> {
        diff.to_string()
            .lines()
            .filter(|it| it.contains("known after"))
            .map(|it| it.trim().to_owned())
            .collect()
    };
    let same = team.plan(two_members("aaaa", "bbbb"));
    // Without a key, elements match by index.
    let guests = unknown(&same).iter().filter(|it| it.contains("guests[")).count();
    assert_eq!(
        (unknown(&same).len(), guests),
        (2, 2),
        "no secret of an element with a key has changed: {same}"
    );
    let swapped = team.plan(two_members("bbbb", "aaaa"));
    assert_eq!(unknown(&swapped).len(), 4, "every secret has changed: {swapped}");
}
