//! MoveResourceState.

use ferroform_value::Value;

use crate::ProviderServer;
use crate::provider::{Answer, Move};
use crate::request::private_state::Private;
use crate::resource_identity::Identified;
use crate::rpc::upgrade_resource_state::{FLATMAP, Route, finish};
use crate::run_method::{Effect, guarded, run};
use crate::schema::Block;
use crate::stored_state::{is_provider, split};
use crate::{Context as _, Diagnostic, Diagnostics, MoveSource, Result, StoredState};

const MOVE: &str = "Unable to Move Resource State";

/// What is to be moved, from where and to where.
#[derive(Clone, Debug, Default)]
pub struct MoveRequest {
    /// The resource that takes over.
    pub type_name: String,
    /// The provider of the resource that the object belonged to: `registry.terraform.io/hashicorp/local`.
    pub source_provider: String,
    /// That resource.
    pub source_type: String,
    /// The version of its schema.
    pub source_version: i64,
    /// The object as its state has it, in JSON.
    pub source_state: Option<Vec<u8>>,
    /// What its provider kept beside the state.
    pub source_private: Vec<u8>,
    /// Its identity, where it has one: the version of its schema, and JSON.
    pub source_identity: Option<(i64, Vec<u8>)>,
}

/// What became of it.
#[derive(Clone, Debug, Default)]
pub struct MoveResponse {
    /// The object in the form of the resource that takes over.
    pub state: Option<Value>,
    /// What the provider keeps beside the state.
    pub private: Vec<u8>,
    /// What is known of its identity, where the resource that takes over has one.
    pub identity: Option<Value>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ProviderServer {
    /// Makes an object of one resource of that of another one.
    pub async fn move_state(&self, request: MoveRequest) -> MoveResponse {
        let mut response = MoveResponse::default();
        let (type_name, stored) =
            (request.type_name.clone(), request.source_state.clone().unwrap_or_default());
        // What is sensitive in the source stands in the schemas of those that it may be.
        let models: Vec<Block> = self.resource(&type_name).map_or(Vec::new(), |it| {
            let moves = it.moves();
            let matching = moves.iter().filter(|it| it.type_name == request.source_type);
            matching.flat_map(|it| it.upgrades.earlier().map(|it| it.block)).collect()
        });
        let what = format!("the move of {} to {type_name}", request.source_type);
        let result = guarded(&what, self.move_into(request, &mut response)).await;
        response.diagnostics.take(result);
        self.hide_stored(&type_name, &stored, &models, &mut response.diagnostics);
        response
    }

    async fn move_into(&self, request: MoveRequest, response: &mut MoveResponse) -> Result<()> {
        let resource = self.resource(&request.type_name)?.clone();
        let MoveRequest { type_name, source_provider, source_type, source_version, .. } = request;
        let Some(stored) = request.source_state else {
            let detail = format!("There is no state of {source_type} to be moved to {type_name}.");
            return Err(Diagnostic::error("Missing Source Resource State").detail(detail).into());
        };
        if stored.is_empty() {
            return Err(Diagnostic::error(MOVE).detail(FLATMAP).into());
        }
        let is_own = is_provider(&source_provider, split(self.provider.address()).1);
        let private = private(&request.source_private, is_own)?;
        let source = MoveSource {
            state: StoredState::new(source_version, &stored).context(MOVE)?,
            identity: match request.source_identity {
                Some((version, stored)) => Some(StoredState::new(version, &stored).context(MOVE)?),
                None => None,
            },
            provider: source_provider,
            type_name: source_type,
            private: private.clone(),
        };

        let moves = resource.moves();
        let (own, from) = (self.provider.address(), &source.type_name);
        let mut of_type = moves.iter().filter(|it| it.takes(own, &source));
        let call = self.early_call().with_private(if is_own { private } else { Private::default() });
        let what = format!("The move of {from} to {type_name}");
        let answer: Answer<Value> = match of_type.find(|it| !it.upgrades.from(source_version).is_empty()) {
            Some(it) => {
                let (steps, from, to) = (it.upgrades.clone(), from.clone(), type_name.clone());
                let (unread, failed, version) = (MOVE, MOVE, source_version);
                let route = Route { steps, from, version, to, is_own, unread, failed };
                Box::pin(async move { route.follow(&stored) })
            }
            None => {
                let what = format!("From version {source_version} of {from} to {type_name}");
                let raw = resource.move_from(call.clone(), source.clone());
                Box::pin(async move { raw.await.context(what).context(MOVE) })
            }
        };
        let found = &mut response.diagnostics;
        let made = run(&call, &what, Effect::Reads, answer, found).await.ok_or_else(Diagnostics::new)?;
        if made.is_null() {
            return Err(Diagnostic::error(MOVE).detail(refusal(&type_name, &moves, &source)).into());
        }
        let state = finish(&resource.schema().block, &made)?;
        response.identity = Identified::new(&*resource, &call).and_then(|it| it.so_far(&state));
        response.state = Some(state);
        response.private = call.take_private().encode();
        Ok(())
    }
}

impl Move {
    /// True where the source is of that resource, whatever version.
    fn takes(&self, own: &str, source: &MoveSource) -> bool {
        source.is(self.provider.as_deref().unwrap_or(split(own).1), &self.type_name)
    }
}

/// What was kept beside the state of the source. Other providers keep it in whatever form they like.
fn private(bytes: &[u8], is_own: bool) -> Result<Private> {
    let mut private = match Private::decode(bytes) {
        Err(broken) if is_own => return Err(broken),
        it => it.unwrap_or_default(),
    };
    private.take_imported();
    Ok(private)
}

/// Why nobody takes the object over.
fn refusal(type_name: &str, moves: &[Move], source: &MoveSource) -> String {
    let MoveSource { provider, type_name: from, state, .. } = source;
    let what = format!("{type_name} does not take over objects of {from} of the provider {provider}");
    if moves.is_empty() {
        return format!("{what}.");
    }
    let known = moves.iter().map(|it| {
        let versions: Vec<String> = it.upgrades.earlier().map(|it| it.version.to_string()).collect();
        let provider = it.provider.as_ref().map_or(String::new(), |it| format!(" of the provider {it}"));
        format!("{}{provider} of version {}", it.type_name, versions.join(", "))
    });
    let known: Vec<String> = known.collect();
    format!("{what}, of version {}. It takes over those of {}.", state.version, known.join("; "))
}
