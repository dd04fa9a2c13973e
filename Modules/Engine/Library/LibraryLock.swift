import Glibc
public import LibraryAPI
import Models
import SystemCalls

/// One engine a library. Held until `release` or as long as the value lives; the kernel frees it when
/// the process ends.
final class LibraryLock: Sendable {
  private let descriptor: OwnedDescriptor

  /// - Parameter socket: where the holder can be talked to.
  /// - Throws: `LibraryError.locked` with the process that holds it.
  init(_ layout: LibraryLayout, socket: String?) throws {
    descriptor = try layout.folder.open(
      layout.lock, .readingAndWriting, create: .ifMissing, mode: LibraryLayout.privateFile)
    guard try Self.take(descriptor, layout) else {
      let who = (LibraryHolder.read(layout)?.process).map { "process \($0)" } ?? "another process"
      throw LibraryError(.locked, "the library \(layout.root) is in use by \(who)")
    }
    try descriptor.truncate(to: 0)
    let text = "\(Machine.processID)\n" + (socket.map { $0 + "\n" } ?? "")
    try descriptor.write(all: Array(text.utf8).span.bytes, at: 0)
  }

  /// A program that this process is just starting holds the lock, too, until it becomes that
  /// program: a fork comes before its exec. Blocks for a moment then.
  private static func take(
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

/// Who wrote the lock of a library: the holder if the lock is held, else the last one.
public struct LibraryHolder: Sendable, Equatable {
  public let process: Int32
  /// Where it can be talked to.
  public let socket: String?

  /// nil if there is none, or while it is being written.
  public static func read(_ layout: LibraryLayout) -> LibraryHolder? {
    guard let bytes = try? layout.folder.contents(of: layout.lock, limit: 4_096) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    guard let process = lines.first.flatMap({ Int32($0) }) else { return nil }
    return LibraryHolder(process: process, socket: lines.dropFirst().first.map { String($0) })
  }
}
