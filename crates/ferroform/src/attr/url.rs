//! URLs.

use url::Url;

use super::scalars::{print, texts};

texts! {
    Url, "a URL", "about:blank", Url::parse, print;
}
