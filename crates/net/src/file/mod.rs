//! Network files: safetensors checkpoints, and ONNX for other programs.

mod checkpoint;
mod onnx;
mod protobuf;

use std::path::Path;

use crate::NetError;

/// Writes a file atomically.
fn write(path: &Path, bytes: &[u8]) -> Result<(), NetError> {
    meeple_files::write(path, bytes)
        .map_err(|error| NetError::Write { path: path.to_owned(), reason: error.to_string() })
}

/// Reads a whole file.
fn read(path: &Path) -> Result<Vec<u8>, NetError> {
    std::fs::read(path)
        .map_err(|error| NetError::Read { path: path.to_owned(), reason: error.to_string() })
}
