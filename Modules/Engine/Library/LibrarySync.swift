import LibraryAPI
import Models
import Synchronization
import SystemCalls

/// Waits until the disk has everything that was written to a library: its files, their names, and the
/// log of its rows. Blocks.
///
/// A failed sync is never tried again: the kernel takes the pages that it could not write for clean, and
/// a second sync would report success. Every later one fails as the first did, and the next engine writes
/// again what waited for it.
final class LibrarySync: Sendable {
  /// Throws what the disk said.
  typealias Call = @Sendable (ConfinedFolder) throws(SystemError) -> Void

  /// Whether a power cut may cost nothing that was said to be finished (`durability`).
  let isWanted: Bool
  private let folder: ConfinedFolder
  private let call: Call
  private let failure = Mutex<SystemError?>(nil)

  init(
    _ layout: LibraryLayout, _ durability: Settings.Durability,
    call: @escaping Call = LibrarySync.syncFileSystem
  ) {
    isWanted = durability == .full
    folder = layout.folder
    self.call = call
  }

  /// Does nothing where it is not wanted.
  func callAsFunction() throws(SystemError) {
    guard isWanted else { return }
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
