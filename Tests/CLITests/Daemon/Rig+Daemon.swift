import CLinux
import Foundation
import Glibc
import SystemCalls
import Testing

/// A line of `daemon status --json`.
struct DaemonStatus: Decodable {
  let isRunning: Bool
  let program: String?
  let processID: Int32?
  let socket: String?
  let active: Int?
  let concurrency: Int?
}

extension Rig {
  /// Runs a test that may start imgdld; none is left afterwards.
  static func runWithDaemon(_ body: (Rig) async throws -> Void) async throws {
    try await run { rig in
      do {
        try await body(rig)
        rig.killDaemon()
      } catch {
        rig.killDaemon()
        throw error
      }
    }
  }

  func daemonStatus() async throws -> DaemonStatus {
    let ending = try await imgdl("daemon", "status", "--json")
    return try JSONDecoder().decode(DaemonStatus.self, from: Data(ending.output.utf8))
  }

  /// The process that wrote the library's lock last.
  var lockHolder: pid_t? {
    (try? FileSystem.contents(of: library + "/.imgdl/lock")).flatMap { bytes in
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").first.flatMap { Int32($0) }
    }
  }

  /// Returns when the process has ended, or after ten minutes.
  static func ends(_ process: pid_t) -> Bool {
    // Readable when the process has ended.
    let descriptor = OwnedDescriptor(imgdl_pidfd_open(process))
    guard descriptor.raw >= 0 else { return true }
    var entry = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 600_000) == 1
  }

  /// Ends it at once, if it is an imgdld of this test. Returns when it is gone.
  func killDaemon() {
    guard let process = lockHolder, isDaemonOfOurs(process) else { return }
    kill(process, SIGKILL)
    _ = Self.ends(process)
  }

  /// Whether it is there and no zombie.
  func isDaemonOfOurs(_ process: pid_t) -> Bool {
    guard let bytes = try? FileSystem.contents(of: "/proc/\(process)/environ"),
      String(decoding: bytes, as: UTF8.self).contains("IMGDL_LIBRARY=\(library)\0")
    else { return false }
    let words = (try? FileSystem.contents(of: "/proc/\(process)/cmdline")) ?? []
    return String(decoding: words, as: UTF8.self).contains("imgdld\0")
  }

  /// Returns when everything in the library is done, by imgdld.
  func untilDone() async throws -> RunningProgram.Ending { try await imgdl("watch") }
}
