//! The RPCs of state stores, which only protocol 6 has.
//!
//! | engine | message |
//! |---|---|
//! | the state that was read | a stream of `ResponseChunk`s; none for a state that does not exist |
//! | `StateUpload` | a stream of `RequestChunk`s, of which the first has the names of the state store and of the state |
//! | `ChunkPosition` | `total_length` and `range` of a chunk; the end of a range is the index of its last byte |
//!
//! Terraform reads the range of every chunk, including those that contain only diagnostics.

use ferroform_engine::diagnostic_path::{for_configuration, without_configuration};
use ferroform_engine::state_chunks::{ChunkPosition, StateUpload, chunk_positions, upload_error};
use ferroform_engine::{Diagnostics, Kind, ReadStateResponse, Result};
use ferroform_proto::tfplugin6::{self as wire, StateByteRange};
use tonic::codegen::Bytes;
use tonic::{Status, Streaming};

use super::Service;
use super::convert::{diagnostics, read_or_null};

impl Service {
    pub(super) async fn configure_state_store_inner(
        &self,
        request: wire::configure_state_store::Request,
    ) -> Result<wire::configure_state_store::Response> {
        let block = self.block(Kind::StateStore.named(&request.type_name))?;
        let config = read_or_null(request.config.as_ref(), block)?;
        let proposal = request.capabilities.map(|it| it.chunk_size);
        let response = self.server.configure_state_store(&request.type_name, config, proposal).await;
        let chunk_size = i64::try_from(response.chunk_size).unwrap_or(i64::MAX);
        Ok(wire::configure_state_store::Response {
            diagnostics: diagnostics(for_configuration(block, response.diagnostics)),
            capabilities: Some(wire::StateStoreServerCapabilities { chunk_size }),
        })
    }

    /// Reads a state, and returns the chunks of the response.
    pub(super) async fn read_state_inner(
        &self,
        request: wire::read_state_bytes::Request,
    ) -> Result<impl Iterator<Item = wire::read_state_bytes::ResponseChunk> + Send + use<>> {
        let block = self.block(Kind::StateStore.named(&request.type_name))?;
        let mut response = self.server.read_state(&request.type_name, &request.state_id).await;
        let reported = without_configuration(block, std::mem::take(&mut response.diagnostics));
        Ok(diagnostics_chunk(reported).into_iter().chain(state_chunks(response)))
    }

    /// Receives a state completely, and then stores it.
    pub(super) async fn write_state_inner(
        &self,
        mut chunks: Streaming<wire::write_state_bytes::RequestChunk>,
    ) -> Result<Diagnostics> {
        let interrupted =
            |status: Status| upload_error(&format!("the upload was interrupted: {}", status.message()));
        let mut upload: Option<(wire::RequestChunkMeta, StateUpload)> = None;
        while let Some(mut chunk) = chunks.message().await.map_err(interrupted)? {
            let (_, upload) = match &mut upload {
                Some(started) => {
                    if chunk.meta.as_ref().is_some_and(|it| *it != started.0) {
                        return Err(upload_error("a later chunk belongs to another state"));
                    }
                    started
                }
                none => {
                    let Some(meta) = chunk.meta.take().filter(|it| !it.state_id.is_empty()) else {
                        return Err(upload_error("the first chunk does not contain the ID of the state"));
                    };
                    self.block(Kind::StateStore.named(&meta.type_name))?;
                    let empty = self.server.state_upload(&meta.type_name)?;
                    none.insert((meta, empty))
                }
            };
            let Some(StateByteRange { start, end }) = chunk.range else {
                return Err(upload_error("a chunk has no range"));
            };
            let position = ChunkPosition { total_length: chunk.total_length, start, end };
            upload.add(position, &chunk.bytes)?;
        }
        let Some((meta, upload)) = upload else { return Err(upload_error("no chunk was received")) };
        let state = upload.finish()?;
        let reported = self.server.write_state(&meta.type_name, &meta.state_id, state).await;
        Ok(without_configuration(self.block(Kind::StateStore.named(&meta.type_name))?, reported))
    }

    pub(super) async fn lock_state_inner(
        &self,
        request: wire::lock_state::Request,
    ) -> Result<wire::lock_state::Response> {
        let block = self.block(Kind::StateStore.named(&request.type_name))?;
        let (lock_id, reported) =
            self.server.lock_state(&request.type_name, &request.state_id, &request.operation).await;
        Ok(wire::lock_state::Response {
            // Terraform does not unlock a state whose lock has no ID.
            lock_id: lock_id.unwrap_or_default(),
            diagnostics: diagnostics(without_configuration(block, reported)),
        })
    }

    pub(super) async fn unlock_state_inner(
        &self,
        request: wire::unlock_state::Request,
    ) -> Result<Diagnostics> {
        let block = self.block(Kind::StateStore.named(&request.type_name))?;
        let wire::unlock_state::Request { type_name, state_id, lock_id } = &request;
        Ok(without_configuration(block, self.server.unlock_state(type_name, state_id, lock_id).await))
    }

    pub(super) async fn get_states_inner(
        &self,
        request: wire::get_states::Request,
    ) -> Result<wire::get_states::Response> {
        let block = self.block(Kind::StateStore.named(&request.type_name))?;
        let (state_ids, reported) = self.server.state_ids(&request.type_name).await;
        Ok(wire::get_states::Response {
            state_ids,
            diagnostics: diagnostics(without_configuration(block, reported)),
        })
    }

    pub(super) async fn delete_state_inner(
        &self,
        request: wire::delete_state::Request,
    ) -> Result<Diagnostics> {
        let block = self.block(Kind::StateStore.named(&request.type_name))?;
        Ok(without_configuration(
            block,
            self.server.delete_state(&request.type_name, &request.state_id).await,
        ))
    }
}

/// The chunk with the diagnostics, if there are any.
pub(super) fn diagnostics_chunk(reported: Diagnostics) -> Option<wire::read_state_bytes::ResponseChunk> {
    if reported.is_empty() {
        return None;
    }
    Some(wire::read_state_bytes::ResponseChunk {
        range: Some(StateByteRange { start: 0, end: 0 }),
        diagnostics: diagnostics(reported),
        ..Default::default()
    })
}

/// The chunks of a state; none if there is no state.
fn state_chunks(
    response: ReadStateResponse,
) -> impl Iterator<Item = wire::read_state_bytes::ResponseChunk> + Send + use<> {
    let state = Bytes::from(response.state.unwrap_or_default());
    let index = |it: i64| usize::try_from(it).unwrap_or_default();
    chunk_positions(state.len(), response.chunk_size).map(move |it| wire::read_state_bytes::ResponseChunk {
        bytes: state.slice(index(it.start)..=index(it.end)),
        total_length: it.total_length,
        range: Some(StateByteRange { start: it.start, end: it.end }),
        diagnostics: Vec::new(),
    })
}
