import Models
import SystemCalls
import Testing
import Threading
import Transport

@testable import TransportSocket

/// A connection of HTTP/2 on one end of a socket pair; the test is server, poller and dispatcher.
@Suite("Connection of HTTP/2")
struct HTTP2ConnectionTests {
  @Test("Bytes that have arrived are read before the server is called silent")
  func lateLoop() throws {
    let fixture = try LoopFixture()
    let (socket, server) = try fixture.socket()
    let connection = try HTTP2Connection(
      socket, to: try HTTPURL("http://a.example/").origin, fixture.registry, fixture.reader,
      HTTP2FlushQueue(), limits: HTTP2Limits())
    var limits = TransferLimits()
    limits.idleTimeout = 5
    let sink = RecordingSink()
    let stream = try #require(
      connection.startStream(for: try LoopFixture.transfer(limits: limits, into: sink)))
    let answer =
      HTTP2Frame.settings() + HTTP2Frame.head(stream.number) + HTTP2Frame.data(stream.number, "ab")
    // The session takes no response before its request was sent.
    var ended: [HTTP2Connection.EndedStream] = []
    connection.ready(.output, into: &ended)
    try server.write(all: answer.span.bytes)
    // A process that was stopped sees the deadline and the input at the same time.
    connection.handleDeadline(of: stream, stream.nextDeadline, into: &ended)
    #expect(ended.isEmpty && !connection.isRetired)
    connection.ready(.input, into: &ended)
    #expect(ended.isEmpty && sink.text == "ab")
    connection.handleDeadline(of: stream, stream.nextDeadline, into: &ended)
    guard case .failed(let error)? = ended.first?.outcome else {
      Issue.record("the transfer goes on")
      return
    }
    #expect(error.code == .idleTimeout)
  }
}
