//! Errors of the configuration.

use expect_test::expect;
use ferroform_testing::{Configuration, config};

use super::{errors, read};
use crate::server::{Server, ok};

const URL: &str = "http://localhost:1/";

fn error(config: Configuration) -> String {
    errors(config).to_string()
}

#[test]
fn unsupported_method_is_rejected() {
    let expected = expect![[
        r#"method: Invalid Attribute Value Match: One of "GET", "HEAD", "POST" is required, but got "OPTIONS"."#
    ]];
    expected.assert_eq(&error(config! { url = URL, method = "OPTIONS" }));
    for method in ["get", ""] {
        assert!(error(config! { url = URL, method = method }).contains("Invalid Attribute Value"));
    }
}

#[test]
fn attributes_that_exclude_or_require_others_are_checked() {
    for insecure in [true, false] {
        let error = self::error(config! { url = URL, insecure = insecure, ca_cert_pem = "invalid" });
        assert!(error.contains("ca_cert_pem: Invalid Attribute Combination: "), "{error}");
    }
    let error = self::error(config! { url = URL, client_cert_pem = "a" });
    assert!(error.contains("client_cert_pem: Invalid Attribute Combination: "), "{error}");
    let error = self::error(config! { url = URL, client_key_pem = "a" });
    assert!(error.contains("client_key_pem: Invalid Attribute Combination: "), "{error}");
}

#[test]
fn numbers_out_of_range_are_rejected() {
    for (config, path) in [
        (config! { url = URL, request_timeout_ms = 0 }, "request_timeout_ms"),
        (config! { url = URL, retry { attempts = -1 } }, "retry.attempts"),
        (config! { url = URL, retry { min_delay_ms = -1 } }, "retry.min_delay_ms"),
        (config! { url = URL, retry { max_delay_ms = -1 } }, "retry.max_delay_ms"),
    ] {
        let error = self::error(config);
        assert!(error.starts_with(&format!("{path}: Invalid Attribute Value: ")), "{error}");
    }
    expect![[r#"retry.max_delay_ms: Invalid Attribute Value: "retry.max_delay_ms" must be at least the sum of "retry.min_delay_ms": 300, but it is 200."#]].assert_eq(&error(config! { url = URL, retry { min_delay_ms = 300, max_delay_ms = 200 } }));
}

#[test]
fn empty_retry_block_has_no_effect() {
    let server = Server::start(|_| ok(""));
    read(config! { url = server.url("/"), retry {} });
    assert_eq!(server.requests().len(), 1);
}
