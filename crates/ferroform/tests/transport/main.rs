//! The plugin server as a host sees it: a real process, a real socket, a real TLS handshake.
//!
//! This program is both sides. Started plainly it runs the tests below; each starts it again as a plugin.

#![allow(clippy::unwrap_used, reason = "Clippy knows tests by their attribute, and these have none")]

mod host;
mod identity;
mod life;
mod logs;
mod methods;
mod process;
mod provider;
mod raw;
#[path = "../rich/mod.rs"]
mod rich;
mod rpcs;
mod schemas;
mod states;
mod trust;

use std::panic;
use std::pin::Pin;
use std::process::ExitCode;
use std::time::Duration;

/// A test that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

type Test = (&'static str, fn() -> Pin<Box<dyn Future<Output = ()>>>);

/// Names the asynchronous functions given as tests.
macro_rules! tests {
    ($($module:ident: $($name:ident)*;)*) => {
        &[$($((concat!(stringify!($module), "::", stringify!($name)), || Box::pin($module::$name()))),*),*]
    };
}

const TESTS: &[Test] = tests! {
    process: by_hand handshake negotiation sockets ports broken_certificate interrupts shutdown
        shutdown_with_a_stuck_call debug_mode;
    trust: the_right_client no_certificate another_certificate a_stolen_certificate other_curves
        silent_connections without_tls;
    rpcs: health broker_and_stdio unknown_service protocol_5 panics stop gone_client blocking_calls
        large_messages;
    identity: a_book_is_known a_book_is_imported an_old_identity_is_upgraded under_protocol_5;
    life: an_unknown_configuration_is_put_off a_host_that_does_not_wait a_method_puts_off a_module_speaks
        a_deadline_cuts_off;
    methods: a_hundred_methods_block_at_once stop_reaches_a_method_that_blocks
        other_calls_go_on_while_methods_block a_method_that_blocks_is_abandoned_at_its_deadline
        blocked_tasks_of_the_author_delay_no_deadline a_dropped_rpc_cancels_its_method
        a_closed_connection_cancels_its_methods a_canceled_creation_goes_on_to_its_checkpoint
        a_method_can_use_tokio_and_synchronous_clients waiting_methods_need_no_threads;
    schemas: blocks_and_descriptions capabilities not_on_protocol_5;
    raw: both_forms_say_the_same;
    logs: nothing_unasked lines layer_of_the_author an_uncaught_panic;
    states: upgrades moves protocol_5;
};

fn main() -> ExitCode {
    let others = raw::main()
        .or_else(identity::main)
        .or_else(states::main)
        .or_else(life::main)
        .or_else(schemas::main)
        .or_else(methods::main);
    if let Some(code) = others.or_else(provider::main) {
        return code;
    }
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.retain(|argument| !argument.starts_with('-'));
    let chosen = |(name, _): &&Test| {
        arguments.is_empty() || arguments.iter().any(|argument| name.contains(argument.as_str()))
    };
    std::fs::create_dir_all(host::sockets()).unwrap();
    let mut failed = 0;
    for (name, test) in TESTS.iter().filter(chosen) {
        let outcome = panic::catch_unwind(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async { tokio::time::timeout(PATIENCE, test()).await.expect("it hangs") });
        });
        println!("test transport::{name} ... {}", if outcome.is_ok() { "ok" } else { "FAILED" });
        failed += u32::from(outcome.is_err());
    }
    std::fs::remove_dir_all(host::sockets()).unwrap();
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
