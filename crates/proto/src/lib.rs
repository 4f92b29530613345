//! The messages of Terraform's plugin protocol, versions 5 and 6, the service of version 6, and the services of the plugin
//! library that transports it. This crate contains no logic.
//!
//! `cargo xtask proto` generates the code from `proto/*.proto`, and it is committed, so that building needs no
//! `protoc`. A message of protocol 5 with the wire format of its counterpart in protocol 6 is the same type:
//! [`tfplugin5`] contains only the messages that differ.
//!
//! ```
//! use ferroform_proto::tfplugin6::plan_resource_change;
//!
//! let request = plan_resource_change::Request { type_name: "cloud_server".into(), ..Default::default() };
//! assert!(request.prior_state.is_none());
//! ```

macro_rules! generated {
    ($(#[$about:meta])* $name:ident = $file:literal) => {
        $(#[$about])*
        #[allow(missing_docs, unreachable_pub, clippy::all)]
        pub mod $name {
            include!(concat!("generated/", $file, ".rs"));
        }
    };
}

generated!(
    /// Protocol 6, and the messages that both protocols share.
    tfplugin6 = "tfplugin6"
);
generated!(
    /// The schema messages of protocol 5, which differ from those of protocol 6.
    tfplugin5 = "tfplugin5"
);
generated!(
    /// The services of the plugin library: broker, controller and stdio.
    plugin = "plugin"
);

mod by_hand;
#[cfg(feature = "client")]
mod shutdown;

pub use bytes::Bytes;
pub use prost::Message;
pub use prost::encoding::{decode_varint, encode_varint};

pub use crate::by_hand::Timestamp;
#[cfg(feature = "client")]
pub use crate::shutdown::shutdown;

#[cfg(test)]
mod tests {
    /// The generated code contains a hash of its sources, which `cargo xtask proto` updates.
    #[test]
    fn generated_code_matches_proto_files() {
        let sources = [
            include_bytes!("../proto/plugin.proto").as_slice(),
            include_bytes!("../proto/tfplugin5.proto"),
            include_bytes!("../proto/tfplugin6.proto"),
        ];
        // FNV-1a, as in `xtask`.
        let hash = sources.concat().iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
        });
        let written = include_str!("generated/sources.txt").trim();
        assert_eq!(format!("{hash:016x}"), written, "run `cargo xtask proto`");
    }
}
