//! The `quipu` command: flags to a request, the request to an answer, the answer to text and an exit code.

mod args;
mod check;
mod config;
mod cover;
mod declared;
mod exit;
mod init;
mod interrupt;
mod load;
mod output_file;
mod progress;
mod reach;
mod render;
mod run;
mod search;
mod show;
mod solve;
mod supervisor;
mod talk;
mod worker;

use clap::Parser;

use args::{Args, Command};
use exit::Exit;

/// The front end reports its own panics, as an error with an exit code; printing them twice helps nobody.
fn silence_front_end_panics() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name() != Some(quipu_cfront::FRONT_END_THREAD) {
            report(panic);
        }
    }));
}

/// The stack of the thread that does the work.
const STACK_BYTES: usize = 1 << 30;

fn main() -> std::process::ExitCode {
    silence_front_end_panics();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return refuse(&error).into(),
    };
    if std::env::var_os(worker::journal::VARIABLE).is_none() {
        return supervisor::supervise(&args.command).into();
    }
    quipu_limits::lead_session();
    let exit = on_large_stack(&args.command);
    if args.command.wants_json() {
        talk::answer_anyway(exit);
    }
    exit.into()
}

/// Help and version are answers; anything else is a mistake in the command line.
fn refuse(error: &clap::Error) -> Exit {
    if !error.use_stderr() {
        // A closed pipe is the reader's choice.
        let _ = error.print();
        return Exit::Fine;
    }
    let own = std::env::args_os().take_while(|arg| arg != "--");
    let _ = error.print();
    if own.into_iter().any(|arg| arg == "--json") {
        talk::print_errors("command-line", &[error.to_string()]);
    }
    Exit::BadInput
}

/// Terms can be nested as deeply as loops turn. Memory is only taken where the stack is used.
fn on_large_stack(command: &Command) -> Exit {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("main".to_string()).stack_size(STACK_BYTES);
        match worker.spawn_scoped(scope, || run_command(command)).map(|thread| thread.join()) {
            Ok(Ok(exit)) => exit,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => load::complain(&format!("error: cannot start: {error}")),
        }
    })
}

fn run_command(command: &Command) -> Exit {
    match command {
        Command::Cover(cover) => cover::cover(cover),
        Command::Check(check) => check::check(check),
        Command::Reach(reach) => reach::reach(reach),
        Command::Init(init) => init::init(init),
        Command::Show(show) => show::show(show),
        Command::Run(run) => run::run(run),
        Command::Solve(solve) => solve::solve(solve),
    }
}
