use ferroform::{Data, path};

fn set(data: &mut Data) {
    let _ = data.set(path!(name), 'c');
}

fn main() {}
