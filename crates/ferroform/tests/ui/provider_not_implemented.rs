
fn main() {
    let _ = ferroform_engine::ferroform::server::<String>();
}
