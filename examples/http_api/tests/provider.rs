//! Tests in the process of the provider. The test kit simulates Terraform.

mod mock;

use std::time::Duration;

use ferroform::value::Path;
use ferroform::{Diagnostics, path};
use ferroform_testing::mock::{Fault, Response};
use ferroform_testing::{Action, Configuration, Harness, config};
use mock::Mock;
use serde_json::Value;
use terraform_provider_directory::Client;

const USER: &str = "directory_user";

/// Starts the mock, and configures the provider with it.
fn start() -> (Mock, Harness) {
    let mock = Mock::start();
    let harness = Harness::start::<Client>(config! { endpoint = mock.url(), token = mock::TOKEN });
    (mock, harness)
}

fn ada() -> Configuration {
    config! { email = "ada@example.com", name = "Ada" }
}

/// A rejection that asks for a pause of 30 seconds.
fn too_many_requests() -> Fault {
    Fault::response(Response::new(429, Value::Null).header("Retry-After", "30"))
}

fn paths(errors: &Diagnostics) -> Vec<Option<Path>> {
    errors.iter().map(|it| it.path.clone()).collect()
}

#[test]
fn user_is_created_updated_recreated_and_destroyed() {
    let (mock, harness) = start();
    let mut user = harness.resource(USER);
    user.apply(ada());
    assert_eq!(user.state().get::<String>(path!(id)), "u-1");

    let renamed = config! { email = "ada@example.com", name = "Ada Lovelace" };
    assert_eq!(user.apply(renamed.clone()).action, Action::Update);
    assert_eq!(mock.users.get("u-1").unwrap()["name"], "Ada Lovelace");

    // The user is changed outside of Terraform: the next plan reverts the drift.
    mock.users.change("u-1", |user| user["active"] = false.into());
    user.refresh();
    assert_eq!(user.plan(renamed).action, Action::Update);

    // The user is deleted outside of Terraform: the next plan creates it again.
    mock.users.clear();
    user.refresh();
    assert!(!user.exists());
    user.apply(ada());
    user.destroy();
    assert!(mock.users.objects().is_empty());
}

#[test]
fn deletion_of_deleted_user_succeeds() {
    let (mock, harness) = start();
    let mut user = harness.resource(USER);
    user.apply(ada());
    // Another program deletes the user right before the request of the provider.
    mock.service.inject(Fault::status(404).processed().when(|it| it.method == "DELETE"));
    user.destroy();
    assert!(mock.users.objects().is_empty());
}

#[test]
fn errors_of_fields_have_the_paths_of_attributes() {
    let (_mock, harness) = start();
    let errors = harness.resource(USER).try_apply(config! { email = "ada", name = "Ada" }).error();
    assert_eq!(paths(&errors), [Some(path!(email))]);
    assert_eq!(errors.to_string(), "email: Invalid Value: The address has no @.");

    let mut user = harness.resource(USER);
    user.apply(ada());
    let errors = user.try_apply(config! { email = "ada@example.com", name = "" }).error();
    assert_eq!(paths(&errors), [Some(path!(name))]);
}

#[test]
fn existing_user_is_reported_with_its_import_id() {
    let (_mock, harness) = start();
    harness.resource(USER).apply(ada());
    let errors = harness.resource(USER).try_apply(ada()).error();
    assert_eq!(paths(&errors), [Some(path!(email))]);
    assert!(errors.to_string().contains("import it with the ID \"u-1\""), "{errors}");
    assert_eq!(harness.resource(USER).import("u-1").get::<String>(path!(name)), "Ada");
}

#[test]
fn segments_of_paths_cannot_change_the_request() {
    let (_mock, harness) = start();
    harness.resource(USER).apply(ada());
    // With a slash or a question mark in the path, the API would return the user or the list.
    for id in ["/u-1", "u-1?", "", ".", ".."] {
        assert!(harness.resource(USER).try_import(id).error().has_error(), "{id}");
    }
}

#[test]
fn invalid_token_is_reported_without_the_token() {
    let mock = Mock::start();
    let harness = Harness::start::<Client>(config! { endpoint = mock.url(), token = "expired" });
    let errors = harness.resource(USER).try_apply(ada()).error().to_string();
    assert!(errors.contains("401 Unauthorized") && errors.contains("DIRECTORY_TOKEN"), "{errors}");
    assert!(!errors.contains("expired"), "{errors}");
}

#[test]
fn rate_limited_request_is_retried_after_the_requested_time() {
    let (mock, harness) = start();
    mock.service.inject(too_many_requests().times(2));
    harness.resource(USER).apply(ada());
    // The test clock advances by itself. Two polls follow the request.
    assert_eq!(harness.clock().elapsed(), Duration::from_millis(30_000 + 30_000 + 100));

    mock.service.inject(too_many_requests().times(10));
    let errors = harness.resource(USER).try_apply(ada()).error().to_string();
    assert!(errors.contains("Too Many Requests"), "{errors}");
}

#[test]
fn methods_wait_until_reads_return_their_changes() {
    let (mock, harness) = start();
    mock.service.lag(3);
    let mut user = harness.resource(USER);
    user.apply(ada());
    user.refresh();
    assert!(user.exists());
    user.apply(config! { email = "ada@example.com", name = "Ada Lovelace" });
    user.refresh();
    assert_eq!(user.state().get::<String>(path!(name)), "Ada Lovelace");
}

#[test]
fn user_that_never_becomes_readable_is_in_the_state() {
    let (mock, harness) = start();
    mock.service.lag(1000);
    let mut user = harness.resource(USER);
    let errors = user.try_apply(ada()).error();
    assert!(errors.iter().any(|it| it.is_not_found()), "{errors}");
    assert!(user.is_tainted());
    assert_eq!(user.state().get::<String>(path!(id)), "u-1");
}

#[test]
fn data_source_reads_all_pages() {
    let (_mock, harness) = start();
    for number in 1..=5 {
        let active = number != 3;
        let user = config! { email = format!("{number}@example.com"), name = "A", active = active };
        harness.resource(USER).apply(user);
    }
    let users = harness.data_source("directory_users");
    let all = users.read(config! {});
    assert_eq!(all.get::<String>(path!(users[4].id)), "u-5");
    let inactive = users.read(config! { active = false });
    assert_eq!(inactive.get::<String>(path!(users[0].id)), "u-3");
}

#[test]
fn provider_violates_no_invariant() {
    let mock = Mock::start();
    ferroform_testing::ProviderCheck::<Client>::new()
        .configure(config! { endpoint = mock.url(), token = mock::TOKEN })
        .service(&mock.service)
        .run();
}
