//! Files that callers may ask for: only regular ones, only within a folder, only so
//! large, and read on threads that may block.

use std::fs;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::refusal::Refusal;

/// The largest file that is read.
pub(crate) const LARGEST: u64 = 64 * 1024 * 1024;

/// Runs `work` on a thread that may block, so that other requests are answered
/// meanwhile.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Refusal::failed("the request failed", &error))?
}

/// Where `path` leads from `root`; nothing if that is not within `root` or not there.
///
/// Links may lead anywhere, so where they end is what counts.
pub(crate) fn inside(root: &Path, path: &str) -> Option<PathBuf> {
    let parts = Path::new(path).components();
    let is_plain = parts.into_iter().all(|part| matches!(part, Component::Normal(_)));
    if path.is_empty() || !is_plain || path.contains(['\\', '\0']) {
        return None;
    }
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    found.starts_with(&root).then_some(found)
}

/// Reads a file below `folder`; nothing if there is none.
pub(crate) fn text_of(folder: &Path, path: &str) -> Result<Option<String>, Refusal> {
    let Some(file) = inside(folder, path) else { return Ok(None) };
    let Some(bytes) = read(&file, path)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| Refusal::failed(path, &error))
}

/// Reads a regular file; nothing if there is none.
///
/// Opening a pipe would wait for somebody to write into it.
pub(crate) fn read(path: &Path, name: &str) -> Result<Option<Vec<u8>>, Refusal> {
    let about = match fs::symlink_metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Refusal::failed(name, &error)),
    };
    if !about.is_file() {
        return Err(Refusal::Wrong(format!("{name} is not a regular file")));
    }
    if about.len() > LARGEST {
        return Err(Refusal::Wrong(format!("{name} is larger than {LARGEST} bytes")));
    }
    fs::read(path).map(Some).map_err(|error| Refusal::failed(name, &error))
}

/// Reads a JSON file below `folder`; nothing if there is none.
pub(crate) fn json_of(folder: &Path, path: &str) -> Result<Option<Value>, Refusal> {
    let Some(text) = text_of(folder, path)? else { return Ok(None) };
    serde_json::from_str(&text).map(Some).map_err(|error| Refusal::failed(path, &error))
}

/// The whole lines of a file that may be growing.
pub(crate) fn lines_of(folder: &Path, path: &str) -> Result<Vec<Value>, Refusal> {
    let text = text_of(folder, path)?.unwrap_or_default();
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_inside_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("a")).unwrap();
        fs::write(root.join("a/b.json"), "{}").unwrap();
        fs::write(folder.path().join("secret.json"), "{}").unwrap();
        assert!(inside(&root, "a/b.json").is_some());
        assert_eq!(json_of(&root, "a/b.json").unwrap(), Some(serde_json::json!({})));
        for outside in
            ["", ".", "..", "../secret.json", "/etc/passwd", "a/../../secret.json", "a\\b", "none"]
        {
            assert_eq!(inside(&root, outside), None, "{outside}");
        }
        assert!(text_of(&root, "a").unwrap_err().to_string().contains("regular"));
    }

    #[cfg(unix)]
    #[test]
    fn links_do_not_lead_outside_and_pipes_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir_all(root.join("inner")).unwrap();
        fs::create_dir_all(folder.path().join("outer")).unwrap();
        fs::write(folder.path().join("outer/x.json"), "{}").unwrap();
        fs::write(root.join("inner/x.json"), "{}").unwrap();
        std::os::unix::fs::symlink(folder.path().join("outer"), root.join("out")).unwrap();
        std::os::unix::fs::symlink(root.join("inner"), root.join("in")).unwrap();
        assert_eq!(inside(&root, "out/x.json"), None);
        assert!(inside(&root, "in/x.json").is_some());
        let pipe = root.join("pipe.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let refused = text_of(&root, "pipe.json").unwrap_err().to_string();
        assert_eq!(refused, "pipe.json is not a regular file");
    }
}
