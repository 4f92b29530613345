//! URLs.

use url::Url;

use super::scalars::{print, string_types};

string_types! {
    Url, "a URL such as https://example.com", "about:blank", Url::parse, print;
}
