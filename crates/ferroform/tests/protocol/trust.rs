//! Mutual TLS: which clients are accepted.

use ferroform_proto::Message as _;
use ferroform_proto::tfplugin6::{Schema, get_provider_schema};

use crate::host::{Handshake, Identity, plain, tls};

/// Whether a client gets any answer.
async fn answered(shake: &Handshake, identity: Option<&Identity>) -> bool {
    match shake.try_connect(identity).await {
        Ok(channel) => channel.provider().get_provider_schema(get_provider_schema::Request {}).await.is_ok(),
        Err(_) => false,
    }
}

/// Only the owner of the certificate is answered, also after somebody else has tried.
async fn refuses(intruder: Option<Identity>) {
    let owner = Identity::p521(1);
    let (mut plugin, shake) = tls(&owner).env("TF_LOG", "warn").shake().await;
    assert!(!answered(&shake, intruder.as_ref()).await, "an intruder was answered");
    plugin.hears("rejected a connection").await;
    assert!(answered(&shake, Some(&owner)).await);
    let channel = shake.connect(&owner).await;
    assert!(plugin.end(channel).await.success());
}

pub(crate) async fn trusted_client_is_accepted() {
    let owner = Identity::p521(1);
    let (_plugin, shake) = tls(&owner).shake().await;
    let answer =
        shake.connect(&owner).await.provider().get_provider_schema(get_provider_schema::Request {}).await;
    let schema = Schema::decode(answer.unwrap().into_inner().provider).unwrap();
    assert_eq!(schema.version, 6);
}

pub(crate) async fn client_without_certificate_is_rejected() {
    refuses(None).await;
}

pub(crate) async fn client_with_another_certificate_is_rejected() {
    refuses(Some(Identity::p521(2))).await;
    refuses(Some(Identity::p256())).await;
}

pub(crate) async fn client_without_private_key_is_rejected() {
    refuses(Some(Identity::p521(1).with_key_of(Identity::p521(2)))).await;
}

pub(crate) async fn other_curves_are_accepted() {
    let owner = Identity::p256();
    let (_plugin, shake) = tls(&owner).shake().await;
    assert!(answered(&shake, Some(&owner)).await);
}

pub(crate) async fn silent_connections_are_closed() {
    let owner = Identity::p521(1);
    let (mut plugin, shake) = tls(&owner).shake().await;
    let silent = [shake.dial().await, shake.dial().await];
    let channel = shake.connect(&owner).await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    assert!(plugin.end(channel).await.success(), "the silent ones hold nothing up");
    drop(silent);
}

pub(crate) async fn plain_connections_are_served_without_tls() {
    // A host that wants no TLS sends no certificate.
    let (_plugin, shake) = plain().shake().await;
    assert_eq!(shake.certificate, "");
    let channel = shake.connect_plainly().await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap();
    // One that wants it is not served without.
    let (_plugin, shake) = tls(&Identity::p521(1)).shake().await;
    let channel = shake.connect_plainly().await;
    channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap_err();
}
