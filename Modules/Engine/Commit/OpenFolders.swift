import LibraryAPI
import Models
import SystemCalls

/// Where the files of one batch come from and go to, open: the kernel finds a name in an open folder
/// without the way there. For one thread.
final class OpenFolders {
  private let layout: LibraryLayout
  private var incoming: OwnedDescriptor?
  private var target: (record: RecordID, folder: OwnedDescriptor)?

  init(_ layout: LibraryLayout) { self.layout = layout }

  /// Gives the whole partial file of a request its name in a record.
  /// - Returns: false where a folder cannot be opened or something is missing: whole paths will do, or
  ///   say what is wrong.
  func move(
    _ request: RequestKey, to file: StoredFile, in record: Record
  ) throws(SystemError) -> Bool {
    guard let source = openIncoming(), let target = openFolder(of: record) else { return false }
    do throws(SystemError) {
      try FileSystem.rename(
        LibraryLayout.partialName(of: request), in: source, to: file.name, in: target)
      return true
    } catch {
      guard error.isMissing else {
        // People know paths.
        throw SystemError(
          errno: error.errno, call: "rename \(layout.partial(of: request)) to",
          path: layout.original(file, in: record))
      }
      self.target = nil
      return false
    }
  }

  private func openIncoming() -> OwnedDescriptor? {
    if incoming == nil { incoming = try? layout.folder.openFolder(layout.incoming) }
    return incoming
  }

  private func openFolder(of record: Record) -> OwnedDescriptor? {
    if let target, target.record == record.id { return target.folder }
    guard let folder = try? layout.folder.openFolder(layout.folder(of: record)) else { return nil }
    target = (record.id, folder)
    return folder
  }
}
