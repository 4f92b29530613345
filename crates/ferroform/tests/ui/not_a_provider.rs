
fn main() {
    let _ = ferroform::engine::Server::new::<String>();
}
