//! The proxy of the provider configuration.

use std::env;

use ferroform::{Context as _, Diagnostic, Model, Result};
use hyper::Uri;
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use url::Url;

use crate::no_proxy;

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

/// Selects the proxy for a URL.
#[derive(Debug)]
pub(crate) struct ProxySelector {
    pub(crate) matcher: Matcher,
    /// The value of `NO_PROXY`, if environment variables determine the proxy. The rules of the matcher differ from those of Go.
    pub(crate) no_proxy: Option<String>,
}

impl ProxySelector {
    pub(crate) fn select(&self, url: &Url, uri: &Uri) -> Option<Intercept> {
        let (host, port) = (url.host_str()?, url.port_or_known_default()?);
        let is_excluded = self.no_proxy.as_ref().is_some_and(|it| no_proxy::is_excluded(it, host, port));
        self.matcher.intercept(uri).filter(|_| !is_excluded)
    }
}

/// Creates the selector from the provider configuration.
pub(crate) fn create_selector(proxy: Option<&Proxy>) -> Result<ProxySelector> {
    let builder = Matcher::builder();
    let mut no_proxy = None;
    let matcher = match proxy {
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
            no_proxy = Some(read_variable(["NO_PROXY", "no_proxy"]));
            builder.https(read_variable(["HTTPS_PROXY", "https_proxy"])).build()
        }
    };
    Ok(ProxySelector { matcher, no_proxy })
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
        // The parser follows the URL standard, which is more lenient than Go: it ignores white space and control characters,
        // reads a backslash as a slash, and does not require the slashes before the host.
        if text.contains(|it: char| it.is_ascii_control() || it == '\\') {
            return Err(invalid(&"it contains a control character or a backslash"));
        }
        let after_scheme = text.get(url.scheme().len()..).and_then(|it| it.strip_prefix("://"));
        if after_scheme.is_none_or(|it| it.is_empty() || it.starts_with('/')) {
            return Err(invalid(&"it does not begin with a scheme and a host"));
        }
        if !schemes.contains(&url.scheme()) {
            let detail =
                format!("The scheme of {text:?} must be one of {schemes:?}, but got {:?}.", url.scheme());
            return Err(Diagnostic::error("Invalid URL scheme").detail(detail));
        }
        Ok(())
    }
}
