//! Atomic file writes, by a temporary file and a rename.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// The prefix of temporary files.
const PARTIAL: &str = ".writing-";

/// Writes a file atomically: after a crash it has its old contents or all of `bytes`.
///
/// The bytes go to a temporary file in the same folder, which is synced and renamed to
/// `path`; then the folder is synced, so that the new name survives a power failure.
///
/// # Errors
///
/// When any of these steps fails; the temporary file is removed then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// As [`write()`], with contents that `work` writes piece by piece: files larger than what
/// should be in memory twice.
///
/// # Errors
///
/// As [`write()`], or when `work` fails.
pub fn write_with(
    path: &Path,
    work: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PARTIAL);
    // Temporary files are private by default; results get the usual permissions.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    let mut buffer = BufWriter::new(&mut file);
    work(&mut buffer)?;
    buffer.flush()?;
    drop(buffer);
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Creates a folder and its missing parents, and syncs the parent of each.
///
/// # Errors
///
/// When a folder cannot be created, or `path` exists and is not a folder.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(path)?;
    missing.iter().try_for_each(|folder| sync_folder(folder_of(folder)))
}

/// Syncs the entries of a folder to disk, on systems that support it.
///
/// # Errors
///
/// When syncing fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync folders, and some folders are not readable.
        Err(error)
            if matches!(
                error.kind(),
                ErrorKind::InvalidInput | ErrorKind::Unsupported | ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        synced => synced,
    }
}

/// Returns whether this is the name of a temporary file, left by a process that was
/// killed during [`write()`].
#[must_use]
pub fn is_leftover(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(PARTIAL)
}

/// Removes the temporary files of killed processes from a folder, if it exists. The
/// caller holds the folder's [`Lock`](crate::Lock).
///
/// # Errors
///
/// When the folder cannot be read or a file cannot be removed.
pub fn remove_leftovers(folder: &Path) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let entry = entry?;
        if is_leftover(&entry.file_name()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Returns the parent folder of a path.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn writes_replace_the_whole_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        write(&path, b"first").unwrap();
        write(&path, b"2nd").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2nd");
        assert_eq!(names(folder.path()), ["state.json"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        // A folder cannot be replaced by a file, so the rename fails.
        let path = folder.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(write(&path, b"bytes").is_err());
        assert!(write(&folder.path().join("no/such/folder"), b"bytes").is_err());
        assert_eq!(names(folder.path()), ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn files_have_the_usual_permissions() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let [ours, plain] = ["ours", "plain"].map(|name| folder.path().join(name));
        write(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn only_leftovers_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".writing-abc", ".hidden", "writing-abc"] {
            fs::write(folder.path().join(name), "half").unwrap();
        }
        remove_leftovers(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [".hidden", "writing-abc"]);
        remove_leftovers(&folder.path().join("missing")).unwrap();
    }

    #[test]
    fn folders_are_created_with_their_parents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/c");
        create_folder(&path).unwrap();
        create_folder(&path).unwrap();
        assert!(path.is_dir());
        fs::write(path.join("file"), "").unwrap();
        assert!(create_folder(&path.join("file")).is_err());
    }
}
