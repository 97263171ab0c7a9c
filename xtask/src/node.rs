//! Packages of Node.js under `target`, installed when they are missing.

use std::fs;
use std::path::PathBuf;

use crate::run::{command, root, run};

/// The folder that holds `package`, such as `name@1.2.3`, installed in `target/FOLDER`.
pub(crate) fn package(folder: &str, package: &str) -> anyhow::Result<PathBuf> {
    let place = root().join("target").join(folder);
    let (name, _) = package.rsplit_once('@').expect("a package has a version");
    if !place.join("node_modules").join(name).exists() {
        fs::create_dir_all(&place)?;
        fs::write(place.join("package.json"), "{\"private\": true}\n")?;
        let prefix = format!("target/{folder}");
        let arguments = ["install", "--prefix", &prefix, "--no-audit", "--no-fund", package];
        run(&mut command("npm", &arguments))?;
    }
    Ok(place)
}
