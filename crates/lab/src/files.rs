//! File access for requests: regular files of limited size within a folder, on blocking
//! threads.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::error::ApiError;

/// The maximum size of a file.
pub(crate) const MAX_FILE_SIZE: u64 = 64 * 1024 * 1024;

/// Runs `work` on a blocking thread, so that other requests are served meanwhile.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ApiError::internal("the request failed", &error))?
}

/// Resolves `path` below `root`; `None` if it does not exist or lies outside.
///
/// Symbolic links are resolved before the check.
pub(crate) fn resolve_inside(root: &Path, path: &str) -> Option<PathBuf> {
    let parts = Path::new(path).components();
    let is_plain = parts.into_iter().all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || !is_plain || path.contains(['\\', '\0']) {
        return None;
    }
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    found.starts_with(&root).then_some(found)
}

/// Reads a text file below `folder`; `None` if it does not exist.
pub(crate) fn read_text(folder: &Path, path: &str) -> Result<Option<String>, ApiError> {
    let Some(file) = resolve_inside(folder, path) else { return Ok(None) };
    let Some(bytes) = read(&file, path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| ApiError::internal(path, &error))
}

/// Reads a regular file; `None` if it does not exist.
///
/// Other kinds are rejected: opening a pipe would block until somebody writes to it.
pub(crate) fn read(path: &Path, name: &str) -> Result<Option<Vec<u8>>, ApiError> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ApiError::internal(name, &error)),
    };
    if !metadata.is_file() {
        return Err(ApiError::BadRequest(format!("{name} is not a regular file")));
    }
    if metadata.len() > MAX_FILE_SIZE {
        return Err(ApiError::BadRequest(format!("{name} is larger than {MAX_FILE_SIZE} bytes")));
    }
    fs::read(path).map(Some).map_err(|error| ApiError::internal(name, &error))
}

/// Reads a JSON file below `folder`; `None` if it does not exist.
pub(crate) fn read_json(folder: &Path, path: &str) -> Result<Option<Value>, ApiError> {
    let Some(text) = read_text(folder, path)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| ApiError::internal(path, &error))
}

/// Reads the complete lines of a JSON Lines file, which may be growing.
pub(crate) fn read_json_lines(folder: &Path, path: &str) -> Result<Vec<Value>, ApiError> {
    let text = read_text(folder, path)?.unwrap_or_default();
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_the_folder_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("a")).unwrap();
        fs::write(root.join("a/b.json"), "{}").unwrap();
        fs::write(folder.path().join("secret.json"), "{}").unwrap();
        assert!(resolve_inside(&root, "a/b.json").is_some());
        assert_eq!(read_json(&root, "a/b.json").unwrap(), Some(serde_json::json!({})));
        for outside in
            ["", ".", "..", "../secret.json", "/etc/passwd", "a/../../secret.json", "a\\b", "none"]
        {
            assert_eq!(resolve_inside(&root, outside), None, "{outside}");
        }
        assert!(read_text(&root, "a").unwrap_err().to_string().contains("regular"));
    }

    #[cfg(unix)]
    #[test]
    fn links_to_the_outside_and_pipes_are_rejected() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::create_dir_all(folder.path().join("outer")).unwrap();
        fs::write(folder.path().join("outer/x.json"), "{}").unwrap();
        fs::write(root.join("inner/x.json"), "{}").unwrap();
        std::os::unix::fs::symlink(folder.path().join("outer"), root.join("out")).unwrap();
        std::os::unix::fs::symlink(root.join("inner"), root.join("in")).unwrap();
        assert_eq!(resolve_inside(&root, "out/x.json"), None);
        assert!(resolve_inside(&root, "in/x.json").is_some());
        let pipe = root.join("pipe.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = read_text(&root, "pipe.json").unwrap_err().to_string();
        assert_eq!(refused, "pipe.json is not a regular file");
    }
}
