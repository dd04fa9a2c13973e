import Glibc
import LibraryAPI
import SystemCalls
import TestSupport
@testable import Control

/// An event stream as a browser would read it.
final class SSEConnection {
  let connection: RawConnection
  private var reader = EventStreamReader()
  private var pending: [EventStreamReader.Event] = []

  /// Returns when the head of the response has come.
  init(_ stage: Stage, _ path: String = "/v1/events", lastEvent: String? = nil) async throws {
    connection = try await RawConnection(stage)
    let fields = lastEvent.map { ["Last-Event-ID: \($0)"] } ?? []
    await connection.send(requestText("GET", path, fields: fields))
    var head: [UInt8] = []
    while let bytes = await connection.some() {
      head += bytes
      let text = String(decoding: head, as: UTF8.self)
      if let end = text.firstRange(of: "\r\n\r\n") {
        pending = try reader.receive(Array(text[end.upperBound...].utf8))
        return
      }
    }
    throw LibraryError(.disconnected, "no event stream")
  }

  func next() async throws -> EventStreamReader.Event {
    while pending.isEmpty {
      guard let bytes = await connection.some() else {
        throw LibraryError(.disconnected, "the event stream ended")
      }
      pending = try reader.receive(bytes)
    }
    return pending.removeFirst()
  }

  /// Returns when there was one.
  func heartbeat() async throws {
    guard let bytes = await connection.some(), bytes.starts(with: ServerSentEvent.heartbeat),
      pending.isEmpty, try reader.receive(bytes).isEmpty
    else { throw LibraryError(.disconnected, "something else than a heartbeat") }
  }

  /// Until the server ends it.
  func rest() async -> [UInt8] { await connection.rest() }
}

extension SocketLoop {
  /// As if every connection broke somewhere on its way.
  func breakConnections() {
    for watch in watches.values { shutdown(watch.socket.raw, Int32(SHUT_RDWR)) }
  }

  /// Returns when so many sockets are left.
  func untilConnections(_ count: Int) async throws {
    while watches.count != count {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}
