use ferroform_testing::config;

fn main() {
    let _ = config! {
        tags = ["a" "b"],
    };
}
