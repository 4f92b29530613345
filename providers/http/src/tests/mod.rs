//! Unit tests of the provider in process, with HTTP servers on `localhost`.

mod http2;
mod redirects;
mod requests;
mod responses;
mod retries;
mod tls;
mod validation;

use std::collections::BTreeMap;

use ferroform::{Attr, Diagnostics, path};
use ferroform_testing::{Configuration, DataSource, Harness, ProviderCheck, SchemaLock, Snapshot, config};

use crate::Http;
use crate::server::{Server, ok};

fn data_source() -> DataSource {
    Harness::start::<Http>(config! {}).data_source("http")
}

fn read(config: Configuration) -> Snapshot {
    data_source().read(config)
}

fn errors(config: Configuration) -> Diagnostics {
    data_source().try_read(config).error()
}

/// An attribute of the response to a request without other arguments.
fn get<T: Attr>(server: &Server, attribute: ferroform::value::Path) -> T {
    read(config! { url = server.url("/") }).get(attribute)
}

type Headers = BTreeMap<String, String>;

#[test]
fn provider_has_no_stored_objects() {
    SchemaLock::of::<Http>().check("schemas.lock");
}

#[test]
fn provider_violates_no_invariant() {
    let server = Server::start(|_| ok("checked"));
    ProviderCheck::<Http>::new()
        .example("http", config! { url = server.url("/") })
        .values("http", path!(url), [server.url("/"), server.url("/other")])
        .values("http", path!(request_timeout_ms), [60_000])
        .values("http", path!(method), ["GET", "HEAD", "POST"])
        .run();
}
