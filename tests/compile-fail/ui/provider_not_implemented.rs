fn main() {
    let _ = ferroform::server::<String>();
}
