//! A client of state stores, which transfers states in chunks as Terraform 1.16 does.

use ferroform_proto::tfplugin6::provider_client::ProviderClient;
use ferroform_proto::tfplugin6::{
    self as wire, Diagnostic, DynamicValue, RequestChunkMeta, StateByteRange, StateStoreClientCapabilities,
};
use tonic::Streaming;
use tonic::codegen::tokio_stream::{self, Stream};
use wire::write_state_bytes::RequestChunk;
use wire::{configure_state_store, delete_state, get_states, lock_state, read_state_bytes, unlock_state};

use crate::Channel;

/// The errors of a response, as `summary: detail`.
pub type Errors = Vec<String>;

/// A configured state store of a plugin.
#[derive(Clone)]
pub struct StateStore {
    client: ProviderClient<Channel>,
    type_name: String,
    chunk_size: usize,
}

impl StateStore {
    /// Configures a state store, and proposes this chunk size.
    pub async fn configure(
        channel: &Channel,
        type_name: &str,
        config: DynamicValue,
        chunk_size: i64,
    ) -> Result<Self, Errors> {
        let mut client = channel.provider();
        let request = configure_state_store::Request {
            type_name: type_name.to_owned(),
            config: Some(config),
            capabilities: Some(StateStoreClientCapabilities { chunk_size }),
        };
        let response = client.configure_state_store(request).await.unwrap().into_inner();
        check(&response.diagnostics)?;
        let chunk_size = usize::try_from(response.capabilities.unwrap().chunk_size).unwrap();
        assert!(chunk_size > 0 && chunk_size <= 128 << 20, "Terraform rejects the chunk size {chunk_size}");
        Ok(Self { client, type_name: type_name.to_owned(), chunk_size })
    }

    /// The negotiated chunk size.
    pub fn chunk_size(&self) -> usize {
        self.chunk_size
    }

    /// Reads a state; empty if there is none. Verifies each chunk as Terraform does.
    pub async fn read(&self, state_id: &str) -> Result<Vec<u8>, Errors> {
        let request =
            read_state_bytes::Request { type_name: self.type_name.clone(), state_id: state_id.to_owned() };
        let response = self.client.clone().read_state_bytes(request).await.unwrap();
        let mut chunks: Streaming<read_state_bytes::ResponseChunk> = response.into_inner();
        let (mut state, mut total) = (Vec::new(), 0);
        while let Some(chunk) = chunks.message().await.unwrap() {
            check(&chunk.diagnostics)?;
            // Terraform reads the range of every chunk without checking that there is one.
            let range = chunk.range.unwrap();
            if chunk.bytes.is_empty() {
                continue;
            }
            if total == 0 {
                total = chunk.total_length;
            }
            assert_eq!(chunk.total_length, total);
            assert_eq!(usize::try_from(range.start), Ok(state.len()));
            assert_eq!(usize::try_from(range.end), Ok(state.len() + chunk.bytes.len() - 1));
            if range.end < total - 1 {
                assert_eq!(chunk.bytes.len(), self.chunk_size);
            } else {
                assert!(chunk.bytes.len() <= self.chunk_size);
            }
            state.extend_from_slice(&chunk.bytes);
        }
        assert_eq!(usize::try_from(total), Ok(state.len()));
        Ok(state)
    }

    /// The chunks in which Terraform uploads a state.
    pub fn chunks(&self, state_id: &str, state: &[u8]) -> Vec<RequestChunk> {
        let length = |it: usize| i64::try_from(it).unwrap();
        let chunks = state.chunks(self.chunk_size).enumerate().map(|(number, bytes)| {
            let start = number * self.chunk_size;
            RequestChunk {
                meta: (number == 0).then(|| RequestChunkMeta {
                    type_name: self.type_name.clone(),
                    state_id: state_id.to_owned(),
                }),
                bytes: bytes.to_vec().into(),
                total_length: length(state.len()),
                range: Some(StateByteRange { start: length(start), end: length(start + bytes.len()) - 1 }),
            }
        });
        chunks.collect()
    }

    /// Uploads a state.
    pub async fn write(&self, state_id: &str, state: &[u8]) -> Result<(), Errors> {
        self.upload(tokio_stream::iter(self.chunks(state_id, state))).await
    }

    /// Uploads these chunks, which may be invalid.
    pub async fn upload(
        &self,
        chunks: impl Stream<Item = RequestChunk> + Send + 'static,
    ) -> Result<(), Errors> {
        let response = self.client.clone().write_state_bytes(chunks).await.unwrap().into_inner();
        check(&response.diagnostics)
    }

    /// Locks a state, and returns the ID of the lock.
    pub async fn lock(&self, state_id: &str, operation: &str) -> Result<String, Errors> {
        let request = lock_state::Request {
            type_name: self.type_name.clone(),
            state_id: state_id.to_owned(),
            operation: operation.to_owned(),
        };
        let response = self.client.clone().lock_state(request).await.unwrap().into_inner();
        check(&response.diagnostics).map(|()| response.lock_id)
    }

    /// Unlocks a state.
    pub async fn unlock(&self, state_id: &str, lock_id: &str) -> Result<(), Errors> {
        let request = unlock_state::Request {
            type_name: self.type_name.clone(),
            state_id: state_id.to_owned(),
            lock_id: lock_id.to_owned(),
        };
        check(&self.client.clone().unlock_state(request).await.unwrap().into_inner().diagnostics)
    }

    /// The IDs of all states.
    pub async fn states(&self) -> Result<Vec<String>, Errors> {
        let request = get_states::Request { type_name: self.type_name.clone() };
        let response = self.client.clone().get_states(request).await.unwrap().into_inner();
        check(&response.diagnostics).map(|()| response.state_ids)
    }

    /// Deletes a state.
    pub async fn delete(&self, state_id: &str) -> Result<(), Errors> {
        let request =
            delete_state::Request { type_name: self.type_name.clone(), state_id: state_id.to_owned() };
        check(&self.client.clone().delete_state(request).await.unwrap().into_inner().diagnostics)
    }
}

/// Returns the errors among the diagnostics.
fn check(diagnostics: &[Diagnostic]) -> Result<(), Errors> {
    let errors = diagnostics.iter().filter(|it| it.severity() == wire::diagnostic::Severity::Error);
    let errors: Errors = errors.map(|it| format!("{}: {}", it.summary, it.detail)).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
