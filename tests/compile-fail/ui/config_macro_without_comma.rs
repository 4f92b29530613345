use ferroform_testing::config;

fn main() {
    let _ = config! {
        name = "a",
        size = 3
        zone = "b",
    };
}
