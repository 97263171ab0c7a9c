//! `cargo xtask fuzz`: the fuzz targets with libFuzzer, on the stable compiler.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::run::{self, cargo, command, output, root};

/// What is built here.
const TARGET: &str = "target/fuzz";
/// What libFuzzer has found so far on this machine; `fuzz/corpus` is the best of it.
const FOUND: &str = "target/fuzz/corpus";
/// Inputs that broke something.
const ARTIFACTS: &str = "fuzz/artifacts";
/// Has the compiler count which branches are taken and tell what is compared with what.
/// Without `--target`, build scripts would be compiled so, too.
const FLAGS: [&str; 8] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
    "-Ctarget-cpu=x86-64-v2",
    "--cfg=fuzzing",
];
/// Seconds of each target unless something else is said.
const SECONDS: u64 = 60;
/// The largest input that is kept in the project.
const LARGEST: u64 = 8 * 1024;
/// The most bytes of a target that are kept in the project.
const MOST: u64 = 24 * 1024;
/// The most inputs of a target that are kept in the project.
const MOST_FILES: usize = 32;

/// What to fuzz.
struct Options<'a> {
    targets: Vec<&'a str>,
    seconds: u64,
    /// Whether what is found is added to `fuzz/corpus`.
    keep: bool,
}

/// Fuzzes the targets that the arguments name, or all.
pub(crate) fn run(arguments: &[&str]) -> anyhow::Result<()> {
    let known = targets()?;
    let options = read(arguments, &known)?;
    let host = host()?;
    let build = ["build", "--release", "--manifest-path", "fuzz/Cargo.toml"];
    let place = ["--target", &host, "--target-dir", TARGET];
    let programs: Vec<&str> =
        options.targets.iter().flat_map(|&target| ["--bin", target]).collect();
    let mut build = cargo(&[&build[..], &place, &programs].concat());
    run::run(build.env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}")))?;
    let programs = root().join(TARGET).join(&host).join("release");
    let mut broken = Vec::new();
    for target in options.targets {
        eprintln!("\n== {target}");
        if let Err(error) = fuzz(&programs, target, options.seconds) {
            eprintln!("{error:#}");
            broken.push(target);
        } else if options.keep {
            keep(&programs, target)?;
        }
    }
    if broken.is_empty() {
        return Ok(());
    }
    bail!("inputs that break {} are in {ARTIFACTS}", broken.join(", "))
}

fn read<'a>(arguments: &[&'a str], known: &'a [String]) -> anyhow::Result<Options<'a>> {
    let mut options = Options { targets: Vec::new(), seconds: SECONDS, keep: false };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match *argument {
            "--keep" => options.keep = true,
            "--seconds" => {
                let seconds = arguments.next().and_then(|text| text.parse().ok());
                options.seconds = seconds.context("--seconds: expected a whole number")?;
            }
            target if known.iter().any(|known| known == target) => options.targets.push(target),
            other => bail!("{other:?} is no fuzz target, expected one of {}", known.join(", ")),
        }
    }
    if options.targets.is_empty() {
        options.targets = known.iter().map(String::as_str).collect();
    }
    Ok(options)
}

/// The names of all targets.
fn targets() -> anyhow::Result<Vec<String>> {
    let mut names = Vec::new();
    for file in fs::read_dir(root().join("fuzz/fuzz_targets")).context("no fuzz targets")? {
        let path = file?.path();
        names.extend(path.file_stem().and_then(|name| name.to_str()).map(str::to_owned));
    }
    names.sort();
    Ok(names)
}

/// The kind of this machine, as the compiler calls it.
fn host() -> anyhow::Result<String> {
    let about = output(&mut command("rustc", &["-vV"]))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say what it compiles for")?.to_owned())
}

fn folder(parent: &str, target: &str) -> anyhow::Result<PathBuf> {
    let path = root().join(parent).join(target);
    fs::create_dir_all(&path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(path)
}

fn fuzz(programs: &Path, target: &str, seconds: u64) -> anyhow::Result<()> {
    let (found, corpus) = (folder(FOUND, target)?, folder("fuzz/corpus", target)?);
    let artifacts = folder(ARTIFACTS, target)?;
    let mut program = std::process::Command::new(programs.join(target));
    program.current_dir(root()).args([&found, &corpus]);
    program.arg(format!("-max_total_time={seconds}"));
    program.arg(format!("-artifact_prefix={}/", artifacts.display()));
    program.args(["-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=0"]);
    run::run(&mut program)
}

/// Makes `fuzz/corpus` a small sample of a set of inputs that takes every branch that any
/// input took: small and large ones alike, since the small ones alone are hardly read.
fn keep(programs: &Path, target: &str) -> anyhow::Result<()> {
    let (found, corpus) = (folder(FOUND, target)?, folder("fuzz/corpus", target)?);
    let merged = root().join(TARGET).join("merged").join(target);
    fs::remove_dir_all(&merged).ok();
    fs::create_dir_all(&merged)?;
    let mut program = std::process::Command::new(programs.join(target));
    // Branches alone, not how often they are taken: that takes a tenth of the inputs.
    program.current_dir(root()).args(["-set_cover_merge=1", "-use_counters=0", "-verbosity=0"]);
    run::run(program.args([&merged, &corpus, &found]))?;
    let mut files = Vec::new();
    for file in fs::read_dir(&merged)? {
        let file = file?;
        let bytes = file.metadata()?.len();
        if bytes <= LARGEST {
            files.push((bytes, file.path()));
        }
    }
    files.sort();
    let every = files.len().div_ceil(MOST_FILES).max(1);
    fs::remove_dir_all(&corpus)?;
    fs::create_dir_all(&corpus)?;
    let mut total = 0;
    for (bytes, path) in files.iter().step_by(every) {
        if total + bytes > MOST {
            break;
        }
        total += bytes;
        fs::copy(path, corpus.join(path.file_name().context("a file has a name")?))?;
    }
    eprintln!("{target}: {total} bytes in fuzz/corpus");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_targets_and_time() {
        let known = ["a".to_owned(), "b".to_owned()];
        let options = read(&["b", "--seconds", "5", "--keep"], &known).expect("they are right");
        assert_eq!((options.targets, options.seconds, options.keep), (vec!["b"], 5, true));
        let options = read(&[], &known).expect("nothing means all");
        assert_eq!((options.targets, options.seconds), (vec!["a", "b"], SECONDS));
        for wrong in [&["c"][..], &["--seconds"], &["--seconds", "x"]] {
            assert!(read(wrong, &known).is_err(), "{wrong:?}");
        }
    }
}
