//! Actions over a real connection: every progress message is delivered.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs};

use ferroform::value::{Type, Value, msgpack};
use ferroform::{Action, Args, InvokeCx, Known, Maybe, Model, Provider, Registry, RequestCx, Result, serve};
use ferroform_proto::tfplugin6::DynamicValue;
use ferroform_proto::tfplugin6::invoke_action::{self, event};

use crate::methods;
use crate::plugin::{Directory, without_tls};

/// Environment variable with the path of a file, to which the action writes the number of its messages. It makes the
/// plugin process serve this provider.
const COUNT: &str = "TRANSPORT_TEST_ACTION";

/// The `main` of the plugin process, if it serves this provider.
pub(crate) fn main() -> Option<ExitCode> {
    env::var_os(COUNT)?;
    Some(serve::<Talk>())
}

struct Talk;

impl Provider for Talk {
    const ADDRESS: &'static str = "example.com/test/talk";
    type Config = ();

    async fn configure(_: &RequestCx, (): ()) -> Result<Maybe<Self>> {
        Ok(Known(Talk))
    }

    fn register(registry: &mut Registry<Self>) {
        registry.action::<Count>("talk_count");
    }
}

/// Sends messages until the client does not receive the next one within a second.
#[derive(Model, Clone, Debug, PartialEq)]
struct Count {
    start: u64,
}

impl Action for Count {
    type Provider = Talk;

    async fn invoke(cx: &InvokeCx<Self>, args: Args<Self>) -> Result<()> {
        // Messages of 64 KiB fill the buffers of the connection soon.
        let padding = "n".repeat(64 << 10);
        let mut next = args.start;
        while tokio::time::timeout(Duration::from_secs(1), cx.progress(format!("{next} {padding}")))
            .await
            .is_ok()
        {
            next += 1;
        }
        fs::write(PathBuf::from(env::var_os(COUNT).unwrap_or_default()), next.to_string())?;
        Ok(())
    }
}

pub(crate) async fn messages_before_the_end_are_delivered() {
    let directory = Directory::new("action-messages");
    let file = directory.path().join("count");
    let (mut plugin, handshake) = without_tls().env(COUNT, &file).start_and_handshake().await;
    let channel = handshake.connect_without_tls().await;
    methods::configure(&channel).await;
    let ty = Type::object([("start", Type::Number)]);
    let config = msgpack::encode(&Value::object([("start", 0.into())]), &ty).unwrap();
    let request = invoke_action::Request {
        action_type: "talk_count".into(),
        config: Some(DynamicValue { msgpack: config.into(), ..Default::default() }),
        ..Default::default()
    };
    let mut events = channel.provider().invoke_action(request).await.unwrap().into_inner();
    // The client receives nothing before the method has ended.
    while !file.exists() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut received = Vec::new();
    let completed = loop {
        match events.message().await.unwrap().unwrap().r#type.unwrap() {
            event::Type::Progress(it) => {
                let number = it.message.split(' ').next().unwrap();
                received.push(number.parse::<u64>().unwrap());
            }
            event::Type::Completed(it) => break it,
        }
    };
    assert_eq!(completed.diagnostics, []);
    let sent: u64 = fs::read_to_string(&file).unwrap().parse().unwrap();
    assert_eq!(received, (0..sent).collect::<Vec<_>>());
    drop(events);
    assert!(plugin.end(channel).await.success());
}
