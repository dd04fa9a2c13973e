import LibraryAPI
import Models
import SystemCalls

/// The open source and target folders of one batch, so that the kernel need not resolve their paths for
/// each file. Used on one thread.
final class OpenFolders {
  private let layout: LibraryLayout
  private var incoming: OwnedDescriptor?
  private var target: (record: RecordID, folder: OwnedDescriptor)?

  init(_ layout: LibraryLayout) { self.layout = layout }

  /// Moves the complete partial file of a request to its name in a record.
  /// - Returns: false if a folder cannot be opened or a file is missing. The caller then uses full paths,
  ///   which succeed or lead to a precise error.
  func move(
    _ request: RequestKey, to file: StoredFile, in record: Record
  ) throws(SystemError) -> Bool {
    guard let source = openIncoming(), let target = openFolder(of: record) else { return false }
    try layout.folder.checkRoom(for: .name, at: layout.folder(of: record) + "/" + file.name)
    do throws(SystemError) {
      try FileSystem.rename(
        LibraryLayout.partialName(of: request), in: source, to: file.name, in: target)
      return true
    } catch {
      guard error.isMissing else {
        // The error names full paths, because the call used names relative to open folders.
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
