//! Protocol 5. It has the RPCs of protocol 6, some of them with another name, but no state stores. Messages with the same
//! fields are encoded in the same way, so one service and one client are enough: the names in the paths of requests are
//! translated.
//!
//! | protocol 6 | protocol 5 |
//! |---|---|
//! | GetProviderSchema | GetSchema |
//! | ValidateProviderConfig | PrepareProviderConfig, whose response also contains the prepared configuration |
//! | ValidateResourceConfig | ValidateResourceTypeConfig |
//! | ValidateDataResourceConfig | ValidateDataSourceConfig |
//! | ConfigureProvider | Configure |
//! | StopProvider | Stop |
//!
//! The schemas differ: see [`crate::schema_translation`].

use tonic::codegen::http;

use crate::protocol::Protocol;
use crate::rpcs::Rpc;
use crate::server::{Route, unimplemented};

/// Serves protocol 5 with the service of protocol 6.
pub(crate) fn route(service: Route) -> Route {
    Route::with_name(Protocol::V5.service(), move |mut request| {
        match translated(request.uri(), Protocol::V5, Protocol::V6) {
            Some(uri) => *request.uri_mut() = uri,
            None => return unimplemented(),
        }
        service.call(request)
    })
}

/// The URI of the same RPC in another protocol; `None` if that protocol does not have the RPC.
fn translated(uri: &http::Uri, from: Protocol, to: Protocol) -> Option<http::Uri> {
    let name = uri.path().rsplit('/').next()?;
    let path = format!("/{}/{}", to.service(), Rpc::find(from, name)?.name(to)?);
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(path.parse().ok()?);
    http::Uri::from_parts(parts).ok()
}

/// A channel wrapper with which the generated protocol 6 client can call protocol 5 plugins: it rewrites the paths of requests.
#[cfg(feature = "client")]
#[derive(Clone, Debug)]
pub struct ProviderChannel<C> {
    channel: C,
    protocol: Protocol,
}

#[cfg(feature = "client")]
impl<C> ProviderChannel<C> {
    /// A connection to a plugin that serves this protocol.
    pub fn new(channel: C, protocol: Protocol) -> ProviderChannel<C> {
        ProviderChannel { channel, protocol }
    }
}

#[cfg(feature = "client")]
impl<C: tonic::codegen::Service<http::Request<B>>, B> tonic::codegen::Service<http::Request<B>>
    for ProviderChannel<C>
{
    type Response = C::Response;
    type Error = C::Error;
    type Future = C::Future;

    fn poll_ready(
        &mut self,
        context: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Self::Error>> {
        self.channel.poll_ready(context)
    }

    fn call(&mut self, mut request: http::Request<B>) -> Self::Future {
        // A plugin with protocol 5 rejects an RPC that only protocol 6 has.
        if self.protocol == Protocol::V5
            && let Some(uri) = translated(request.uri(), Protocol::V6, Protocol::V5)
        {
            *request.uri_mut() = uri;
        }
        self.channel.call(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_translated() {
        let translate = |path: &str, from, to| {
            let uri = format!("http://localhost{path}").parse().unwrap();
            translated(&uri, from, to).map(|it| it.to_string())
        };
        let six = "/tfplugin6.Provider/ValidateResourceConfig";
        let five = "/tfplugin5.Provider/ValidateResourceTypeConfig";
        assert_eq!(translate(six, Protocol::V6, Protocol::V5), Some(format!("http://localhost{five}")));
        assert_eq!(translate(five, Protocol::V5, Protocol::V6), Some(format!("http://localhost{six}")));
        assert_eq!(translate("/tfplugin6.Provider/LockState", Protocol::V6, Protocol::V5), None);
        assert_eq!(translate("/tfplugin5.Provider/LockState", Protocol::V5, Protocol::V6), None);
    }
}
