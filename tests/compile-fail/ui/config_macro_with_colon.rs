use ferroform_testing::config;

fn main() {
    let _ = config! {
        name: "a",
    };
}
