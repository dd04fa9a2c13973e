import Models
import SystemCalls

/// One engine a library. Held until `release` or as long as the value lives; the kernel frees it when
/// the process ends.
final class LibraryLock: Sendable {
  private let descriptor: OwnedDescriptor

  /// - Throws: `EngineError.locked` with the process that holds it.
  init(_ layout: LibraryLayout) throws {
    descriptor = try FileSystem.open(layout.lock, .readingAndWriting, create: .ifMissing)
    guard try descriptor.tryLock() else {
      let holder = (try? FileSystem.contents(of: layout.lock, limit: 4_096)).map {
        String(decoding: $0, as: UTF8.self).prefix { $0 != "\n" }
      }
      let who = holder.flatMap { $0.isEmpty ? nil : "process \($0)" } ?? "another process"
      throw EngineError(.locked, "the library \(layout.root) is in use by \(who)")
    }
    try descriptor.truncate(to: 0)
    let text = Array("\(Machine.processID)\n".utf8)
    try descriptor.write(all: text.span.bytes, at: 0)
  }

  func release() { descriptor.close() }
}
