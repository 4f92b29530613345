//! RPCs over a real connection: health, standard services, panics, cancellation, large messages.

use ferroform_proto::plugin::{ConnInfo, StdioData};
use ferroform_proto::{Message as _, tfplugin5, tfplugin6};
use tfplugin6::{
    DynamicValue, apply_resource_change, configure_provider, get_provider_schema, plan_resource_change,
    read_resource, upgrade_resource_state,
};
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_prost::ProstCodec;

use crate::plugin::{Identity, origin, with_tls, without_tls};
use crate::provider;

pub(crate) async fn health_service_responds() {
    let (_plugin, handshake) = without_tls().start_and_handshake().await;
    let mut client = HealthClient::with_origin(handshake.connect_without_tls().await, origin());
    let request = |service: &str| HealthCheckRequest { service: service.into() };
    for service in ["plugin", ""] {
        let response = client.check(request(service)).await.unwrap().into_inner();
        assert_eq!(response.status(), ServingStatus::Serving);
    }
    assert_eq!(client.check(request("other")).await.unwrap_err().code(), Code::NotFound);
    let mut watch = client.watch(request("plugin")).await.unwrap().into_inner();
    assert_eq!(watch.message().await.unwrap().unwrap().status(), ServingStatus::Serving);
}

pub(crate) async fn broker_and_stdio_are_served() {
    let (mut plugin, handshake) = without_tls().start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut client = Grpc::with_origin(channel.clone(), origin());
    let outbound = tonic::codegen::tokio_stream::iter([ConnInfo { service_id: 1, ..Default::default() }]);
    let path = PathAndQuery::from_static("/plugin.GRPCBroker/StartStream");
    client.ready().await.unwrap();
    let codec = ProstCodec::<ConnInfo, ConnInfo>::default();
    let mut inbound = client.streaming(Request::new(outbound), path, codec).await.unwrap().into_inner();

    let mut stdio = async || {
        client.ready().await.unwrap();
        let path = PathAndQuery::from_static("/plugin.GRPCStdio/StreamStdio");
        client.server_streaming(Request::new(()), path, ProstCodec::<(), StdioData>::default()).await
    };
    let mut silent = stdio().await.unwrap().into_inner();
    assert_eq!(stdio().await.unwrap_err().code(), Code::FailedPrecondition);

    // Both streams stay open until the process ends, and end without an error.
    assert!(plugin.end(channel).await.success());
    assert_eq!(inbound.message().await.unwrap(), None);
    assert_eq!(silent.message().await.unwrap(), None);
}

pub(crate) async fn unknown_service_is_unimplemented() {
    let (_plugin, handshake) = without_tls().env("PLUGIN_PROTOCOL_VERSIONS", "5").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let status = channel.provider().get_provider_schema(get_provider_schema::Request {}).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented);
}

pub(crate) async fn protocol_5_is_served() {
    let (_plugin, handshake) = without_tls().env("PLUGIN_PROTOCOL_VERSIONS", "5").start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut client = channel.provider_5();
    let response = client.get_provider_schema(get_provider_schema::Request {}).await.unwrap().into_inner();
    assert_eq!(tfplugin5::Schema::decode(response.provider).unwrap().version, 5);
    let status = client.stop_provider(tfplugin6::stop_provider::Request {}).await.unwrap_err();
    assert_eq!(status.code(), Code::Unimplemented, "the test provider does not implement it");
}

pub(crate) async fn panic_in_method_keeps_the_process() {
    let (mut plugin, handshake) = without_tls().start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let configure = |how: &str| {
        let request = configure_provider::Request { terraform_version: how.into(), ..Default::default() };
        let mut provider = channel.provider();
        async move { provider.configure_provider(request).await }
    };
    assert_eq!(configure("well").await.unwrap().into_inner().diagnostics, []);
    let raw = configure("raw").await.unwrap_err();
    assert_eq!(raw.code(), Code::Internal);
    assert!(raw.message().contains("no luck") && raw.message().contains("provider.rs:"), "{raw}");
    assert!(plugin.end(channel).await.success());
    assert_eq!(plugin.errors().await, "", "a caught panic is not printed");
}

pub(crate) async fn stop_cancels_methods() {
    let (mut plugin, handshake) = without_tls().start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    // Each stop request cancels only the calls that are running.
    for _ in 0..2 {
        let mut provider = channel.provider();
        let call = tokio::spawn(async move {
            provider.plan_resource_change(plan_resource_change::Request::default()).await
        });
        plugin.wait_for_line("planning").await;
        channel.provider().stop_provider(tfplugin6::stop_provider::Request {}).await.unwrap();
        call.await.unwrap().unwrap();
    }
}

pub(crate) async fn closed_client_does_not_stop_the_server() {
    let (mut plugin, handshake) = without_tls().start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut provider = channel.provider();
    let call =
        tokio::spawn(
            async move { provider.plan_resource_change(plan_resource_change::Request::default()).await },
        );
    plugin.wait_for_line("planning").await;
    call.abort();
    plugin.wait_for_line("cancelled").await;
}

pub(crate) async fn blocking_calls_do_not_block_others() {
    let (mut plugin, handshake) = without_tls().start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    let mut stuck = channel.provider();
    let stuck =
        tokio::spawn(
            async move { stuck.apply_resource_change(apply_resource_change::Request::default()).await },
        );
    plugin.wait_for_line("applying").await;
    let calls: Vec<_> = (0..provider::BLOCKED_RPCS)
        .map(|_| {
            let mut provider = channel.provider();
            tokio::spawn(async move {
                provider.upgrade_resource_state(upgrade_resource_state::Request::default()).await
            })
        })
        .collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
    stuck.abort();
}

pub(crate) async fn large_messages_are_accepted() {
    let owner = Identity::p521(1);
    let (_plugin, handshake) = with_tls(&owner).start_and_handshake().await;
    let mut provider = handshake.connect(&owner).await.provider();
    let state = |size: usize| {
        let state = DynamicValue { msgpack: vec![0xc0; size].into(), ..Default::default() };
        read_resource::Request { current_state: Some(state), ..Default::default() }
    };
    let large = state(200 << 20);
    let response = provider.read_resource(large.clone()).await.unwrap().into_inner();
    assert!(response.new_state == large.current_state);
    let status =
        provider.max_encoding_message_size(usize::MAX).read_resource(state(256 << 20)).await.unwrap_err();
    assert_eq!(status.code(), Code::OutOfRange);
}
