import Glibc
import LibraryAPI
import Models
import Synchronization
import SystemCalls

/// The lock that limits a library to one engine. Held until `release` or the end of the value's lifetime;
/// the kernel releases it when the process ends.
///
/// The lock is that of the file `lock`, by which other programs find the engine, and of the folder for partial files.
/// The folder's lock keeps out a second engine if a user deletes the file, which looks like one that a crashed program
/// has left. Some file systems lock no folders; there only the file counts. The folder `.imgdl` itself is locked by
/// programs that create the database.
final class LibraryLock: Sendable {
  private struct State {
    /// The locked file; nil after the release.
    var file: OwnedDescriptor?
    var folder: OwnedDescriptor?
    /// The path at which clients reach the holder, as the file says.
    var socket: String?
  }

  private let layout: LibraryLayout
  private let state: Mutex<State>

  /// - Parameters:
  ///   - socket: The path at which clients reach the holder.
  ///   - inherited: The locked file, from an earlier program of this process (`held`); nil if there was none.
  /// - Throws: `LibraryError.locked`, naming the process that holds the lock.
  init(
    _ layout: LibraryLayout, socket: String?, inheriting inherited: OwnedDescriptor? = nil
  ) throws {
    self.layout = layout
    let folder = try Self.lockFolder(layout)
    let file = try Self.lockFile(layout, inherited)
    try Self.write(socket, to: file)
    state = Mutex(State(file: file, folder: folder, socket: socket))
  }

  /// Returns another descriptor of the locked file, which holds the lock after `release` as well; nil after the release.
  func held() throws(SystemError) -> OwnedDescriptor? {
    try state.withLock { (state) throws(SystemError) -> OwnedDescriptor? in
      try state.file?.duplicate()
    }
  }

  func release() {
    state.withLock { state in
      state.file?.close()
      state.folder?.close()
      state = State()
    }
  }

  /// Restores the lock file if it is missing or was replaced, and writes the path of the socket into it if that has
  /// changed. Has no effect after the release. Blocks.
  /// - Throws: `LibraryError.locked` if another process has locked the file that is at the path now, so that it has
  ///   taken the library.
  func renew(socket: String?) throws {
    try state.withLock { state in
      guard let held = state.file else { return }
      if try !Self.isInPlace(held, layout) {
        let file = try Self.lockFile(layout)
        held.close()
        state.file = file
        state.socket = nil
        try Self.write(socket, to: file)
        state.socket = socket
      } else if socket != state.socket {
        try Self.write(socket, to: held)
        state.socket = socket
      }
    }
  }

  // MARK: Locking

  private static func lockFile(
    _ layout: LibraryLayout, _ inherited: OwnedDescriptor? = nil
  ) throws -> OwnedDescriptor {
    if let inherited, try isInPlace(inherited, layout), try inherited.tryLock() { return inherited }
    while true {
      let file = try layout.folder.open(
        layout.lock, .readingAndWriting, create: .ifMissing, mode: LibraryLayout.privateFile)
      guard try acquire(file, layout) else { throw inUse(layout) }
      // The file may have been deleted after it was opened; its lock would then keep nobody out.
      if try isInPlace(file, layout) { return file }
    }
  }

  private static func lockFolder(_ layout: LibraryLayout) throws -> OwnedDescriptor? {
    guard let folder = try? layout.folder.openFolder(layout.incoming) else { return nil }
    let isLocked: Bool
    do throws(SystemError) {
      isLocked = try acquire(folder, layout)
    } catch {
      return nil
    }
    guard isLocked else { throw inUse(layout) }
    return folder
  }

  /// Tries to lock a file or folder. A child process also holds the lock between fork and exec, so the call waits
  /// for at most 0.2 seconds if the lock file names this process. `LibraryHolder.current` takes the lock for an
  /// instant, for which the call waits as well.
  private static func acquire(
    _ descriptor: OwnedDescriptor, _ layout: LibraryLayout
  ) throws(SystemError) -> Bool {
    for attempt in 0..<50 {
      if try descriptor.tryLock() { return true }
      guard attempt < 3 || LibraryHolder.read(layout)?.isThisProcess == true else { return false }
      usleep(4_000)
    }
    return false
  }

  private static func isInPlace(
    _ file: OwnedDescriptor, _ layout: LibraryLayout
  ) throws(SystemError) -> Bool {
    let held = try file.status()
    do throws(SystemError) {
      let found = try layout.folder.status(layout.lock)
      return (held.device, held.inode) == (found.device, found.inode)
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  private static func inUse(_ layout: LibraryLayout) -> LibraryError {
    let holder = LibraryHolder.read(layout)
    let who = holder.map { "\($0.name)\($0.missingSocket)" } ?? "another process"
    return LibraryError(.locked, "the library \(layout.root) is in use by \(who)")
  }

  private static func write(
    _ socket: String?, to file: OwnedDescriptor
  ) throws(SystemError) {
    let text = Array(LibraryHolder.text(socket: socket).utf8)
    do throws(SystemError) {
      // The block of the file is written again and not freed before, since a full disk may have no other one.
      try file.write(all: text.span.bytes, at: 0)
      try file.truncate(to: Int64(text.count))
    } catch {
      // On a full disk the library can be used without a note of its user, but other programs do not find this one.
      guard error.isDiskFull else { throw error }
      try? file.truncate(to: 0)
    }
  }
}
