//! MoveResourceState: moves the state of another resource type, for a `moved` block between types.
//!
//! The source may be another resource type of this provider or a resource type of another provider. The provider
//! declares the types that it accepts, or has a `move_from` method for all others.

use ferroform_value::Value;

use crate::provider::{AnyResource, MethodFuture, Move};
use crate::redaction::SensitiveValues;
use crate::request::private_state::Private;
use crate::resource_identity::ResourceIdentity;
use crate::rpc::respond::response;
use crate::rpc::upgrade_resource_state::{FLATMAP, UpgradePath, add_stored_values, storable};
use crate::run_method::{Effect, run};
use crate::schema::Block;
use crate::state::stored_values;
use crate::stored_state::{is_provider, split_address};
use crate::{Context as _, Diagnostic, Diagnostics, MoveSource, ProviderServer, Result, StoredState};

const MOVE_ERROR: &str = "Unable to Move Resource State";

/// A state to move.
#[derive(Clone, Debug, Default)]
pub struct MoveRequest {
    /// The target resource type.
    pub type_name: String,
    /// The address of the source provider, such as `registry.terraform.io/hashicorp/local`.
    pub source_provider: String,
    /// The source resource type.
    pub source_type: String,
    /// The schema version of the source state.
    pub source_version: i64,
    /// The source state, which is JSON.
    pub source_state: Option<Vec<u8>>,
    /// The private state of the source.
    pub source_private: Vec<u8>,
    /// The identity of the source, if it has one: its schema version and JSON.
    pub source_identity: Option<(i64, Vec<u8>)>,
}

/// The result of a move.
#[derive(Clone, Debug, Default)]
pub struct MoveResponse {
    /// The state of the target resource type.
    pub state: Option<Value>,
    /// The private state.
    pub private: Vec<u8>,
    /// The identity as far as it is known, if the target resource type has one.
    pub identity: Option<Value>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

response!(MoveResponse, state);

impl ProviderServer {
    /// Moves the state of another resource type.
    pub async fn move_resource_state(&self, request: MoveRequest) -> MoveResponse {
        let type_name = request.type_name.clone();
        let operation = format!("the move of {} to {type_name}", request.source_type);
        let (resource, masked) = self.mask_request::<dyn AnyResource>(&type_name, None, []);
        masked
            .respond(&operation, MoveResponse::default(), async |response, sensitive| {
                let resource = resource?;
                let moves = resource.moves();
                let sources = moves.iter().filter(|it| it.type_name == request.source_type);
                let sources: Vec<Block> =
                    sources.flat_map(|it| it.upgrades.earlier().map(|it| it.block)).collect();
                let stored = request.source_state.as_deref().unwrap_or_default();
                add_stored_values(sensitive, &*resource, &sources, stored);
                self.move_into(&*resource, request, &operation, sensitive, response).await
            })
            .await
    }

    async fn move_into(
        &self,
        resource: &dyn AnyResource,
        request: MoveRequest,
        operation: &str,
        sensitive: &SensitiveValues,
        response: &mut MoveResponse,
    ) -> Result<()> {
        let MoveRequest { type_name, source_provider, source_type, source_version, .. } = request;
        let Some(stored) = request.source_state else {
            let detail = format!(
                "Terraform sent no state of {source_type}, so there is nothing to move to {type_name}."
            );
            return Err(Diagnostic::error("Missing Source Resource State").detail(detail).into());
        };
        if stored.is_empty() {
            return Err(Diagnostic::error(MOVE_ERROR).detail(FLATMAP).into());
        }
        let is_same_provider = is_provider(&source_provider, split_address(self.provider.address()).1);
        let private = source_private(&request.source_private, is_same_provider)?;
        let source = MoveSource {
            state: StoredState::new(source_version, &stored).context(MOVE_ERROR)?,
            identity: match request.source_identity {
                Some((version, stored)) => Some(StoredState::new(version, &stored).context(MOVE_ERROR)?),
                None => None,
            },
            provider: source_provider,
            type_name: source_type,
            private: private.clone(),
        };

        let moves = resource.moves();
        let (own_address, from) = (self.provider.address(), &source.type_name);
        let cx = self.unconfigured_context(sensitive).with_private(if is_same_provider {
            private
        } else {
            Private::default()
        });
        let mut accepted = moves.iter().filter(|it| it.accepts(own_address, &source));
        let method: MethodFuture<Value> =
            match accepted.find(|it| !it.upgrades.from(source_version).is_empty()) {
                Some(accepted) => {
                    let path = UpgradePath {
                        steps: accepted.upgrades.clone(),
                        from: from.clone(),
                        version: source_version,
                        to: type_name.clone(),
                        is_same_provider,
                        read_error: MOVE_ERROR,
                        upgrade_error: MOVE_ERROR,
                    };
                    let stored = stored.clone();
                    let cx = cx.clone();
                    Box::pin(async move { path.run(&stored, &cx) })
                }
                None => {
                    let step = format!("From version {source_version} of {from} to {type_name}");
                    let moved = resource.move_from(cx.clone(), source.clone());
                    Box::pin(async move { moved.await.context(step).context(MOVE_ERROR) })
                }
            };
        let moved = run(&cx, operation, Effect::Reads, method, &mut response.diagnostics).await;
        let moved = moved.ok_or_else(Diagnostics::new)?;
        if moved.is_null() {
            let detail = unsupported_source(&type_name, &moves, &source);
            return Err(Diagnostic::error(MOVE_ERROR).detail(detail).into());
        }
        let block = &resource.schema().block;
        let state = stored_values::keep_stored(block, &stored, storable(block, &moved)?);
        let mut errors = Diagnostics::new();
        response.identity = ResourceIdentity::new(resource, &cx)
            .and_then(|identity| identity.after_move(&state, &mut errors));
        if errors.has_error() {
            response.identity = None;
            return Err(errors);
        }
        response.state = Some(state);
        response.private = cx.take_private().encode();
        Ok(())
    }
}

impl Move {
    /// True if the source is of the accepted resource type, whatever its schema version.
    fn accepts(&self, own_address: &str, source: &MoveSource) -> bool {
        source.is_resource(self.provider.as_deref().unwrap_or(split_address(own_address).1), &self.type_name)
    }
}

/// The private state of the source, without the mark of an import. Private state of another provider may have any form;
/// if it is not in the form of this framework, it counts as empty.
fn source_private(bytes: &[u8], is_same_provider: bool) -> Result<Private> {
    let mut private = match Private::decode(bytes) {
        Err(errors) if is_same_provider => return Err(errors),
        private => private.unwrap_or_default(),
    };
    private.take_imported();
    Ok(private)
}

/// The detail for a source that the target resource type does not accept.
fn unsupported_source(type_name: &str, moves: &[Move], source: &MoveSource) -> String {
    let MoveSource { provider, type_name: from, state, .. } = source;
    let detail = format!("{type_name} does not support moves from {from} of the provider {provider}");
    if moves.is_empty() {
        return format!("{detail}.");
    }
    let supported = moves.iter().map(|it| {
        let versions: Vec<String> = it.upgrades.earlier().map(|it| it.version.to_string()).collect();
        let provider = it.provider.as_ref().map_or(String::new(), |it| format!(" of the provider {it}"));
        format!("{}{provider} with schema version {}", it.type_name, versions.join(", "))
    });
    let supported: Vec<String> = supported.collect();
    format!(
        "{detail} with schema version {}. It supports moves from {}.",
        state.version,
        supported.join("; ")
    )
}
