import Glibc
import SystemCalls

/// A folder for one test, removed with everything in it when the test lets go of it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let parent = Machine.environment("TMPDIR") ?? "/tmp"
    path = "\(parent)/imgdl-rendering-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try FileSystem.makeFolders(path)
  }

  deinit {
    for entry in (try? FileSystem.list(path)) ?? [] {
      try? FileSystem.remove(path + "/" + entry.name)
    }
    try? FileSystem.removeFolder(path)
  }

  /// Writes a file and gives its path.
  func file(_ name: String, _ bytes: [UInt8], mode: UInt32 = 0o644) throws -> String {
    let path = path + "/" + name
    try FileSystem.replace(path, with: bytes.span.bytes, mode: mode, syncing: false)
    return path
  }
}
