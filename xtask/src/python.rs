//! Python environments under `target`, made when they are missing.

use anyhow::Context;

use crate::run::{command, root, run, succeeds};

/// The Python of the environment `name`, with `packages` installed such that
/// `modules` can be imported.
pub(crate) fn environment(name: &str, packages: &[&str], modules: &str) -> anyhow::Result<String> {
    let text = |path: std::path::PathBuf| -> anyhow::Result<String> {
        Ok(path.to_str().context("the project's path is not text")?.to_owned())
    };
    let folder = root().join("target").join(name);
    let python = text(folder.join("bin/python"))?;
    if !succeeds(&mut command(&python, &["-c", &format!("import {modules}")])) {
        run(&mut command("python3", &["-m", "venv", &text(folder)?]))?;
        run(&mut command(&python, &[&["-m", "pip", "install", "--quiet"], packages].concat()))?;
    }
    Ok(python)
}
