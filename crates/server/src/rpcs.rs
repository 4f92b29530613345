//! The table of all RPCs: their names in both protocols, how a mux routes them, and where their responses have errors.

use ferroform_engine::Kind;

use crate::protocol::Protocol;

/// One RPC of the provider.
#[derive(Debug)]
pub(crate) struct Rpc {
    /// The name in protocol 6.
    pub(crate) name: &'static str,
    /// The name in protocol 5; empty if protocol 5 does not have the RPC.
    name_5: &'static str,
    pub(crate) target: Target,
    pub(crate) errors: Errors,
}

/// The servers that an RPC is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// All of them. Their responses are merged.
    All,
    /// The server that serves this kind of type, whose name is in the field with this number.
    Type(Kind, u64),
    /// The server of a state store whose name is in the first field of the first field of the first message.
    StateUpload,
}

/// The kind in an error message.
pub(crate) fn description(kind: Kind) -> String {
    match kind {
        Kind::Function => kind.noun().to_owned(),
        kind => format!("{} type", kind.noun()),
    }
}

/// The errors in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    /// Diagnostics in the field with this number.
    Diagnostics(u64),
    /// Diagnostics in the field with this number of a message of the stream.
    Stream(u64),
    /// Diagnostics in the last event of an action.
    Completed,
    /// The error of a function.
    Function,
    /// A string: the response to Stop.
    Text,
}

impl Rpc {
    /// The name in a protocol; `None` if the protocol does not have the RPC.
    pub(crate) fn name(&self, protocol: Protocol) -> Option<&'static str> {
        let name = match protocol {
            Protocol::V5 => self.name_5,
            Protocol::V6 => self.name,
        };
        Some(name).filter(|it| !it.is_empty())
    }

    /// The RPC with this name in a protocol.
    pub(crate) fn find(protocol: Protocol, name: &str) -> Option<&'static Rpc> {
        ALL.iter().find(|rpc| rpc.name(protocol) == Some(name))
    }
}

const fn rpc(name: &'static str, name_5: &'static str, target: Target, errors: Errors) -> Rpc {
    Rpc { name, name_5, target, errors }
}

const fn by_type(name: &'static str, kind: Kind, errors: u64) -> Rpc {
    rpc(name, name, Target::Type(kind, 1), Errors::Diagnostics(errors))
}

const fn by_state_store(name: &'static str, errors: u64) -> Rpc {
    rpc(name, "", Target::Type(Kind::StateStore, 1), Errors::Diagnostics(errors))
}

pub(crate) const GET_METADATA: Rpc = rpc("GetMetadata", "GetMetadata", Target::All, Errors::Diagnostics(2));
pub(crate) const GET_PROVIDER_SCHEMA: Rpc =
    rpc("GetProviderSchema", "GetSchema", Target::All, Errors::Diagnostics(4));
pub(crate) const PLAN_RESOURCE_CHANGE: Rpc = by_type("PlanResourceChange", Kind::Resource, 4);
pub(crate) const STOP_PROVIDER: Rpc = rpc("StopProvider", "Stop", Target::All, Errors::Text);

/// All RPCs of both protocols.
static ALL: [Rpc; 36] = {
    use Errors::*;
    use Kind::*;
    use Target::*;
    [
        GET_METADATA,
        GET_PROVIDER_SCHEMA,
        rpc("GetResourceIdentitySchemas", "GetResourceIdentitySchemas", All, Diagnostics(2)),
        rpc("GetFunctions", "GetFunctions", All, Diagnostics(2)),
        rpc("ValidateProviderConfig", "PrepareProviderConfig", All, Diagnostics(2)),
        rpc("ConfigureProvider", "Configure", All, Diagnostics(1)),
        STOP_PROVIDER,
        rpc("ValidateResourceConfig", "ValidateResourceTypeConfig", Type(Resource, 1), Diagnostics(1)),
        rpc("ValidateDataResourceConfig", "ValidateDataSourceConfig", Type(DataSource, 1), Diagnostics(1)),
        by_type("UpgradeResourceState", Resource, 2),
        by_type("UpgradeResourceIdentity", Resource, 2),
        by_type("ReadResource", Resource, 2),
        PLAN_RESOURCE_CHANGE,
        by_type("ApplyResourceChange", Resource, 3),
        by_type("ImportResourceState", Resource, 2),
        by_type("GenerateResourceConfig", Resource, 2),
        rpc("MoveResourceState", "MoveResourceState", Type(Resource, 5), Diagnostics(2)),
        by_type("ReadDataSource", DataSource, 2),
        by_type("ValidateEphemeralResourceConfig", EphemeralResource, 1),
        by_type("OpenEphemeralResource", EphemeralResource, 1),
        by_type("RenewEphemeralResource", EphemeralResource, 1),
        by_type("CloseEphemeralResource", EphemeralResource, 1),
        by_type("ValidateListResourceConfig", ListResource, 1),
        rpc("ListResource", "ListResource", Type(ListResource, 1), Stream(4)),
        rpc("CallFunction", "CallFunction", Type(Kind::Function, 1), Errors::Function),
        by_type("ValidateActionConfig", Action, 1),
        by_type("PlanAction", Action, 1),
        rpc("InvokeAction", "InvokeAction", Type(Action, 1), Completed),
        by_state_store("ValidateStateStoreConfig", 1),
        by_state_store("ConfigureStateStore", 1),
        rpc("ReadStateBytes", "", Type(StateStore, 1), Stream(4)),
        rpc("WriteStateBytes", "", StateUpload, Diagnostics(1)),
        by_state_store("LockState", 2),
        by_state_store("UnlockState", 1),
        by_state_store("GetStates", 2),
        by_state_store("DeleteState", 1),
    ]
};

#[cfg(test)]
mod tests {
    use ferroform_engine::Definition;

    use super::*;
    use crate::provider_messages::FIELDS;

    const PROTO_6: &str = include_str!("../../proto/proto/tfplugin6.proto");
    const PROTO_5: &str = include_str!("../../proto/proto/tfplugin5.proto");

    /// The RPCs in the definition of a protocol.
    fn rpcs(proto: &str) -> Vec<(&str, bool)> {
        let lines = proto.lines().filter_map(|line| line.trim().strip_prefix("rpc "));
        let mut all: Vec<_> =
            lines.filter_map(|it| Some((it.split_once('(')?.0, it.contains("returns (stream")))).collect();
        all.sort_unstable();
        all
    }

    /// The number of a field in the request or the response of an RPC, or in a message of its stream.
    fn number(message: &str, part: &str, field: &str) -> Option<u64> {
        let start = PROTO_6.find(&format!("\nmessage {message} {{"))?;
        let body = &PROTO_6[start + 1..];
        let body = &body[..body.find("\n}")?];
        let part = &body[body.find(&format!("message {part} {{"))?..];
        let part = &part[..part.find('}')?];
        let (_, rest) = part.split_once(&format!(" {field} = "))?;
        rest.split_once(';')?.0.parse().ok()
    }

    #[test]
    fn table_contains_every_rpc_of_both_protocols() {
        for (proto, protocol) in [(PROTO_6, Protocol::V6), (PROTO_5, Protocol::V5)] {
            let mut table: Vec<_> = ALL
                .iter()
                .filter_map(|it| {
                    Some((it.name(protocol)?, matches!(it.errors, Errors::Stream(_) | Errors::Completed)))
                })
                .collect();
            table.sort_unstable();
            assert_eq!(table, rpcs(proto));
        }
    }

    #[test]
    fn table_has_the_field_numbers_of_the_protocol() {
        for rpc in &ALL {
            if let Target::Type(kind, field) = rpc.target {
                let name = match (kind, rpc.name) {
                    (_, "MoveResourceState") => "target_type_name",
                    (Kind::Action, _) => "action_type",
                    (Kind::Function, _) => "name",
                    _ => "type_name",
                };
                assert_eq!(number(rpc.name, "Request", name), Some(field), "{}", rpc.name);
            }
            let (part, name) = match rpc.errors {
                Errors::Diagnostics(_) => ("Response", "diagnostics"),
                Errors::Stream(_) if rpc.name == "ListResource" => ("Event", "diagnostic"),
                Errors::Stream(_) => ("ResponseChunk", "diagnostics"),
                Errors::Completed => ("Completed", "diagnostics"),
                Errors::Function => ("Response", "error"),
                Errors::Text => ("Response", "Error"),
            };
            let expected = match rpc.errors {
                Errors::Diagnostics(field) | Errors::Stream(field) => field,
                Errors::Completed | Errors::Text => 1,
                Errors::Function => 2,
            };
            assert_eq!(number(rpc.name, part, name), Some(expected), "{}", rpc.name);
        }
        let mut kinds: Vec<Kind> = FIELDS.iter().map(|(kind, ..)| *kind).collect();
        kinds.sort();
        let mut expected = Definition::KINDS.to_vec();
        expected.sort();
        assert_eq!(kinds, expected);
        for (kind, metadata, schema) in FIELDS {
            let one = format!("{}s", kind.noun().replace(' ', "_"));
            let many = if kind == Kind::Function { one.clone() } else { kind.json_property() };
            assert_eq!(number("GetMetadata", "Response", &one), Some(metadata), "{kind:?}");
            assert_eq!(number("GetProviderSchema", "Response", &many), Some(schema), "{kind:?}");
        }
    }
}
