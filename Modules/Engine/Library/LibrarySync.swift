import LibraryAPI
import Models
import Synchronization
import SystemCalls

/// Waits until everything written to a library is on the disk: its files, their names, and the log of its
/// rows. Blocks.
///
/// A failed sync is never retried: the kernel marks the pages that it could not write as clean, so a second
/// sync would report success. All later calls fail with the first error, and the next engine rewrites the
/// files that were not synced.
final class LibrarySync: Sendable {
  /// Syncs the file system of the folder. Throws the error of the disk.
  typealias Call = @Sendable (ConfinedFolder) throws(SystemError) -> Void

  /// Whether finished resources must survive a power cut (the setting `durability`).
  let isEnabled: Bool
  private let folder: ConfinedFolder
  private let call: Call
  private let failure = Mutex<SystemError?>(nil)

  init(
    _ layout: LibraryLayout, _ durability: Settings.Durability,
    call: @escaping Call = LibrarySync.syncFileSystem
  ) {
    isEnabled = durability == .full
    folder = layout.folder
    self.call = call
  }

  /// Syncs the library; does nothing if `isEnabled` is false.
  func callAsFunction() throws(SystemError) {
    guard isEnabled else { return }
    if let failure = failure.withLock({ $0 }) { throw failure }
    do throws(SystemError) {
      try call(folder)
    } catch {
      failure.withLock { $0 = error }
      throw error
    }
  }

  static let syncFileSystem: Call = { folder throws(SystemError) in
    try folder.root().syncFileSystem()
  }
}
