import CLinux

/// Files that are mapped into the memory of this program.
public enum MappedFiles {
  /// Makes the program end with exit code 6 and a message if a store into the index of a database (`-shm`) fails, which
  /// otherwise ends it with SIGBUS and without a message.
  ///
  /// A copy-on-write file system needs free space for a page of a mapped file each time after it has written the page.
  /// `PersistenceSQLite` asks for that space before it writes; this covers the moment between the two.
  public static func exitWhenIndexIsRefused() { _ = imgdl_catch_bus_errors() }
}

extension FileSystem {
  /// Returns the number of the file system of a path, as in `statfs(2)`; nil if the system does not report it.
  public static func type(of path: String) -> Int64? {
    let type = imgdl_file_system_type(path)
    return type < 0 ? nil : type
  }
}
