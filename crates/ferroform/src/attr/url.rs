//! URLs.

use url::Url;

use super::scalars::{print, string_types};

string_types! {
    Url, "a URL", "about:blank", Url::parse, print;
}
