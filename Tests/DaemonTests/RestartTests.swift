import Foundation
import Glibc
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// imgdld whose program is replaced while it runs.
@Suite struct RestartTests {
  /// The path of the program, which has none for a moment while another thread than the first one replaces it.
  private func executable(_ stage: DaemonStage) -> String? {
    try? FileSystem.linkTarget("/proc/\(stage.process.processID)/exe")
  }

  @Test("an idle imgdld gives its place to the program that has replaced its own")
  func idle() async throws {
    let stage = try DaemonStage(isInstalled: true)
    try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
    try stage.replaceProgram()
    #expect(executable(stage) == stage.program + " (deleted)")
    let deadline = Deadline.after(seconds: 60)
    while executable(stage) != stage.program {
      try #require(!deadline.hasPassed)
      try await stage.waits(for: "\"api\"", of: "/v1")
    }
    try await stage.waits(for: "\"processID\":\(stage.process.processID)", of: "/v1")
    let (status, log) = stage.terminate()
    #expect(status == .code(0), "\(log)")
    #expect(log.contains("event=restarting program=\(stage.program)"))
  }

  @Test("a busy imgdld goes on; on request it restarts, and its downloads continue")
  func busy() async throws {
    // Three seconds at this rate, of which the second half comes after the restart.
    let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    let stage = try DaemonStage(
      settings: #"{"network": {"limitRate": 200000}}"#, isInstalled: true
    ) { served, url in
      try FileSystem.replace(served + "/a.bin", with: bytes.span.bytes)
      try FileSystem.replace(served + "/../list.txt", with: url + "a.bin\n")
    }
    try await stage.waits(for: "\"api\"", of: "/v1")
    try FileSystem.replace(
      stage.folder.path + "/body", with: #"{"file":"\#(stage.folder.path)/list.txt"}"#)
    _ = try await stage.shell(
      "curl -s --unix-socket $S http://localhost/v1/sources "
        + "-H 'Content-Type: application/json' --data-binary @body")
    try await stage.waits(for: "\"active\":1", of: "/v1/status")
    try stage.replaceProgram()
    #expect(executable(stage) == stage.program + " (deleted)")
    stage.process.signal(SIGUSR1)
    let deadline = Deadline.after(seconds: 60)
    while executable(stage) != stage.program {
      try #require(!deadline.hasPassed)
      _ = try await stage.shell("true")
    }
    try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
    let files = try await stage.shell("cat library/*/0001-a.bin")
    #expect(files.utf8.count > 0)
    #expect(try await stage.shell("cmp served/a.bin library/*/0001-a.bin && echo same") == "same\n")
    let (status, log) = stage.terminate()
    #expect(status == .code(0))
    #expect(log.split(separator: "\n").count { $0.contains("event=engine-began") } == 2, "\(log)")
  }

  @Test("a program that does not start is refused, and imgdld goes on")
  func broken() async throws {
    let stage = try DaemonStage(isInstalled: true)
    try await stage.waits(for: "\"api\"", of: "/v1")
    try FileSystem.replace(stage.program, with: "#!/bin/sh\nexit 1\n", mode: 0o755)
    stage.process.signal(SIGUSR1)
    // The signal is handled before this one, which asks for what can be seen.
    stage.process.signal(SIGHUP)
    try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
    let (status, log) = stage.terminate()
    #expect(status == .code(0) && log.contains("event=restart-refused"), "\(log)")
    #expect(!log.contains("event=restarting"))
  }

  @Test("SIGTERM ends it also while it restarts")
  func ended() async throws {
    let stage = try DaemonStage()
    try await stage.waits(for: "\"api\"", of: "/v1")
    stage.process.signal(SIGUSR1)
    let (status, _) = stage.terminate()
    #expect(status == .code(0) || status == .signal(SIGTERM))
  }
}
