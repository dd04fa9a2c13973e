import HTTP1
import Models
import Testing
import Transport

@testable import TransportSocket

@Suite("Exchange")
struct ExchangeTests {
  /// Runs the bytes of a response through an exchange as a performer would, in pieces, and gives
  /// the body and the action that ended it, if one did.
  private func run(
    _ response: String, pieces: Int = .max, isReused: Bool = false, limit: Int64 = .max,
    decision: BodyDecision = .accept
  ) -> (exchange: Exchange, body: String, end: Exchange.Action?) {
    var exchange = Exchange(isReused: isReused, maximumBodyBytes: limit, limits: HeadLimits())
    var body: [UInt8] = []
    var unread: [UInt8] = []
    let input = Array(response.utf8)
    var position = 0
    while position < input.count {
      let next = min(input.count, pieces == .max ? input.count : position + pieces)
      unread += input[position..<next]
      position = next
      if let end = take(&exchange, &unread, &body, decision) {
        return (exchange, String(decoding: body, as: UTF8.self), end)
      }
    }
    return (exchange, String(decoding: body, as: UTF8.self), nil)
  }

  private func take(
    _ exchange: inout Exchange, _ unread: inout [UInt8], _ body: inout [UInt8],
    _ decision: BodyDecision
  ) -> Exchange.Action? {
    while true {
      var (consumed, action) = exchange.read(unread.span.bytes)
      if case .deliver(let range) = action { body += unread[range] }
      unread.removeFirst(consumed)
      if action == .begin { action = exchange.handle(.sinkDecided(decision)) }
      switch action {
      case .proceed, .deliver, .begin: continue
      case .wait: return nil
      case .finish, .fail, .retry: return action
      }
    }
  }

  private static let complete =
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"

  @Test("A response is the same for any division of its bytes", arguments: 1...complete.utf8.count)
  func cuts(pieces: Int) {
    let (_, body, end) = run(Self.complete, pieces: pieces)
    #expect(body == "abc")
    #expect(
      end
        == .finish(
          .body(.complete(byteCount: 3, isLengthKnown: true)), keepsConnection: true))
  }

  @Test(
    "A response that ends at any byte before its last is not complete",
    arguments: 0..<complete.utf8.count)
  func truncation(length: Int) {
    var (exchange, _, end) = run(String(decoding: Self.complete.utf8.prefix(length), as: UTF8.self))
    #expect(end == nil)
    guard case .fail(let code, _) = exchange.handle(.inputEnded(isClean: true)) else {
      Issue.record("complete after \(length) bytes")
      return
    }
    let headLength = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8.count
    #expect(code == (length < headLength ? .connectionLost : .truncated))
  }

  @Test("Only a reused connection that died without a response is tried again")
  func retry() {
    for event in [
      Exchange.Event.inputEnded(isClean: true), .inputEnded(isClean: false), .broken("x"),
    ] {
      var (reused, _, _) = run("", isReused: true)
      #expect(reused.handle(event) == .retry)
      var (fresh, _, _) = run("")
      guard case .fail(.connectionLost, _) = fresh.handle(event) else {
        Issue.record("a new connection was tried again")
        return
      }
      var (begun, _, _) = run("H", isReused: true)
      guard case .fail(.connectionLost, _) = begun.handle(event) else {
        Issue.record("an answer that had begun was tried again")
        return
      }
    }
  }

  @Test("A misdirected request is sent again from a reused connection, and answered on a new one")
  func misdirection() {
    let response = "HTTP/1.1 421 Misdirected Request\r\nContent-Length: 2\r\n\r\nno"
    #expect(run(response, isReused: true).end == .retry)
    let fresh = run(response)
    #expect(fresh.exchange.head?.status == 421)
    #expect(
      fresh.end
        == .finish(.body(.complete(byteCount: 2, isLengthKnown: true)), keepsConnection: true))
  }

  @Test("A refused body is drained if it is short and has an end")
  func refusal() {
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"
    let (_, body, end) = run(short, decision: .refuse)
    #expect(body.isEmpty)
    #expect(end == .finish(.body(.refused), keepsConnection: true))
    let long = "HTTP/1.1 200 OK\r\nContent-Length: 65537\r\n\r\nabc"
    #expect(run(long, decision: .refuse).end == .finish(.body(.refused), keepsConnection: false))
    let open = "HTTP/1.1 200 OK\r\n\r\nabc"
    #expect(run(open, decision: .refuse).end == .finish(.body(.refused), keepsConnection: false))
  }

  @Test("The result does not depend on the drain")
  func drain() {
    let begun = "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 3\r\n\r\na"
    for event in [Exchange.Event.broken("x"), .inputEnded(isClean: true), .drainedTooLong] {
      var (exchange, _, end) = run(begun)
      #expect(end == nil)
      #expect(exchange.isDraining)
      #expect(exchange.handle(event) == .finish(.redirect, keepsConnection: false))
    }
    let chunks = String(
      repeating: "1000\r\n" + String(repeating: "x", count: 4_096) + "\r\n", count: 17)
    let (_, _, end) = run(
      "HTTP/1.1 302 Found\r\nLocation: /\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
    #expect(end == .finish(.redirect, keepsConnection: false))
  }

  @Test("A length above the limit fails before a byte of the body, a hidden one at the limit")
  func limit() {
    let declared = run("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd", limit: 3)
    guard case .fail(.limitExceeded, let reason) = declared.end,
      reason.contains("limits.resourceBytes")
    else {
      Issue.record("not refused")
      return
    }
    #expect(declared.body.isEmpty)
    let hidden = run(Self.complete, pieces: 1, limit: 2)
    guard case .fail(.limitExceeded, _) = hidden.end else {
      Issue.record("not refused")
      return
    }
    #expect(hidden.body == "ab")
    #expect(hidden.exchange.bytesDelivered == 2)
  }

  @Test("An end without TLS close_notify completes no response that lacks an end of its own")
  func uncleanEnd() {
    var (open, _, _) = run("HTTP/1.1 200 OK\r\n\r\nabc")
    guard case .fail(.truncated, _) = open.handle(.inputEnded(isClean: false)) else {
      Issue.record("complete")
      return
    }
    var (clean, _, _) = run("HTTP/1.1 200 OK\r\n\r\nabc")
    #expect(
      clean.handle(.inputEnded(isClean: true))
        == .finish(
          .body(.complete(byteCount: 3, isLengthKnown: false)), keepsConnection: false))
  }
}
