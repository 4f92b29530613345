//! Mutual TLS: which clients are accepted.

use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::{Schema, get_provider_schema};

use crate::plugin::{Handshake, Identity, with_tls, without_tls};

/// Returns true if the client receives a response.
async fn receives_response(handshake: &Handshake, identity: Option<&Identity>) -> bool {
    match handshake.try_connect(identity).await {
        Ok(channel) => channel.provider().get_provider_schema(get_provider_schema::Request {}).await.is_ok(),
        Err(_) => false,
    }
}

/// Asserts that only the owner of the certificate receives a response, also after another client has tried to
/// connect.
async fn assert_rejected(intruder: Option<Identity>) {
    let owner = Identity::p521(1);
    let (mut plugin, handshake) = with_tls(&owner).env("TF_LOG", "warn").start_and_handshake().await;
    assert!(!receives_response(&handshake, intruder.as_ref()).await, "the intruder received a response");
    plugin.wait_for_line("rejected a connection").await;
    assert!(receives_response(&handshake, Some(&owner)).await);
    let channel = handshake.connect(&owner).await;
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn trusted_client_is_accepted() {
    let owner = Identity::p521(1);
    let (_plugin, handshake) = with_tls(&owner).start_and_handshake().await;
    let response =
        handshake.connect(&owner).await.provider().get_provider_schema(get_provider_schema::Request {}).await;
    let schema = Schema::decode(response.unwrap().into_inner().provider).unwrap();
    assert_eq!(schema.version, 6);
}

pub(crate) async fn client_without_certificate_is_rejected() {
    assert_rejected(None).await;
}

pub(crate) async fn client_with_another_certificate_is_rejected() {
    assert_rejected(Some(Identity::p521(2))).await;
    assert_rejected(Some(Identity::p256())).await;
}

pub(crate) async fn client_without_private_key_is_rejected() {
    assert_rejected(Some(Identity::p521(1).with_key_of(Identity::p521(2)))).await;
}

pub(crate) async fn other_curves_are_accepted() {
    let owner = Identity::p256();
    let (_plugin, handshake) = with_tls(&owner).start_and_handshake().await;
    assert!(receives_response(&handshake, Some(&owner)).await);
}

pub(crate) async fn silent_connections_are_closed() {
    let owner = Identity::p521(1);
    let (mut plugin, handshake) = with_tls(&owner).start_and_handshake().await;
    let silent = [handshake.dial().await, handshake.dial().await];
    let channel = handshake.connect(&owner).await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    assert!(plugin.end(channel).await.success(), "the silent ones hold nothing up");
    drop(silent);
}

pub(crate) async fn plain_connections_are_served_without_tls() {
    // A client without TLS sends no certificate.
    let (_plugin, handshake) = without_tls().start_and_handshake().await;
    assert_eq!(handshake.certificate, "");
    let channel = handshake.connect_without_tls().await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    // A server with TLS rejects clients without it.
    let (_plugin, handshake) = with_tls(&Identity::p521(1)).start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap_err();
}
