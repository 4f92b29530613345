//! The proxy of the provider configuration.

use std::env;

use ferroform::{Context as _, Diagnostic, Model, Result};
use hyper_util::client::proxy::matcher::Matcher;
use url::Url;

/// The proxy between the provider and the servers whose certificates it reads.
#[derive(Model, Clone, Debug, PartialEq)]
pub(crate) struct Proxy {
    /// The URL of the proxy, with the `http`, `https` or `socks5` scheme.
    #[attr(conflicts_with(from_env), validate = url_with_scheme(&["http", "https", "socks5"]))]
    url: Option<String>,
    /// The username or token to authenticate to the proxy.
    #[attr(requires(url))]
    username: Option<String>,
    /// The password to authenticate to the proxy.
    #[attr(sensitive, requires(username))]
    password: Option<String>,
    /// Whether the environment variables `HTTPS_PROXY` and `NO_PROXY` determine the proxy. Defaults to `true`.
    #[attr(conflicts_with(url, username, password))]
    from_env: Option<bool>,
}

/// Creates the matcher that selects the proxy for a URL.
pub(crate) fn create_matcher(proxy: Option<&Proxy>) -> Result<Matcher> {
    let builder = Matcher::builder();
    Ok(match proxy {
        Some(Proxy { url: Some(text), username, password, .. }) => {
            let summary = || format!("Unable to parse proxy URL {text:?}");
            let mut url = Url::parse(text).context(summary())?;
            if let Some(username) = username {
                url.set_username(username).ok().context(summary())?;
                url.set_password(password.as_deref()).ok().context(summary())?;
            }
            builder.https(url.to_string()).build()
        }
        Some(Proxy { from_env: Some(false), .. }) => builder.build(),
        _ => {
            // As in Go, local addresses bypass the proxy.
            let exceptions = format!("{},localhost,127.0.0.0/8,::1", read_variable(["NO_PROXY", "no_proxy"]));
            builder.https(read_variable(["HTTPS_PROXY", "https_proxy"])).no(exceptions).build()
        }
    })
}

/// Returns the value of the first environment variable that is set and not empty, or an empty string.
fn read_variable(names: [&str; 2]) -> String {
    names.iter().find_map(|it| env::var(it).ok().filter(|it| !it.is_empty())).unwrap_or_default()
}

/// Creates a validator that requires a URL with a host and one of the schemes.
pub(crate) fn url_with_scheme(schemes: &'static [&'static str]) -> impl Fn(&str) -> Result<(), Diagnostic> {
    move |text| {
        let invalid = |reason: &dyn std::fmt::Display| {
            Diagnostic::error("Invalid URL").detail(format!("{text:?} is not a valid URL: {reason}."))
        };
        let url = Url::parse(text).map_err(|error| invalid(&error))?;
        if url.host_str().unwrap_or_default().is_empty() {
            return Err(invalid(&"it has no host"));
        }
        if !schemes.contains(&url.scheme()) {
            let detail =
                format!("The scheme of {text:?} must be one of {schemes:?}, but got {:?}.", url.scheme());
            return Err(Diagnostic::error("Invalid URL scheme").detail(detail));
        }
        Ok(())
    }
}
