import Foundation
import Glibc
import LibraryAPI
import SystemCalls
import Testing
import TestSupport
@testable import Control

@Suite("Peers")
struct PeerTests {
  @Test("are known by their user and process")
  func credentials() throws {
    let (a, b) = try Channels.socketPair()
    let peer = try #require(PeerCredentials(a))
    #expect(peer == PeerCredentials(user: getuid(), processID: getpid()))
    #expect(PeerCredentials(b) == peer)
    let (reading, _) = try Channels.pipe()
    #expect(PeerCredentials(reading) == nil)
  }

  @Test("of another user are refused, the superuser too")
  func users() {
    for own in [0, 1_000, 65_534, UInt32.max] {
      for other in [0, 1, 999, 1_000, 65_534, UInt32.max] {
        let peer = PeerCredentials(user: other, processID: 1)
        #expect(peer.isSame(as: own) == (other == own))
      }
    }
  }

  @Test("that are not admitted are told so, and nothing else")
  func refused() async throws {
    try await withStage { (stage) async throws in
      let address = ControlAddress(path: stage.folder.path + "/s/other")
      let listener = try ControlListener(address)
      let closed = ControlListener(listener.socket) { _ in false }
      let server = try await ControlServer(
        closed, serving: stage.library, libraryRoot: stage.root)
      let id = try #require(try await stage.loop.connect(to: address.path))
      _ = await stage.loop.send(id, Array(requestText("POST", "/v1/pause").utf8))
      var answer: [UInt8] = []
      while case .bytes(let bytes) = await stage.loop.receive(id) { answer += bytes }
      let text = String(decoding: answer, as: UTF8.self)
      #expect(text.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
      #expect(text.contains("\"code\":\"forbidden\""))
      #expect(await !stage.library.state.isPaused)
      await server.stop()
      listener.removeFile()
    }
  }

  static let canBecomeAnother =
    getuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 && access("/usr/bin/curl", X_OK) == 0

  @Test(
    "of another user are refused though folder and socket are open to them",
    .enabled(if: canBecomeAnother, "needs the superuser, setpriv and curl"))
  func anotherUser() async throws {
    try await withStage { (stage) async throws in
      #expect(chmod(stage.folder.path, 0o755) == 0)
      #expect(chmod(stage.address.folder, 0o755) == 0)
      #expect(chmod(stage.address.path, 0o666) == 0)
      let own = try await Self.run("/usr/bin/curl", Self.request(stage.address.path))
      #expect(own == "200")
      let other = try await Self.run(
        "/usr/bin/setpriv",
        ["--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/curl"]
          + Self.request(stage.address.path))
      // Nothing, where the refusal closed the socket before the request was sent.
      #expect(["403", "000"].contains(other))
      #expect(await !stage.library.state.isPaused)
    }
  }

  /// The status that another process of the same user gets.
  static func curl(_ stage: Stage) async throws -> String {
    try await run("/usr/bin/curl", request(stage.address.path))
  }

  private static func request(_ socket: String) -> [String] {
    [
      "--silent", "--output", "/dev/null", "--write-out", "%{http_code}", "--max-time", "20",
      "--unix-socket", socket, "http://localhost/v1",
    ]
  }

  /// - Returns: what the program printed.
  private static func run(_ program: String, _ arguments: [String]) async throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    await withCheckedContinuation { continuation in
      process.terminationHandler = { _ in continuation.resume() }
      do { try process.run() } catch { continuation.resume() }
    }
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }
}
