//! The Python package: built as a wheel, installed, and tested from Python.

use std::path::PathBuf;

use anyhow::Context;

use crate::python;
use crate::run::{command, output, root, run};

/// What the tests need, in versions that are known to work together.
const PACKAGES: &[&str] = &[
    "maturin==1.16.0",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "gymnasium==1.4.0",
    "pettingzoo==1.27.0",
    "open_spiel==2.0.2",
    "shimmy==2.0.1",
    "mypy==2.4.1",
];
const MODULES: &str = "maturin, numpy, pytest, gymnasium, pettingzoo, pyspiel, shimmy, mypy";
/// What only `--full` needs.
const LARGE_PACKAGES: &[&str] = &["ray==2.60.0", "sb3-contrib==2.9.2", "torch==2.15.0"];
const LARGE_MODULES: &str = "ray, sb3_contrib, torch";

/// Builds and installs the wheel and runs its tests.
pub(crate) fn test() -> anyhow::Result<()> {
    let python = python::environment("test-package", PACKAGES, MODULES)?;
    // Built like all that is tested, so that little has to be compiled again and overflows are
    // caught.
    install(&python, &["--profile", "dev"])?;
    run(&mut command(&python, &["-m", "pytest", "-q", "tests/package", "--ignore", FULL]))
}

const FULL: &str = "tests/package/full";

/// As [`test()`], for what needs Ray and PyTorch.
pub(crate) fn test_full() -> anyhow::Result<()> {
    let packages = [PACKAGES, LARGE_PACKAGES].concat();
    let modules = format!("{MODULES}, {LARGE_MODULES}");
    let python = python::environment("test-package-full", &packages, &modules)?;
    install(&python, &["--release"])?;
    run(&mut command(&python, &["-m", "pytest", "-q", FULL]))
}

/// The Python of an environment with the package as users build it, to measure it.
pub(crate) fn measured() -> anyhow::Result<String> {
    let python = python::environment("test-package", PACKAGES, MODULES)?;
    install(&python, &[])?;
    Ok(python)
}

/// Builds the wheel and installs it. Without options it is built as `pip install .` does.
fn install(python: &str, options: &[&str]) -> anyhow::Result<()> {
    let wheels = root().join("target/wheels");
    let folder = wheels.to_str().context("the project's path is not text")?;
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels).context("cannot empty target/wheels")?;
    }
    let build = ["-m", "maturin", "build", "--quiet", "--locked", "--out", folder];
    run(&mut command(python, &[&build[..], options].concat()))?;
    let wheel = built(&wheels)?;
    let wheel = wheel.to_str().context("the project's path is not text")?;
    let install = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", wheel];
    output(&mut command(python, &install)).map(drop)
}

fn built(folder: &PathBuf) -> anyhow::Result<PathBuf> {
    let files = std::fs::read_dir(folder).context("maturin built no wheel")?;
    let mut wheels = files.filter_map(|file| Some(file.ok()?.path()));
    wheels.next().context("maturin built no wheel")
}
