//! The plan of a deletion, for servers without the capability `plan_destroy`.
//!
//! A server that has the capability is called when Terraform plans the deletion of an object, and can return warnings and
//! errors. For other servers, the mux responds as Terraform plans without the capability: the planned state is null, and
//! the private data stays.

use tonic::Status;
use tonic::codegen::Bytes;

use super::protobuf::{find, put};

/// Null in MessagePack.
const NULL: u8 = 0xc0;

/// The response to a request that plans a deletion; `None` for other requests.
pub(super) fn planned(request: &Bytes) -> Result<Option<Bytes>, Status> {
    let proposed = find(request, 3)?.unwrap_or_default();
    if find(&proposed, 1)?.as_deref() != Some(&[NULL]) {
        return Ok(None);
    }
    let mut response = Vec::new();
    put(&mut response, 1, &proposed);
    if let Some(private) = find(request, 5)? {
        put(&mut response, 3, &private);
    }
    Ok(Some(response.into()))
}

#[cfg(test)]
mod tests {
    use ferroform_proto::Message as _;
    use ferroform_proto::tfplugin6::{DynamicValue, plan_resource_change};

    use super::*;

    fn value(msgpack: &'static [u8]) -> Option<DynamicValue> {
        Some(DynamicValue { msgpack: Bytes::from_static(msgpack), ..Default::default() })
    }

    #[test]
    fn deletions_are_planned() {
        let mut request = plan_resource_change::Request {
            type_name: "cloud_server".into(),
            prior_state: value(&[0x80]),
            proposed_new_state: value(&[NULL]),
            prior_private: Bytes::from_static(b"private"),
            ..Default::default()
        };
        let response = planned(&request.encode_to_vec().into()).unwrap().unwrap();
        let response = plan_resource_change::Response::decode(response).unwrap();
        assert_eq!(response.planned_state, value(&[NULL]));
        assert_eq!(response.planned_private, "private");

        request.proposed_new_state = value(&[0x80]);
        assert_eq!(planned(&request.encode_to_vec().into()).unwrap(), None);
    }
}
