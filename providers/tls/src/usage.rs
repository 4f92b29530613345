//! Key usages and extended key usages.

use ferroform::Attr;
use x509_cert::der::asn1::ObjectIdentifier;
use x509_cert::der::flagset::FlagSet;
use x509_cert::ext::pkix::{ExtendedKeyUsage, KeyUsage, KeyUsages};

/// A [key usage](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.3) or an [extended key
/// usage](https://datatracker.ietf.org/doc/html/rfc5280#section-4.2.1.12).
#[derive(Attr, Clone, Copy, Debug, PartialEq)]
pub(crate) enum Usage {
    AnyExtended,
    CertSigning,
    ClientAuth,
    CodeSigning,
    ContentCommitment,
    CrlSigning,
    DataEncipherment,
    DecipherOnly,
    DigitalSignature,
    EmailProtection,
    EncipherOnly,
    IpsecEndSystem,
    IpsecTunnel,
    IpsecUser,
    KeyAgreement,
    KeyEncipherment,
    MicrosoftCommercialCodeSigning,
    MicrosoftKernelCodeSigning,
    MicrosoftServerGatedCrypto,
    NetscapeServerGatedCrypto,
    OcspSigning,
    ServerAuth,
    Timestamping,
}

/// The extension to which a usage belongs, and its value in the extension.
enum Value {
    Key(KeyUsages),
    Extended(&'static str),
}

impl Usage {
    fn value(self) -> Value {
        use Value::{Extended, Key};
        match self {
            Usage::CertSigning => Key(KeyUsages::KeyCertSign),
            Usage::ContentCommitment => Key(KeyUsages::NonRepudiation),
            Usage::CrlSigning => Key(KeyUsages::CRLSign),
            Usage::DataEncipherment => Key(KeyUsages::DataEncipherment),
            Usage::DecipherOnly => Key(KeyUsages::DecipherOnly),
            Usage::DigitalSignature => Key(KeyUsages::DigitalSignature),
            Usage::EncipherOnly => Key(KeyUsages::EncipherOnly),
            Usage::KeyAgreement => Key(KeyUsages::KeyAgreement),
            Usage::KeyEncipherment => Key(KeyUsages::KeyEncipherment),
            Usage::AnyExtended => Extended("2.5.29.37.0"),
            Usage::ServerAuth => Extended("1.3.6.1.5.5.7.3.1"),
            Usage::ClientAuth => Extended("1.3.6.1.5.5.7.3.2"),
            Usage::CodeSigning => Extended("1.3.6.1.5.5.7.3.3"),
            Usage::EmailProtection => Extended("1.3.6.1.5.5.7.3.4"),
            Usage::IpsecEndSystem => Extended("1.3.6.1.5.5.7.3.5"),
            Usage::IpsecTunnel => Extended("1.3.6.1.5.5.7.3.6"),
            Usage::IpsecUser => Extended("1.3.6.1.5.5.7.3.7"),
            Usage::Timestamping => Extended("1.3.6.1.5.5.7.3.8"),
            Usage::OcspSigning => Extended("1.3.6.1.5.5.7.3.9"),
            Usage::MicrosoftServerGatedCrypto => Extended("1.3.6.1.4.1.311.10.3.3"),
            Usage::NetscapeServerGatedCrypto => Extended("2.16.840.1.113730.4.1"),
            Usage::MicrosoftCommercialCodeSigning => Extended("1.3.6.1.4.1.311.2.1.22"),
            Usage::MicrosoftKernelCodeSigning => Extended("1.3.6.1.4.1.311.61.1.1"),
        }
    }
}

/// Returns the key usage extension and the extended key usage extension.
pub(crate) fn extensions(usages: &[Usage]) -> (KeyUsage, ExtendedKeyUsage) {
    let (mut flags, mut extended) = (FlagSet::default(), Vec::new());
    for usage in usages {
        match usage.value() {
            Value::Key(flag) => flags |= flag,
            Value::Extended(oid) => extended.push(ObjectIdentifier::new_unwrap(oid)),
        }
    }
    (KeyUsage(flags), ExtendedKeyUsage(extended))
}
