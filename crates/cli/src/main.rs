fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let options = quipu_cfront::Options::from_flags(&args[1..]).unwrap();
    match quipu_cfront::compile(&[std::path::PathBuf::from(&args[0])], &options) {
        Ok(p) => {
            let e = quipu_ir::verify(&p.module);
            print!("{}", quipu_ir::print(&p.module));
            if let Err(e) = e { for e in e { println!("{e}"); } }
        }
        Err(e) => eprintln!("{e}"),
    }
}
