//! The plugin server as Terraform sees it: a real process, a real socket and a real TLS handshake.
//!
//! This program is both the client and the server. `cargo test` starts it to run the tests, and each test starts it
//! again as a plugin process.

#![allow(clippy::unwrap_used, reason = "Clippy recognizes tests by an attribute, which these do not have")]

mod actions;
mod cancellation;
mod deferral_and_metadata;
#[path = "../full_provider/mod.rs"]
mod full_provider;
mod list_resources;
mod log_masks;
mod logs;
mod methods;
mod mutual_tls;
mod mux;
mod mux_plugin;
mod plugin;
mod process;
mod provider;
mod resource_identity;
mod rpcs;
mod runtime_provider;
mod schemas;
mod standard_streams;
mod state_stores;
mod state_upgrades_and_moves;
mod traces;

use std::panic;
use std::pin::Pin;
use std::process::ExitCode;
use std::time::Duration;

/// A test that takes longer than this hangs.
const TEST_TIMEOUT: Duration = Duration::from_secs(60);

type Test = (&'static str, fn() -> Pin<Box<dyn Future<Output = ()>>>);

/// Builds the list of the asynchronous test functions.
macro_rules! tests {
    ($($module:ident: $($name:ident)*;)*) => {
        &[$($((concat!(stringify!($module), "::", stringify!($name)), || Box::pin($module::$name()))),*),*]
    };
}

const TESTS: &[Test] = tests! {
    actions: messages_before_the_end_are_delivered;
    process: binary_started_without_terraform_prints_explanation handshake_line_is_printed newest_common_protocol_is_negotiated port_range_is_respected invalid_client_certificate_is_reported controller_shutdown_ends_the_process
        shutdown_ends_the_process_despite_a_blocked_call debug_mode_prints_reattach_configuration;
    mutual_tls: trusted_client_is_accepted client_without_certificate_is_rejected client_with_another_certificate_is_rejected client_without_private_key_is_rejected other_curves_are_accepted
        silent_connections_are_closed plain_connections_are_served_without_tls;
    mux: each_provider_gets_its_types_and_its_configuration type_of_two_providers_is_an_error;
    mux_plugin: child_serves_its_types child_that_crashes_is_reported child_that_cannot_be_started_is_reported child_exits_when_mux_process_is_killed child_ends_when_terraform_is_killed;
    rpcs: health_service_responds broker_and_stdio_are_served unknown_service_is_unimplemented protocol_5_is_served panic_in_method_keeps_the_process stop_cancels_methods closed_client_does_not_stop_the_server blocking_calls_do_not_block_others
        large_messages_are_accepted;
    resource_identity: resource_identity_is_returned object_is_imported_by_identity old_identity_is_upgraded identity_is_served_under_protocol_5;
    deferral_and_metadata: unknown_configuration_is_deferred deferral_without_support_is_an_error method_defers_its_operation provider_meta_is_received
        deadline_interrupts_method;
    cancellation: canceled_rpc_that_waits_for_the_concurrency_limit_does_not_start
        canceled_rpc_ends_retries_waits_and_sleeps killed_client_leaves_only_the_objects_of_running_methods
        waiting_methods_end_with_the_client lease_is_closed_while_methods_block_after_the_client_is_killed
        lease_is_closed_while_methods_block_after_shutdown;
    methods: hundred_methods_block_at_once stop_reaches_a_blocking_method
        other_calls_continue_while_methods_block blocking_method_is_abandoned_at_its_deadline
        blocked_tasks_of_the_provider_do_not_delay_deadlines dropped_rpc_cancels_its_method
        closed_connection_cancels_its_methods cancelled_create_continues_to_its_checkpoint
        methods_can_use_tokio_and_synchronous_clients waiting_methods_do_not_use_threads;
    schemas: schema_has_blocks_and_descriptions server_capabilities_are_announced computed_blocks_are_rejected_under_protocol_5;
    runtime_provider: typed_and_runtime_provider_have_the_same_schema;
    logs: logs_are_empty_unless_requested log_lines_have_the_format_of_terraform layers_of_the_provider_receive_events uncaught_panic_is_logged;
    list_resources: list_waits_for_the_client_and_ends_with_it limit_ends_the_list
        list_resources_are_described_and_validated every_rpc_of_the_protocol_is_served;
    log_masks: secrets_are_masked_by_schema_field_and_pattern secrets_of_the_provider_are_masked_in_all_output subsystems_have_levels_of_their_own
        diagnostics_of_a_response_are_logged;
    traces: requests_continue_the_trace_of_the_parent traces_are_not_sent_by_default;
    standard_streams: output_before_the_handshake_goes_to_the_log
        long_lines_neither_block_the_provider_nor_reach_stdout
        process_ends_and_removes_its_socket_when_terraform_is_killed;
    state_stores: states_of_all_sizes_are_transferred_in_chunks chunk_size_is_negotiated broken_upload_stores_nothing
        canceled_upload_stores_nothing state_stores_are_locked_and_must_be_configured
        schema_metadata_and_validation_of_state_stores state_stores_are_omitted_under_protocol_5;
    state_upgrades_and_moves: state_is_upgraded object_is_moved protocol_5_is_served;
};

/// Tests of sockets and signals.
#[cfg(unix)]
const UNIX_TESTS: &[Test] = tests! {
    process: sockets interrupts_are_ignored;
    mux_plugin: sigterm_cancels_the_methods_of_the_child output_of_the_child_that_is_not_utf_8_reaches_the_log
        child_with_an_invalid_handshake_is_reported child_without_a_handshake_exits_when_mux_process_is_killed;
    standard_streams: child_process_does_not_keep_the_streams_open
        sigterm_cancels_the_methods_and_ends_the_process_after_disconnect
        server_falls_back_to_tcp_when_socket_cannot_be_opened;
};

#[cfg(not(unix))]
const UNIX_TESTS: &[Test] = &[];

fn main() -> ExitCode {
    let others = runtime_provider::main()
        .or_else(resource_identity::main)
        .or_else(state_upgrades_and_moves::main)
        .or_else(deferral_and_metadata::main)
        .or_else(actions::main)
        .or_else(list_resources::main)
        .or_else(log_masks::main)
        .or_else(mux::main)
        .or_else(mux_plugin::main)
        .or_else(schemas::main)
        .or_else(state_stores::main)
        .or_else(methods::main)
        .or_else(cancellation::main);
    if let Some(code) = others.or_else(provider::main) {
        return code;
    }
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.retain(|argument| !argument.starts_with('-'));
    let chosen = |(name, _): &&Test| {
        arguments.is_empty() || arguments.iter().any(|argument| name.contains(argument.as_str()))
    };
    std::fs::create_dir_all(plugin::sockets()).unwrap();
    let mut failed = 0;
    for (name, test) in TESTS.iter().chain(UNIX_TESTS).filter(chosen) {
        let outcome = panic::catch_unwind(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { tokio::time::timeout(TEST_TIMEOUT, test()).await.expect("it hangs") });
        });
        println!("test protocol::{name} ... {}", if outcome.is_ok() { "ok" } else { "FAILED" });
        failed += u32::from(outcome.is_err());
    }
    std::fs::remove_dir_all(plugin::sockets()).unwrap();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
