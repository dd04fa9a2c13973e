import Glibc
import HTTP1
import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
@testable import Control

/// A connection on which a test says what it likes, byte by byte.
struct RawConnection: Sendable {
  struct Answer: Equatable {
    var status: Int
    var fields: HTTPFields
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    /// Of a problem.
    var code: String? {
      (try? JSONText.decode(ProblemMessage.self, from: body))?.code
    }
  }

  let loop: SocketLoop
  let id: SocketLoop.SocketID

  init(_ loop: SocketLoop, _ id: SocketLoop.SocketID) {
    self.loop = loop
    self.id = id
  }

  init(_ stage: Stage) async throws {
    loop = stage.loop
    guard let id = try await loop.connect(to: stage.address.path) else {
      throw LibraryError(.disconnected, "the queue is full")
    }
    self.id = id
  }

  @discardableResult
  func send(_ text: String) async -> Bool { await send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) async -> Bool { await loop.send(id, bytes) == .complete }

  func close() async { await loop.close(id) }

  /// Sends nothing more, but reads on.
  func finishSending() async {
    if let socket = await loop.watches[id.token]?.socket { shutdown(socket.raw, Int32(SHUT_WR)) }
  }

  /// Returns when the server has closed its side.
  func hangUp() async {
    let gone = Gate()
    await loop.onHangUp(id) { gone.open() }
    try? await gone.pass()
  }

  /// Everything until the server closes; what did not come within the patience of a test is missing.
  func rest() async -> [UInt8] {
    var all: [UInt8] = []
    while case .bytes(let bytes) = await loop.receive(id, until: loop.clock.now() + 120) {
      all += bytes
    }
    return all
  }

  func restText() async -> String { String(decoding: await rest(), as: UTF8.self) }

  /// The bytes that come next; nil at the end.
  func some() async -> [UInt8]? {
    if case .bytes(let bytes) = await loop.receive(id, until: loop.clock.now() + 120) {
      return bytes
    }
    return nil
  }

  /// One response; nil when the connection ends without one.
  func answer(isHead: Bool = false) async -> Answer? {
    var parser = ResponseParser(isResponseToHEAD: isHead)
    var unread: [UInt8] = []
    var answer = Answer(status: 0, fields: HTTPFields(), body: [])
    while true {
      let input = unread
      guard let (consumed, step) = try? parser.parse(input.span.bytes) else { return nil }
      unread = Array(input[consumed...])
      switch step {
      case .head(let head):
        answer.status = head.status
        answer.fields = head.fields
      case .body(let range): answer.body += input[range]
      case .end: return answer
      case .needInput:
        guard let bytes = await some() else {
          return (try? parser.finishInput()) == nil ? nil : answer
        }
        unread += bytes
      }
    }
  }
}

/// A request as a program would write it.
func requestText(
  _ method: String, _ path: String, body: String? = nil, fields: [String] = []
) -> String {
  var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + fields
  if let body {
    if !fields.contains(where: { $0.hasPrefix("Content-Type:") }) {
      lines.append("Content-Type: application/json")
    }
    lines.append("Content-Length: \(body.utf8.count)")
  }
  return lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")
}

extension Stage {
  private static let api = try? APIDescription()

  /// One request on a connection of its own.
  func ask(
    _ method: String, _ path: String, body: String? = nil, fields: [String] = []
  ) async throws -> RawConnection.Answer? {
    let connection = try await RawConnection(self)
    await connection.send(requestText(method, path, body: body, fields: fields))
    let answer = await connection.answer(isHead: method == "HEAD")
    await connection.close()
    // Every response must conform to the description, for any request of a test.
    if let answer, let operation = Self.api?.operation(method, path) {
      let problems =
        Self.api?.problems(
          operation, status: answer.status, type: answer.fields["Content-Type"], body: answer.body)
        ?? []
      #expect(problems == [])
    }
    return answer
  }
}
