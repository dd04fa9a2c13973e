import Glibc
public import LibraryAPI
import Models
import SystemCalls

/// The lock that limits a library to one engine. Held until `release` or the end of the value's lifetime;
/// the kernel releases it when the process ends.
final class LibraryLock: Sendable {
  private let descriptor: OwnedDescriptor

  /// - Parameter socket: The path at which clients reach the holder.
  /// - Throws: `LibraryError.locked`, naming the process that holds the lock.
  init(_ layout: LibraryLayout, socket: String?) throws {
    descriptor = try layout.folder.open(
      layout.lock, .readingAndWriting, create: .ifMissing, mode: LibraryLayout.privateFile)
    guard try Self.acquire(descriptor, layout) else {
      let who = (LibraryHolder.read(layout)?.process).map { "process \($0)" } ?? "another process"
      throw LibraryError(.locked, "the library \(layout.root) is in use by \(who)")
    }
    let text = Array(("\(Machine.processID)\n" + (socket.map { $0 + "\n" } ?? "")).utf8)
    do throws(SystemError) {
      // The block of the file is written again and not freed before, since a full disk may have no other one.
      try descriptor.write(all: text.span.bytes, at: 0)
      try descriptor.truncate(to: Int64(text.count))
    } catch {
      // On a full disk the library can be used without a note of its user, but other programs do not find this one.
      guard error.isDiskFull else { throw error }
      try? descriptor.truncate(to: 0)
    }
  }

  /// Tries to lock the file. A child process also holds the lock between fork and exec, so the call waits
  /// for at most 0.2 seconds if the lock file names this process.
  private static func acquire(
    _ descriptor: OwnedDescriptor, _ layout: LibraryLayout
  ) throws(SystemError) -> Bool {
    for _ in 0..<50 {
      if try descriptor.tryLock() { return true }
      guard LibraryHolder.read(layout)?.process == Machine.processID else { return false }
      usleep(4_000)
    }
    return false
  }

  func release() { descriptor.close() }
}

/// The process that last wrote the lock file; it is the holder while the lock is held.
public struct LibraryHolder: Sendable, Equatable {
  public let process: Int32
  /// The path at which clients reach the process; nil if it serves none.
  public let socket: String?

  /// Returns the process that holds the library's lock; nil if no process of this machine holds it.
  public static func current(_ layout: LibraryLayout) -> LibraryHolder? {
    // The lock is tested only if the process exists, because the test takes the lock for an instant if it is free.
    guard let holder = read(layout), Machine.exists(processID: holder.process),
      let file = try? layout.folder.open(layout.lock), (try? file.isLocked()) == true
    else { return nil }
    return holder
  }

  /// Reads the lock file; nil if there is none or it is being written.
  public static func read(_ layout: LibraryLayout) -> LibraryHolder? {
    guard let bytes = try? layout.folder.contents(of: layout.lock, limit: 4_096) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let process = lines.first.flatMap({ Int32($0) }) else { return nil }
    return LibraryHolder(process: process, socket: lines.dropFirst().first.map { String($0) })
  }
}
