import Models
import SystemCalls
import Testing
import Threading
import Transport

@testable import TransportSocket

/// A connection of HTTP/1.1 on one end of a socket pair; the test is server, poller and dispatcher.
@Suite("Connection of HTTP/1.1")
struct HTTP1ConnectionTests {
  private let fixture: LoopFixture
  private let connection: HTTP1Connection
  private let server: OwnedDescriptor
  private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n"

  init() throws {
    fixture = try LoopFixture()
    let (socket, peer) = try fixture.socket()
    server = peer
    connection = HTTP1Connection(
      socket, to: try HTTPURL("http://a.example/").origin, fixture.registry, fixture.reader,
      limits: SocketOptions().headLimits)
  }

  /// Begins a transfer, and reads its request as the server.
  private func begin(_ transfer: Transfer) throws {
    #expect(connection.startExchange(for: transfer).isNone)
    #expect(try server.receive() == "GET\r\n")
  }

  @Test("Serves one transfer after the other")
  func reuse() throws {
    for number in 1...2 {
      let sink = RecordingSink()
      try begin(try LoopFixture.transfer(into: sink))
      #expect(!connection.isIdle)
      try server.send(Self.answer + "ab")
      #expect(connection.ready(.input).isNone)
      try server.send("cd")
      guard case .finished(_, let outcome, let head, isReusable: true) = connection.ready(.input)
      else {
        Issue.record("the answer does not end the exchange")
        return
      }
      #expect(outcome == .body(.complete(byteCount: 4, isLengthKnown: true)))
      #expect(head.status == 200)
      #expect(sink.text == "abcd")
      connection.becomeIdle(until: Moment.never)
      #expect(connection.isIdle)
      #expect(connection.served == number)
    }
  }

  @Test("Input behind the answer makes the connection useless")
  func surplus() throws {
    try begin(try LoopFixture.transfer())
    try server.send(Self.answer + "abcdHTTP/1.1 200 OK\r\n")
    guard case .finished(_, _, _, isReusable: false) = connection.ready(.input) else {
      Issue.record("the connection would be used again")
      return
    }
  }

  @Test("A reused connection that ends before its response requests another one")
  func retry() throws {
    try begin(try LoopFixture.transfer())
    try server.send(Self.answer + "abcd")
    _ = connection.ready(.input)
    connection.becomeIdle(until: Moment.never)
    let transfer = try LoopFixture.transfer()
    try begin(transfer)
    server.close()
    guard case .retry(let again) = connection.ready([.input, .hungUp]) else {
      Issue.record("the transfer is not tried again")
      return
    }
    #expect(again === transfer)
  }

  @Test("An idle connection that receives bytes is not reused")
  func unasked() throws {
    try begin(try LoopFixture.transfer())
    try server.send(Self.answer + "abcd")
    _ = connection.ready(.input)
    connection.becomeIdle(until: Moment.never)
    try server.send("HTTP/1.1 408 Request Timeout\r\n\r\n")
    guard case .idleEnded = connection.ready(.input) else {
      Issue.record("the connection would be used again")
      return
    }
  }

  @Test("Bytes that a failing sink did not accept are not counted as delivered")
  func failingSink() throws {
    let sink = RecordingSink { count throws(SinkError) in
      if count > 2 { throw SinkError("full") }
    }
    try begin(try LoopFixture.transfer(into: sink))
    try server.send(Self.answer + "ab")
    #expect(connection.ready(.input).isNone)
    try server.send("cd")
    guard case .failed(_, let error) = connection.ready(.input) else {
      Issue.record("the transfer goes on")
      return
    }
    #expect(error.code == .sink)
    #expect(error.bytesDelivered == 2)
  }

  @Test("A silent server fails the transfer when its time is over, and not before")
  func silence() throws {
    var limits = TransferLimits()
    limits.idleTimeout = 5
    try begin(try LoopFixture.transfer(limits: limits))
    let deadline = connection.nextDeadline
    #expect(connection.handleDeadline(deadline - 1).isNone)
    guard case .failed(_, let error) = connection.handleDeadline(deadline) else {
      Issue.record("the transfer goes on")
      return
    }
    #expect(error.code == .idleTimeout)
  }

  @Test("Bytes that have arrived are read before the server is called silent")
  func lateLoop() throws {
    var limits = TransferLimits()
    limits.idleTimeout = 5
    let sink = RecordingSink()
    try begin(try LoopFixture.transfer(limits: limits, into: sink))
    try server.send(Self.answer + "ab")
    // A process that was stopped sees the deadline and the input at the same time.
    #expect(connection.handleDeadline(connection.nextDeadline).isNone)
    #expect(connection.ready(.input).isNone)
    #expect(sink.text == "ab")
    guard case .failed(_, let error) = connection.handleDeadline(connection.nextDeadline) else {
      Issue.record("the transfer goes on")
      return
    }
    #expect(error.code == .idleTimeout)
  }
}

extension Optional where Wrapped == HTTP1Connection.Event {
  /// Events hold classes, which nothing compares.
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
