//! Ephemeral resources that are open, so that each one is closed with its newest private data.

/// An ephemeral resource that is open.
///
/// Terraform 1.11 keeps the private data of `open` and does not replace them with those of `renew`. So the engine finds
/// the resource by any private data that it has had, and gives the newest to the provider.
#[derive(Debug)]
pub(crate) struct OpenResource {
    type_name: String,
    /// All private data that the resource has had; the newest is the last.
    private: Vec<Vec<u8>>,
}

impl OpenResource {
    pub(crate) fn new(type_name: &str, private: Vec<u8>) -> OpenResource {
        OpenResource { type_name: type_name.to_owned(), private: vec![private] }
    }

    pub(crate) fn type_name(&self) -> &str {
        &self.type_name
    }

    /// Adds the private data of a renewal.
    pub(crate) fn add(&mut self, private: Vec<u8>) {
        self.private.push(private);
    }

    /// True if it is of this type and has had this private data.
    pub(crate) fn is(&self, type_name: &str, private: &[u8]) -> bool {
        self.type_name == type_name && self.private.iter().any(|it| it == private)
    }

    pub(crate) fn newest(&self) -> Vec<u8> {
        self.private.last().cloned().unwrap_or_default()
    }
}
