//! The mock of an HTTP API.

mod http_client;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ferroform::{
    ApplyCx, Clock, Config, Known, Maybe, Model, Planned, Provider, ReadCx, Registry, RequestCx,
};
use ferroform::{Resource, Result, Timeouts, Unknown, path};
use ferroform_testing::mock::{Asynchronous, Collection, Fault, Pagination, Service};
use ferroform_testing::{FaultInjection, Harness, config};
use http_client::{Response, send, send_with};
use serde_json::{Value, json};

/// Sends a request to a service, and waits for its response.
fn try_request(service: &Service, method: &str, path: &str, body: Value) -> Result<Response> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(send(method, &format!("{}{path}", service.url()), &body))
}

#[track_caller]
fn request(service: &Service, method: &str, path: &str, body: Value) -> (u16, Value) {
    let response = try_request(service, method, path, body).expect("a response");
    (response.status, response.body)
}

fn notes() -> (Service, Collection) {
    let service = Service::start();
    let notes = service.collection("/v1/notes").id("id", |number| format!("n-{number}"));
    (service, notes)
}

#[test]
fn collection_creates_reads_updates_and_deletes_objects() {
    let (service, notes) = notes();
    let note = json!({ "id": "n-1", "title": "a", "tag": "x" });
    assert_eq!(
        request(&service, "POST", "/v1/notes", json!({ "title": "a", "tag": "x" })),
        (201, note.clone())
    );
    assert_eq!(request(&service, "GET", "/v1/notes/n-1", Value::Null), (200, note));

    let patched = json!({ "id": "n-1", "title": "b" });
    assert_eq!(
        request(&service, "PATCH", "/v1/notes/n-1", json!({ "title": "b", "tag": null })),
        (200, patched)
    );
    let replaced = json!({ "id": "n-1", "tag": "y" });
    assert_eq!(request(&service, "PUT", "/v1/notes/n-1", json!({ "tag": "y" })), (200, replaced.clone()));
    assert_eq!(request(&service, "GET", "/v1/notes", Value::Null), (200, json!([replaced])));

    assert_eq!(request(&service, "DELETE", "/v1/notes/n-1", Value::Null), (204, Value::Null));
    for (method, body) in
        [("GET", Value::Null), ("PUT", json!({})), ("PATCH", json!({})), ("DELETE", Value::Null)]
    {
        assert_eq!(request(&service, method, "/v1/notes/n-1", body).0, 404, "{method}");
    }
    assert_eq!(request(&service, "POST", "/v1/notes", json!([])).0, 400);
    assert_eq!(request(&service, "POST", "/v1/notes/n-1", json!({})).0, 405);
    assert_eq!(request(&service, "GET", "/v2", Value::Null).0, 404);
    assert!(notes.objects().is_empty());
}

#[test]
fn merge_patch_merges_nested_objects() {
    let (service, notes) = notes();
    notes.insert(json!({ "owner": { "name": "Ada", "mail": "a@b" }, "tags": ["a"] }));
    let patch = json!({ "owner": { "mail": null, "team": { "x": null, "y": 1 } }, "tags": ["b"] });
    let (_, patched) = request(&service, "PATCH", "/v1/notes/n-1", patch);
    let expected = json!({ "id": "n-1", "owner": { "name": "Ada", "team": { "y": 1 } }, "tags": ["b"] });
    assert_eq!(patched, expected);
}

#[test]
fn fault_injection_removes_objects_and_ends_stale_reads() {
    let service = Service::start();
    let users = service.collection("/users").key("mail");
    users.insert(json!({ "mail": "a@example.com" }));
    let [name] = FaultInjection::objects(&service).try_into().expect("one object");
    service.remove(&name);
    assert!(users.objects().is_empty());

    service.set_read_lag(2);
    assert_eq!(request(&service, "POST", "/users", json!({ "mail": "b" })).0, 201);
    FaultInjection::clear_faults(&service);
    assert_eq!(request(&service, "GET", "/users/b", Value::Null).0, 200);
}

#[test]
fn client_chooses_keys() {
    let service = Service::start();
    let files = service.collection("/files").key("name");
    assert_eq!(request(&service, "POST", "/files", json!({ "name": "a/b ?" })).0, 201);
    assert_eq!(request(&service, "POST", "/files", json!({ "name": "a/b ?" })).0, 409);
    assert_eq!(request(&service, "POST", "/files", json!({})).0, 422);
    assert_eq!(request(&service, "PUT", "/files/c", json!({})).0, 404);
    assert_eq!(
        request(&service, "GET", "/files/a%2Fb%20%3F", Value::Null),
        (200, json!({ "name": "a/b ?" }))
    );
    assert!(service.objects().contains_key("/files/a%2Fb%20%3F"));

    files.put_creates();
    assert_eq!(
        request(&service, "PUT", "/files/c", json!({ "size": 1 })),
        (201, json!({ "name": "c", "size": 1 }))
    );
    assert_eq!(request(&service, "PUT", "/files/c", json!({ "name": "d" })), (200, json!({ "name": "c" })));
}

#[test]
fn validation_reads_other_collections() {
    let (service, notes) = notes();
    let others = notes.clone();
    drop(service.collection("/v1/tags").validate(move |tag, _| {
        let id = tag.get("note_id").and_then(Value::as_str);
        let missing = || ferroform_testing::mock::Response::new(422, json!({ "message": "missing" }));
        id.and_then(|it| others.get(it)).map(drop).ok_or_else(missing)
    }));
    let tag = json!({ "note_id": "n-1" });
    assert_eq!(request(&service, "POST", "/v1/tags", tag.clone()).0, 422);
    notes.insert(json!({ "title": "a" }));
    assert_eq!(request(&service, "POST", "/v1/tags", tag).0, 201);
    assert_eq!(request(&service, "PATCH", "/v1/tags/1", json!({ "note_id": "n-2" })).0, 422);
}

#[test]
fn fields_are_validated_unique_computed_and_not_returned() {
    let (service, notes) = notes();
    let notes = notes
        .unique("title")
        .validate(|note, prior| {
            let is_frozen = prior.is_some_and(|it| it["title"] == "frozen");
            let reason = if note["title"] == "" {
                "empty"
            } else if is_frozen {
                "frozen"
            } else {
                return Ok(());
            };
            Err(ferroform_testing::mock::Response::new(422, json!({ "title": reason })))
        })
        .computed(|note, prior| {
            let revision = prior.and_then(|it| it["revision"].as_u64()).unwrap_or(0) + 1;
            note.insert("revision".to_owned(), revision.into());
        })
        .not_returned(["password"]);
    let created = json!({ "id": "n-1", "title": "frozen", "revision": 1 });
    let body = json!({ "title": "frozen", "password": "p" });
    assert_eq!(request(&service, "POST", "/v1/notes", body.clone()), (201, created));
    assert_eq!(notes.get("n-1").unwrap()["password"], "p");

    let (status, conflict) = request(&service, "POST", "/v1/notes", body);
    assert_eq!((status, &conflict["id"]), (409, &json!("n-1")));
    assert_eq!(
        request(&service, "POST", "/v1/notes", json!({ "title": "" })),
        (422, json!({ "title": "empty" }))
    );
    assert_eq!(
        request(&service, "PATCH", "/v1/notes/n-1", json!({ "x": 1 })),
        (422, json!({ "title": "frozen" }))
    );

    notes.insert(json!({ "title": "b" }));
    // The object itself is no conflict.
    assert_eq!(request(&service, "PATCH", "/v1/notes/n-2", json!({ "x": 1 })).1["revision"], 2);
    assert_eq!(request(&service, "PATCH", "/v1/notes/n-2", json!({ "title": "frozen" })).0, 409);
}

/// Reads all pages with a function that returns the objects of a page and the path of the next one.
fn pages(service: &Service, next: impl Fn(&Response) -> (Value, Option<String>)) -> Vec<Vec<String>> {
    let mut path = Some("/v1/notes?title=x".to_owned());
    let mut pages = Vec::new();
    while let Some(current) = path.take() {
        let response = try_request(service, "GET", &current, Value::Null).expect("a page");
        assert_eq!(response.status, 200, "{current}");
        let objects;
        (objects, path) = next(&response);
        let ids = objects.as_array().into_iter().flatten().filter_map(|it| it["id"].as_str());
        pages.push(ids.map(str::to_owned).collect());
    }
    pages
}

#[test]
fn lists_are_split_into_pages() {
    let (service, notes) = notes();
    for number in 0..6 {
        notes.insert(json!({ "title": if number == 2 { "y" } else { "x" } }));
    }
    let expected = [vec!["n-1", "n-2"], vec!["n-4", "n-5"], vec!["n-6"]];

    let notes = notes.pagination(Pagination::page_token(2)).list_field("notes");
    let by_token = pages(&service, |response| {
        let token = response.body["next_page_token"].as_str();
        let next = token.map(|token| format!("/v1/notes?title=x&page_token={token}"));
        (response.body["notes"].clone(), next)
    });
    assert_eq!(by_token, expected);
    assert_eq!(request(&service, "GET", "/v1/notes?page_token=unknown", Value::Null).0, 400);

    let notes = notes.pagination(Pagination::offset(2));
    let read = AtomicUsize::new(0);
    let by_offset = pages(&service, |response| {
        let objects = response.body["notes"].clone();
        let offset = read.fetch_add(objects.as_array().unwrap().len(), Ordering::Relaxed)
            + objects.as_array().unwrap().len();
        let is_last = response.body["total"] == offset;
        (objects, (!is_last).then(|| format!("/v1/notes?title=x&limit=100&offset={offset}")))
    });
    assert_eq!(by_offset, expected);
    let (_, page) = request(&service, "GET", "/v1/notes?offset=4&limit=1", Value::Null);
    assert_eq!((&page["notes"][0]["id"], &page["total"]), (&json!("n-5"), &json!(6)));
    assert_eq!(request(&service, "GET", "/v1/notes?offset=-1", Value::Null).0, 400);

    drop(notes);
    service.collection("/v1/links").pagination(Pagination::link_header(2));
    for _ in 0..5 {
        service.collection("/v1/links").insert(json!({}));
    }
    let first = try_request(&service, "GET", "/v1/links", Value::Null).unwrap();
    let link = first.headers["link"].to_str().unwrap();
    assert_eq!(link, format!("<{}/v1/links?page=2>; rel=\"next\"", service.url()));
    let last = try_request(&service, "GET", "/v1/links?page=3", Value::Null).unwrap();
    assert_eq!((last.headers.get("link"), last.body), (None, json!([{ "id": "5" }])));
    assert_eq!(request(&service, "GET", "/v1/links?page=0", Value::Null).0, 400);
}

#[test]
fn object_with_deleted_predecessor_is_not_lost_between_pages() {
    let (service, notes) = notes();
    for _ in 0..3 {
        notes.insert(json!({}));
    }
    notes.clone().pagination(Pagination::page_token(1));
    let (_, first) = request(&service, "GET", "/v1/notes", Value::Null);
    notes.remove("n-2");
    let token = first["next_page_token"].as_str().unwrap();
    let (_, second) = request(&service, "GET", &format!("/v1/notes?page_token={token}"), Value::Null);
    assert_eq!(second, json!({ "items": [{ "id": "n-3" }], "next_page_token": null }));
}

#[test]
fn asynchronous_changes_end_after_some_reads() {
    let (service, notes) = notes();
    notes.asynchronous(Asynchronous { polls: 2, ..Asynchronous::default() });
    let status = |method: &str, path: &str| {
        let (status, body) = request(&service, method, path, json!({}));
        (status, body["status"].as_str().unwrap_or_default().to_owned())
    };
    let is = |status: u16, text: &str| (status, text.to_owned());
    assert_eq!(status("POST", "/v1/notes"), is(201, "creating"));
    assert_eq!(status("PUT", "/v1/notes/n-1").0, 409);
    assert_eq!(status("GET", "/v1/notes/n-1"), is(200, "creating"));
    assert_eq!(status("GET", "/v1/notes/n-1"), is(200, "creating"));
    assert_eq!(status("GET", "/v1/notes/n-1"), is(200, "ready"));
    assert_eq!(status("PUT", "/v1/notes/n-1"), is(200, "updating"));
    assert_eq!(status("DELETE", "/v1/notes/n-1").0, 202);
    assert_eq!(status("GET", "/v1/notes/n-1"), is(200, "deleting"));
    assert_eq!(status("GET", "/v1/notes/n-1"), is(200, "deleting"));
    assert_eq!(status("GET", "/v1/notes/n-1").0, 404);
}

#[test]
fn reads_lag_behind_writes() {
    let (service, notes) = notes();
    service.lag(2);
    let read = || request(&service, "GET", "/v1/notes/n-1", Value::Null);
    request(&service, "POST", "/v1/notes", json!({ "title": "a" }));
    assert_eq!(read().0, 404);
    assert_eq!(request(&service, "GET", "/v1/notes", Value::Null).1, json!([]));
    assert_eq!(read().1["title"], "a");

    // Writes are consistent.
    request(&service, "PUT", "/v1/notes/n-1", json!({ "title": "b" }));
    assert_eq!(notes.get("n-1").unwrap()["title"], "b");
    assert_eq!((read().1["title"].clone(), read().1["title"].clone()), (json!("a"), json!("a")));
    assert_eq!(read().1["title"], "b");

    request(&service, "DELETE", "/v1/notes/n-1", Value::Null);
    assert_eq!((read().0, read().0, read().0), (200, 200, 404));
    assert!(notes.objects().is_empty() && service.objects().is_empty());
}

#[test]
fn faults_affect_the_selected_requests() {
    let (service, notes) = notes();
    service.inject(Fault::status(503).when(|it| it.method == "POST").after(1).times(2));
    let create = || try_request(&service, "POST", "/v1/notes", json!({ "title": "a" }));
    let statuses: Vec<u16> = (0..4).map(|_| create().unwrap().status).collect();
    assert_eq!(statuses, [201, 503, 503, 201]);
    assert_eq!(notes.objects().len(), 2);

    service.inject(Fault::connection_closed());
    assert!(create().is_err());
    assert_eq!(notes.objects().len(), 2);
    service.inject(Fault::connection_closed().processed());
    assert!(create().is_err());
    assert_eq!(notes.objects().len(), 3);
    service.inject(Fault::invalid_body());
    assert!(create().is_err_and(|it| it.to_string().contains("Invalid Body")));
    assert_eq!(notes.objects().len(), 4);

    let calls = Arc::new(AtomicUsize::new(0));
    let counter = calls.clone();
    service.inject(Fault::call(move || _ = counter.fetch_add(1, Ordering::Relaxed)));
    assert_eq!((create().unwrap().status, calls.load(Ordering::Relaxed)), (201, 1));

    service.inject(Fault::status(500).always());
    service.clear_faults();
    assert_eq!(create().unwrap().status, 201);
    assert_eq!(
        Fault::status(500).processed().to_string(),
        "a response with the status 500 after the request was performed"
    );
}

#[test]
fn requests_are_recorded_and_credentials_are_required() {
    let service = Service::start().require_header("Authorization", "Bearer secret");
    service.collection("/notes");
    assert_eq!(request(&service, "GET", "/notes?name=a%20b", Value::Null).0, 401);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let url = format!("{}/notes", service.url());
    let headers = [("Authorization", "Bearer secret")];
    let response = runtime.block_on(send_with("POST", &url, &json!({ "a": 1 }), &headers)).unwrap();
    assert_eq!(response.status, 201);

    let requests = service.requests();
    assert_eq!((requests[0].method.as_str(), requests[0].path.as_str()), ("GET", "/notes"));
    assert_eq!(requests[0].query["name"], "a b");
    assert_eq!(
        (&requests[1].headers["authorization"], &requests[1].body),
        (&"Bearer secret".to_owned(), &json!({ "a": 1 }))
    );
    service.reset();
    assert_eq!((service.request_count(), service.objects().len()), (0, 0));
}

#[test]
fn route_responds_before_collections() {
    let (service, notes) = notes();
    notes.insert(json!({}));
    service.route(|service, request| {
        let id = request.path.strip_prefix("/v1/notes/")?.strip_suffix("/publish")?;
        service.collection("/v1/notes").change(id, |note| _ = note.insert("public".into(), true.into()));
        Some(ferroform_testing::mock::Response::new(204, Value::Null))
    });
    assert_eq!(request(&service, "POST", "/v1/notes/n-1/publish", Value::Null), (204, Value::Null));
    assert_eq!(
        request(&service, "GET", "/v1/notes/n-1", Value::Null).1,
        json!({ "id": "n-1", "public": true })
    );
}

#[test]
fn service_stops_when_its_last_clone_is_dropped() {
    let (service, notes) = notes();
    let url = service.url().to_owned();
    drop(service);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    // The collection contains a clone.
    assert!(runtime.block_on(send("GET", &url, &Value::Null)).is_ok());
    drop(notes);
    // The listener is closed by another thread.
    let start = Instant::now();
    while runtime.block_on(send("GET", &url, &Value::Null)).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(10), "the service accepts connections");
    }
}

#[test]
fn latency_and_rate_limit_take_simulated_time() {
    let (service, _) = notes();
    let clock = Clock::test();
    service.use_clock(&clock);
    service.rate_limit(2, Duration::from_secs(90));
    service.latency(Duration::from_secs(40));
    let get = || try_request(&service, "GET", "/v1/notes", Value::Null).unwrap();
    let start = Instant::now();
    assert_eq!((get().status, get().status, clock.elapsed()), (200, 200, Duration::from_secs(80)));
    service.latency(Duration::ZERO);
    let limited = get();
    assert_eq!((limited.status, &limited.headers["retry-after"]), (429, &"10".parse().unwrap()));
    clock.advance(Duration::from_secs(10));
    assert_eq!(get().status, 200);
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// A note in the service.
#[derive(Model, Clone, Debug, PartialEq)]
struct Note {
    #[attr(computed, use_state_for_unknown)]
    id: String,
    title: String,
    #[attr(timeouts(create = "5m"))]
    timeouts: Option<Timeouts>,
}

impl Resource for Note {
    type Provider = Notes;

    async fn create(cx: &ApplyCx<Self>, plan: Planned<Self>) -> Result<NoteComputed> {
        let response = send("POST", &cx.provider.url, &json!({ "title": plan.title })).await?;
        Ok(NoteComputed { id: response.body["id"].as_str().unwrap_or_default().to_owned() })
    }

    async fn read(cx: &ReadCx<Self>, state: Self) -> Result<Option<Self>> {
        let response = send("GET", &format!("{}/{}", cx.provider.url, state.id), &Value::Null).await?;
        let title = response.body["title"].as_str().map(str::to_owned);
        Ok(title.map(|title| Note { title, ..state }))
    }

    async fn update(cx: &ApplyCx<Self>, prior: Self, plan: Planned<Self>) -> Result<NoteComputed> {
        let url = format!("{}/{}", cx.provider.url, prior.id);
        send("PUT", &url, &json!({ "title": plan.title })).await?;
        Ok(NoteComputed { id: prior.id })
    }

    async fn delete(cx: &ApplyCx<Self>, state: Self) -> Result<()> {
        send("DELETE", &format!("{}/{}", cx.provider.url, state.id), &Value::Null).await?;
        Ok(())
    }
}

struct Notes {
    url: String,
}

#[derive(Model, Clone, Debug, PartialEq)]
struct Settings {
    endpoint: String,
}

impl Provider for Notes {
    const ADDRESS: &'static str = "registry.terraform.io/example/notes";
    type Config = Settings;

    async fn configure(_: &RequestCx, config: Config<Settings>) -> Result<Maybe<Self>> {
        let Known(settings) = Settings::from_config(config)? else { return Ok(Unknown) };
        Ok(Known(Notes { url: format!("{}/v1/notes", settings.endpoint) }))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.resource::<Note>("notes_note");
    }
}

#[test]
fn provider_is_tested_with_the_service() {
    let (service, notes) = notes();
    let harness = Harness::start::<Notes>(config! { endpoint = service.url() });
    let mut note = harness.resource("notes_note");
    note.apply(config! { title = "a" });
    notes.change("n-1", |it| _ = it.insert("title".into(), "changed".into()));
    note.refresh();
    assert_eq!(note.state().get::<String>(path!(title)), "changed");
    note.apply(config! { title = "b" });
    notes.clear();
    note.refresh();
    assert!(!note.exists());
}

#[test]
fn method_without_response_ends_in_simulated_time() {
    let (service, notes) = notes();
    let harness = Harness::start::<Notes>(config! { endpoint = service.url() });
    service.use_clock(harness.clock());
    let start = Instant::now();
    for (fault, objects) in [(Fault::timeout(), 0), (Fault::timeout().processed(), 1)] {
        service.inject(fault);
        let errors = harness.resource("notes_note").try_apply(config! { title = "a" }).error();
        // After its deadline, a creation may continue until the connection is closed.
        assert!(errors.to_string().contains("failed after 1h; the timeout is 5m"), "{errors}");
        assert_eq!(notes.objects().len(), objects);
    }
    let mut note = harness.resource("notes_note");
    note.apply(config! { title = "b" });
    service.inject(Fault::timeout());
    note.try_refresh().error();
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn request_can_interrupt_the_provider() {
    let (service, _) = notes();
    let harness = Harness::start::<Notes>(config! { endpoint = service.url() });
    let mut note = harness.resource("notes_note");
    note.apply(config! { title = "a" });
    let stopped = harness.clone();
    service.inject(Fault::call(move || stopped.stop()));
    service.latency(Duration::from_secs(5));
    let errors = note.try_refresh().error();
    assert!(errors.iter().any(|it| it.is_cancellation()), "{errors}");
}
