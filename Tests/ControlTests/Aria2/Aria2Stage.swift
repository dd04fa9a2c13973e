import Glibc
import LibraryAPI
import SystemCalls
import Testing
import TestSupport
import WebSocket
@testable import Control

/// A server with the aria2 interface, and requests to it over TCP.
final class Aria2Stage: Sendable {
  let library = MemoryLibrary()
  let downloads = FakeDownloads()
  let folder: TemporaryFolder
  let server: ControlServer
  let loop: SocketLoop
  let clock = ManualClock()
  let port: UInt16
  let events = Watched<[Aria2Event]>([])

  var root: String { folder.path + "/library" }
  var sessionPath: String { root + "/.imgdl/aria2.session" }

  static let secret = "s3cret"

  init(
    in folder: TemporaryFolder? = nil, secret: String? = Aria2Stage.secret,
    allowing origins: [String] = [], inputText: String = "", bodyBytes: Int? = nil
  ) async throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let root = folder.path + "/library"
    try FileSystem.makeFolders(root + "/.imgdl")
    var options = ControlServer.Options.still
    if let bodyBytes { options.bodyBytes = bodyBytes }
    port = Self.nextPort()
    let events = events
    server = try await ControlServer(
      try ControlListener(ControlAddress(path: folder.path + "/s/socket")), serving: library,
      libraryRoot: root, web: ControlServer.Web(port: port) { _ in },
      aria2: Aria2Interface(
        secret: secret, allowedOrigins: origins, inputText: inputText, version: "0.1",
        downloads: downloads
      ) { event in events.update { $0.append(event) } },
      options: options, clock: clock)
    loop = try SocketLoop("test", clock: SystemClock())
    await server.startAria2()
  }

  private static let ports = Watched<UInt16>(10_000)

  /// A free port that no other stage of the process uses, because many stages run at the same time.
  private static func nextPort() -> UInt16 {
    while true {
      let port = ports.update { port in
        port += 1
        return port
      }
      if (try? ControlListener.loopback(port)) != nil { return port }
    }
  }

  func end() async {
    await server.stop()
    await loop.shutDown()
  }

  func connect() async throws -> RawConnection {
    let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = OwnedDescriptor(raw)
    guard WebStage.connect(raw, port, false) == 0, fcntl(raw, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemError.last("connect")
    }
    return RawConnection(loop, try await loop.add(descriptor))
  }

  /// Sends one request, and returns the response.
  func ask(
    _ body: String?, method: String = "POST", path: String = "/jsonrpc", fields: [String] = [],
    host: String? = nil
  ) async throws -> RawConnection.Answer? {
    let connection = try await connect()
    await connection.send(
      requestText(method, path, body: body, fields: fields)
        .replacing("Host: localhost", with: "Host: \(host ?? "localhost:\(port)")"))
    let answer = await connection.answer()
    await connection.close()
    return answer
  }

  /// Calls a method with the secret, and returns the body of the response.
  func call(_ method: String, _ parameters: String = "") async throws -> String {
    let rest = parameters.isEmpty ? "" : ",\(parameters)"
    let body = #"{"id":1,"method":"aria2.\#(method)","params":["token:\#(Self.secret)"\#(rest)]}"#
    return try #require(try await ask(body)).text
  }
}

/// Runs a test with a stage that is taken down afterwards.
func withAria2Stage(
  in folder: TemporaryFolder? = nil, secret: String? = Aria2Stage.secret,
  allowing origins: [String] = [], inputText: String = "", bodyBytes: Int? = nil,
  _ body: (Aria2Stage) async throws -> Void
) async throws {
  let stage = try await Aria2Stage(
    in: folder, secret: secret, allowing: origins, inputText: inputText, bodyBytes: bodyBytes)
  do {
    try await body(stage)
  } catch {
    await stage.end()
    throw error
  }
  await stage.end()
}

/// A WebSocket as a client has it.
final class ClientSocket {
  enum Frame: Equatable {
    case text(String)
    case ping
    case pong([UInt8])
    case close(UInt16?)
  }

  let connection: RawConnection
  private var input: [UInt8] = []

  /// Returns when the server has accepted the WebSocket.
  init(_ stage: Aria2Stage, fields: [String] = []) async throws {
    connection = try await stage.connect()
    let text = requestText(
      "GET", "/jsonrpc",
      fields: [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ] + fields)
    await connection.send(
      text.replacing("Host: localhost", with: "Host: localhost:\(stage.port)"))
    while input.count < 4 || !Self.ends(input) {
      guard let bytes = await connection.some() else {
        throw LibraryError(.disconnected, "the handshake ended")
      }
      input += bytes
    }
    let text2 = String(decoding: input, as: UTF8.self)
    let end = try #require(text2.firstRange(of: "\r\n\r\n"))
    #expect(text2.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
    #expect(text2.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
    input = Array(text2[end.upperBound...].utf8)
  }

  private static func ends(_ bytes: [UInt8]) -> Bool {
    String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n")
  }

  /// Sends a frame with a mask.
  func send(_ first: UInt8, _ payload: [UInt8]) async {
    await connection.send(Self.frame(first, payload))
  }

  static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    let length: [UInt8] =
      payload.count < 126
      ? [UInt8(payload.count) | 0x80]
      : [126 | 0x80, UInt8(payload.count >> 8 & 0xff), UInt8(payload.count & 0xff)]
    return [first] + length + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  func send(_ text: String) async { await send(0x81, Array(text.utf8)) }

  /// The next frame; nil at the end of the connection.
  func next() async -> Frame? {
    while true {
      if let frame = take() { return frame }
      guard let bytes = await connection.some() else { return nil }
      input += bytes
    }
  }

  private func take() -> Frame? {
    guard input.count >= 2 else { return nil }
    var (start, count) = (2, Int(input[1]))
    if count == 126 {
      guard input.count >= 4 else { return nil }
      (start, count) = (4, Int(input[2]) << 8 | Int(input[3]))
    }
    guard input.count >= start + count else { return nil }
    let payload = Array(input[start..<start + count])
    let first = input[0]
    input.removeFirst(start + count)
    switch first {
    case 0x81: return .text(String(decoding: payload, as: UTF8.self))
    case 0x89: return .ping
    case 0x8a: return .pong(payload)
    default:
      return .close(payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1]))
    }
  }
}
