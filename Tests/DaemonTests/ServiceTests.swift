import CLinux
import Foundation
import Glibc
import Origin
import SystemCalls
import TestSupport
import Testing
import WorkerProcess

/// imgdld as a service: signals, the log, systemd.
@Suite struct ServiceTests {
  @Test(
    "SIGTERM ends it cleanly; the log has lines of key=value for start and end")
  func terminating() async throws {
    let stage = try DaemonStage()
    try await stage.waits(for: "\"api\"", of: "/v1")
    let (status, log) = stage.terminate()
    #expect(status == .code(0), "\(log)")
    #expect(log.contains("level=info event=listening library="))
    #expect(log.contains("event=stopped"))
    #expect(log.split(separator: "\n").allSatisfy { $0.contains(" level=") })
    #expect(!FileSystem.exists(stage.socket), "no socket is left")
  }

  @Test("names from servers and files are logged without control characters")
  func hostileNames() async throws {
    let stage = try DaemonStage()
    try await stage.waits(for: "\"api\"", of: "/v1")
    let name = "\(stage.folder.path)/a\u{1b}[31m\u{202e}\" event=fake\n.txt"
    try FileSystem.replace(name, with: "\(stage.origin.url)none.png\n")
    try FileSystem.replace(
      stage.folder.path + "/body",
      with: "{\"file\":\"\(stage.folder.path)"
        + #"/a\u001b[31m\u202e\" event=fake\n.txt"}"#)
    let answer = try await stage.shell(
      "curl -s --unix-socket $S http://localhost/v1/sources "
        + "-H 'Content-Type: application/json' --data-binary @body")
    #expect(answer.contains("\"records\":[1]"), "\(answer)")
    try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
    let (_, log) = stage.terminate()
    #expect(log.contains("event=record-added"))
    #expect(!log.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202e}" })
    #expect(log.split(separator: "\n").allSatisfy { $0.contains(" level=") })
  }

  @Test("SIGHUP reloads the settings: the next engine uses them, and events continue")
  func reloading() async throws {
    let stage = try DaemonStage(settings: "{\"network\": {\"maxConcurrentDownloads\": 5}}")
    try await stage.waits(for: "\"concurrency\":5", of: "/v1/settings")
    let config = stage.library + "/.imgdl/config.json"
    try FileSystem.replace(config, with: "{\"network\": {\"maxConcurrentDownloads\": 7}}")
    stage.process.signal(SIGHUP)
    try await stage.waits(for: "\"concurrency\":7", of: "/v1/settings")
    // What cannot be understood is refused, and what was stays.
    try FileSystem.replace(config, with: "{\"network\": {\"maxConcurrentDownloads\": \"many\"}}")
    stage.process.signal(SIGHUP)
    let answer = try await stage.shell("curl -s --unix-socket $S http://localhost/v1/settings")
    #expect(answer.contains("\"concurrency\":7"))
    let (status, log) = stage.terminate()
    #expect(status == .code(0))
    #expect(log.contains("event=settings-changed keys=network.maxConcurrentDownloads"))
    #expect(log.contains("event=settings-refused"))
  }

  @Test(
    "relative paths in settings are resolved, also when the settings are reloaded")
  func relativeFiles() async throws {
    let stage = try DaemonStage(settings: #"{"network": {"cookieFile": "jar.txt"}}"#) { served, _ in
      try FileSystem.replace(
        served + "/../library/.imgdl/jar.txt", with: "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\t1\n")
    }
    let config = stage.library + "/.imgdl/config.json"
    try await stage.waits(for: stage.library + "/.imgdl/jar.txt", of: "/v1/settings")
    try FileSystem.replace(
      config, with: #"{"network": {"cookieFile": "jar.txt", "maxConcurrentDownloads": 7}}"#)
    stage.process.signal(SIGHUP)
    try await stage.waits(for: "\"concurrency\":7", of: "/v1/settings")
    // A file that is not there would have ended the engine.
    try await stage.waits(for: "\"isIdle\":true", of: "/v1/status")
    let (status, log) = stage.terminate()
    #expect(status == .code(0) && !log.contains("event=engine-failed"), "\(log)")
  }

  @Test("it notifies systemd when it is ready, while it is alive, and when it stops")
  func notifying() async throws {
    let folder = try TemporaryFolder()
    let address = folder.path + "/notify"
    let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let receiver = OwnedDescriptor(raw)
    #expect(imgdl_unix_bind(raw, address) == 0)
    let stage = try DaemonStage(
      environment: ["NOTIFY_SOCKET=\(address)", "WATCHDOG_USEC=300000"])
    var words = ""
    while !words.contains("WATCHDOG=1") { words += try Self.message(receiver) + "|" }
    #expect(words.hasPrefix("READY=1\nSTATUS=Works for"))
    let environment = try FileSystem.contents(of: "/proc/\(stage.process.processID)/environ")
    #expect(!environment.isEmpty)
    _ = stage.terminate()
    while !words.contains("STOPPING=1") { words += try Self.message(receiver) + "|" }
  }

  @Test("a restart is a reload for systemd: the process stays, and is ready again")
  func notifyingOfRestart() async throws {
    let folder = try TemporaryFolder()
    let address = folder.path + "/notify"
    let raw = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let receiver = OwnedDescriptor(raw)
    #expect(imgdl_unix_bind(raw, address) == 0)
    let stage = try DaemonStage(
      environment: ["NOTIFY_SOCKET=\(address)", "WATCHDOG_USEC=300000"])
    var words = ""
    while !words.contains("WATCHDOG=1") { words += try Self.message(receiver) + "|" }
    stage.process.signal(SIGUSR1)
    words = ""
    while !words.contains("READY=1") { words += try Self.message(receiver) + "|" }
    #expect(words.contains("RELOADING=1") && !words.contains("STOPPING=1"), "\(words)")
    while !words.hasSuffix("WATCHDOG=1|") { words += try Self.message(receiver) + "|" }
    let (status, log) = stage.terminate()
    #expect(status == .code(0) && log.contains("event=restarting"), "\(log)")
  }

  private static func message(_ socket: OwnedDescriptor) throws -> String {
    var entry = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 600_000) == 1 else { throw SystemError(errno: ETIMEDOUT, call: "hear") }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = try buffer.withUnsafeMutableBytes { try socket.read(into: $0) }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  @Test(
    "it uses a socket that already listens, and does not remove a socket file that it did not create"
  )
  func activation() async throws {
    let folder = try TemporaryFolder()
    let (socketPath, library) = (folder.path + "/run/s.sock", folder.path + "/library")
    #expect(mkdir(folder.path + "/run", 0o700) == 0)
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let listener = OwnedDescriptor(raw)
    #expect(imgdl_unix_bind(raw, socketPath) == 0 && listen(raw, 16) == 0)
    // The shell becomes imgdld: LISTEN_PID is its own number.
    let pipe = try Channels.pipe()
    let process = try ChildProcess(
      ProcessLaunch(
        path: "/bin/sh",
        arguments: [
          "-c", "LISTEN_PID=$$ LISTEN_FDS=1 exec \"$0\" --foreground --library \"$1\"",
          try HelperLocator().path(of: "imgdld"), library,
        ], environment: ["PATH=/usr/bin:/bin", "HOME=\(folder.path)"],
        streams: [.none, .none, .existing(pipe.writing), .existing(listener)]))
    pipe.writing.close()
    let client = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let connection = OwnedDescriptor(client)
    #expect(imgdl_unix_connect(client, socketPath) == 0)
    let request = "GET /v1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    try connection.write(all: Array(request.utf8).span.bytes)
    let answer = String(decoding: try connection.remainingBytes(limit: 65_536), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    #expect(answer.contains("\"library\":\"\(try FileSystem.realPath(library))\""))
    let lock = try FileSystem.contents(of: library + "/.imgdl/lock")
    #expect(String(decoding: lock, as: UTF8.self).split(separator: "\n")[1] == socketPath)
    // The next program of the process takes the same socket, in which a client may have been waiting.
    process.signal(SIGUSR1)
    var next = answer
    while Self.run(next) == Self.run(answer) {
      let connection = OwnedDescriptor(Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
      #expect(imgdl_unix_connect(connection.raw, socketPath) == 0)
      try connection.write(all: Array(request.utf8).span.bytes)
      next = String(decoding: (try? connection.remainingBytes(limit: 65_536)) ?? [], as: UTF8.self)
      if next.isEmpty { next = answer }
    }
    #expect(next.hasPrefix("HTTP/1.1 200 OK"))
    #expect(next.contains("\"processID\":\(process.processID)"))
    process.signal(SIGTERM)
    #expect(process.wait(before: .after(seconds: 600))?.status == .code(0))
    #expect(FileSystem.exists(socketPath))
  }

  /// The text that identifies the run of a server, in its answer.
  private static func run(_ answer: String) -> Substring? {
    answer.range(of: "\"engine\":\"").map { answer[$0.upperBound...].prefix { $0 != "\"" } }
  }

  @Test("a second imgdld for a library names the process of the first: exit 9")
  func second() async throws {
    let stage = try DaemonStage()
    try await stage.waits(for: "\"api\"", of: "/v1")
    let pipe = try Channels.pipe()
    let other = try ChildProcess(
      ProcessLaunch(
        path: try HelperLocator().path(of: "imgdld"),
        arguments: ["--foreground", "--library", stage.library],
        streams: [.none, .none, .existing(pipe.writing)]))
    pipe.writing.close()
    let said = String(decoding: try pipe.reading.remainingBytes(limit: 65_536), as: UTF8.self)
    #expect(other.wait(before: .after(seconds: 600))?.status == .code(9))
    #expect(said.contains("process \(stage.process.processID)"), "\(said)")
    _ = stage.terminate()
  }

  @Test(
    "the unit files are valid",
    .enabled(if: FileSystem.isExecutable("/usr/bin/systemd-analyze"), "systemd is not installed"))
  func units() async throws {
    let folder = try TemporaryFolder()
    let units = APIDescription.folder + "/../Apps/imgdld/Units"
    let bin = FileSystem.parentFolder(of: try HelperLocator().path(of: "imgdld"))
    for name in ["imgdl.service", "imgdl.socket"] {
      let text = String(decoding: try FileSystem.contents(of: "\(units)/\(name)"), as: UTF8.self)
      try FileSystem.replace(
        "\(folder.path)/\(name)", with: text.replacing("@bindir@", with: bin))
    }
    let pipe = try Channels.pipe()
    let process = try ChildProcess(
      ProcessLaunch(
        path: "/usr/bin/systemd-analyze",
        arguments: [
          "--user", "verify", "--man=no", folder.path + "/imgdl.service",
          folder.path + "/imgdl.socket",
        ],
        environment: [
          "PATH=/usr/bin:/bin", "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)",
        ],
        streams: [.none, .existing(pipe.writing), .existing(pipe.writing)]))
    pipe.writing.close()
    let said = String(decoding: try pipe.reading.remainingBytes(limit: 1 << 20), as: UTF8.self)
    #expect(process.wait(before: .after(seconds: 600))?.status == .code(0), "\(said)")
    #expect(!said.contains("imgdl."), "\(said)")
  }
}
