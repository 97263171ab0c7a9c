//! Networks in files: safetensors to go on with, ONNX for other programs.

mod checkpoint;
mod onnx;
mod protobuf;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::NetError;

/// Writes a file whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> Result<(), NetError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folder = parent.map_or_else(|| PathBuf::from("."), Path::to_owned);
    let save = || -> std::io::Result<()> {
        let mut builder = tempfile::Builder::new();
        // Models are for everybody whom the folder is for.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder.tempfile_in(&folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        // The new name is on the disk only when its folder is.
        #[cfg(unix)]
        fs::File::open(&folder)?.sync_all()?;
        Ok(())
    };
    save().map_err(|error| NetError::Write { path: path.to_owned(), reason: error.to_string() })
}

/// Reads a whole file.
fn read(path: &Path) -> Result<Vec<u8>, NetError> {
    fs::read(path)
        .map_err(|error| NetError::Read { path: path.to_owned(), reason: error.to_string() })
}
