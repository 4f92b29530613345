use ferroform_testing::config;

fn main() {
    let _ = config! {
        owner = { name = "me", group = null }
        zone = "b",
    };
}
