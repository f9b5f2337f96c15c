fn main() {
    let a: Vec<String> = std::env::args().collect();
    for f in &a[2..] {
        for o in quipu_testkit::subject::observe(std::path::Path::new(f), &[&a[1]]) {
            println!("{f}: {o}");
        }
    }
}
