import LibraryAPI
import Models
import SystemCalls

/// The deletion of the files of one record. Blocks.
///
/// A file that the file system refuses to delete, such as one in an immutable folder, stays and is noted. Such a refusal
/// must not keep the record, or other records, in the library.
struct FileRemoval: Sendable {
  private let record: Record
  private let layout: LibraryLayout
  /// The folders that contained the files, below the library's root.
  private var folders: Set<String> = []
  /// Whether a probe has shown that the library works, so that a refusal concerns names of the record only.
  private var isProbed = false
  private(set) var left = Leftovers()

  init(of record: Record, _ layout: LibraryLayout) {
    self.record = record
    self.layout = layout
  }

  /// Deletes a file.
  /// - Throws: `SystemError` if files cannot be deleted anywhere in the library.
  mutating func remove(_ file: StoredFile) throws(SystemError) {
    let path = layout.original(file, in: record)
    do throws(SystemError) {
      try layout.folder.removeIfExists(path)
    } catch {
      try note(error)
    }
    var parent = FileSystem.parentFolder(of: path)
    while parent.utf8.count > layout.root.utf8.count, folders.insert(parent).inserted {
      parent = FileSystem.parentFolder(of: parent)
    }
  }

  private mutating func note(_ error: SystemError) throws(SystemError) {
    // Something of the user is in the place of the file or its folder.
    if error.meansNoFile { return }
    if !isProbed {
      let probe = LibraryProbe(layout: layout)
      guard probe.concernsName(error, in: layout.folder(of: record)) else { throw error }
      isProbed = true
    }
    guard error.mayConcernName else { throw error }
    left.append(error.description)
  }

  /// Deletes empty folders, subfolders first; a folder that contains files of the user is kept.
  func removeFolders() {
    for path in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      try? layout.folder.removeFolder(path)
    }
  }
}
