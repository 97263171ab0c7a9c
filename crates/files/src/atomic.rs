//! Files that are written whole or not at all.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// The prefix of a file that is still being written.
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
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PARTIAL);
    // Temporary files are private by default; results are as readable as other files.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Creates a folder and its missing parents, and syncs the folders that name them.
///
/// # Errors
///
/// When one of them cannot be created, or `path` is something else.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<&Path> = path.ancestors().take_while(is_missing).collect();
    fs::create_dir_all(path)?;
    missing.iter().try_for_each(|folder| sync_folder(folder_of(folder)))
}

/// Makes sure that the names in a folder are on the disk, where the system can do that.
///
/// # Errors
///
/// When the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(not(unix)) {
        return Ok(());
    }
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot sync folders, and some folders cannot be read.
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

/// Whether a file of this name was left by a process that was killed during [`write()`].
#[must_use]
pub fn is_leftover(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(PARTIAL)
}

/// Removes what processes that were killed during [`write()`] have left in a folder, if
/// there is one. The caller holds the folder's [`Lock`](crate::Lock).
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

/// The folder that a file is in.
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
    fn files_are_replaced_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("state.json");
        write(&path, b"first").unwrap();
        write(&path, b"2nd").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"2nd");
        assert_eq!(names(place.path()), ["state.json"]);
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        // A folder cannot be replaced by a file, so the rename fails.
        let path = place.path().join("taken");
        fs::create_dir(&path).unwrap();
        assert!(write(&path, b"bytes").is_err());
        assert!(write(&place.path().join("no/such/folder"), b"bytes").is_err());
        assert_eq!(names(place.path()), ["taken"]);
    }

    #[cfg(unix)]
    #[test]
    fn files_are_as_readable_as_other_files() {
        use std::os::unix::fs::PermissionsExt;

        let place = tempfile::tempdir().unwrap();
        let [ours, plain] = ["ours", "plain"].map(|name| place.path().join(name));
        write(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn leftovers_are_removed_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        for name in [".writing-abc", ".hidden", "writing-abc"] {
            fs::write(place.path().join(name), "half").unwrap();
        }
        remove_leftovers(place.path()).unwrap();
        assert_eq!(names(place.path()), [".hidden", "writing-abc"]);
        remove_leftovers(&place.path().join("missing")).unwrap();
    }

    #[test]
    fn folders_are_created_with_their_parents() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("a/b/c");
        create_folder(&path).unwrap();
        create_folder(&path).unwrap();
        assert!(path.is_dir());
        fs::write(path.join("file"), "").unwrap();
        assert!(create_folder(&path.join("file")).is_err());
    }
}
