import Models
import TestSupport
import Testing
import Transport

@testable import TransportSocket

/// The messages to and from a SOCKS proxy, without sockets.
@Suite("SOCKS messages")
struct SOCKSTunnelTests {
  private func tunnel(
    _ proxy: String = "socks5://proxy.example:1080", to url: String = "http://a.example/"
  ) throws -> SOCKSTunnel {
    try SOCKSTunnel(try ProxyServer(proxy), to: try HTTPURL(url).origin)
  }

  /// The result of answers that arrive in pieces of at most `size` bytes, and the bytes that were sent.
  private func run(
    _ tunnel: SOCKSTunnel, _ answers: [UInt8]..., size: Int = .max
  ) -> (action: TunnelAction, sent: [[UInt8]]) {
    var tunnel = tunnel
    var sent = [tunnel.request]
    for answer in answers {
      var (start, unread) = (0, [UInt8]())
      var action = TunnelAction.wait
      while start < answer.count {
        let end = start + min(size, answer.count - start)
        unread += answer[start..<end]
        start = end
        let result = tunnel.read(unread.span.bytes)
        unread.removeFirst(result.consumed)
        action = result.action
        if action != .wait { break }
      }
      guard action == .send else { return (action, sent) }
      sent.append(tunnel.request)
    }
    return (.send, sent)
  }

  private static let v4: [UInt8] = [5, 0, 0, 1, 1, 2, 3, 4, 0, 80]
  private static let v6: [UInt8] = [5, 0, 0, 4] + [UInt8](repeating: 7, count: 16) + [0, 80]
  private static let name: [UInt8] = [5, 0, 0, 3, 2, 0x61, 0x62, 0, 80]
  private static let emptyName: [UInt8] = [5, 0, 0, 3, 0, 0, 80]
  private static let longName: [UInt8] = [5, 0, 0, 3, 255] + [UInt8](repeating: 7, count: 257)

  @Test("A connection is opened with and without credentials, for answers in pieces of any size")
  func opening() throws {
    for reply in [Self.v4, Self.v6, Self.name, Self.emptyName, Self.longName] {
      for size in [1, 2, 3, .max] {
        let plain = run(try tunnel(), [5, 0], reply, size: size)
        #expect(plain.action == .open)
        #expect(
          plain.sent == [
            [5, 1, 0], [5, 1, 0, 3, 9] + Array("a.example".utf8) + [0, 80],
          ])
        let named = try tunnel("socks5://me:p%C3%A9@proxy.example")
        let known = run(named, [5, 2], [1, 0], reply, size: size)
        #expect(known.action == .open)
        #expect(known.sent[0] == [5, 2, 0, 2])
        #expect(known.sent[1] == [1, 2, 0x6d, 0x65, 3, 0x70, 0xc3, 0xa9])
        #expect(known.sent[2] == plain.sent[1])
        // A proxy that wants no credentials gets none.
        #expect(run(named, [5, 0], reply, size: size).sent.count == 2)
      }
    }
  }

  @Test(
    "A host is sent as the user named it: by its name, or by an address",
    arguments: [
      ("http://Example.ORG./", [3, 12] + Array("example.org.".utf8) + [0, 80]),
      (
        "https://xn--bcher-kva.example:8443/",
        [3, 21] + Array("xn--bcher-kva.example".utf8) + [0x20, 0xfb]
      ),
      ("http://192.0.2.7:65535/", [1, 192, 0, 2, 7, 0xff, 0xff]),
      (
        "https://[2001:db8::1]/",
        [4, 0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0xbb]
      ),
      ("http://127.1/", [3, 5] + Array("127.1".utf8) + [0, 80]),
    ] as [(String, [UInt8])])
  func addresses(url: String, address: [UInt8]) throws {
    #expect(run(try tunnel(to: url), [5, 0]).sent.last == [5, 1, 0] + address)
  }

  @Test("A name has at most 255 bytes")
  func longNames() throws {
    let label = String(repeating: "x", count: 63) + "."
    let longest = String(String(repeating: label, count: 4).dropLast())
    #expect(run(try tunnel(to: "http://\(longest)/"), [5, 0]).sent.last?.count == 262)
    #expect(throws: SOCKSTunnel.NameTooLong.self) { try tunnel(to: "http://\(longest)x/") }
  }

  @Test("The refusal of a proxy is reported with its reply, and whether a retry may help")
  func refusals() throws {
    for (reply, code, words) in [
      (1, .connectionLost, "general failure"), (2, .proxy, "not allowed by its rules"),
      (3, .connectionLost, "network unreachable"), (4, .connectionLost, "host unreachable"),
      (5, .connectionRefused, "connection refused"), (6, .connectionLost, "TTL expired"),
      (7, .proxy, "command not supported"), (8, .proxy, "address type not supported"),
      (9, .proxy, "unknown reason"), (255, .proxy, "unknown reason"),
    ] as [(UInt8, TransportError.Code, String)] {
      let sentence =
        "the SOCKS proxy proxy.example:1080 does not connect to a.example:80: \(words)"
        + " (SOCKS reply \(reply))"
      // The proxy may leave out the rest of its answer.
      for rest in [[], [0, 1, 0, 0, 0, 0, 0, 0], [9, 9, 9]] as [[UInt8]] {
        for size in [1, .max] {
          #expect(
            run(try tunnel(), [5, 0], [5, reply] + rest, size: size).action == .fail(code, sentence)
          )
        }
      }
    }
  }

  @Test("An answer that is not SOCKS5 is an error that names the proxy, and no credentials")
  func violations() throws {
    let named = try tunnel("socks5://me:secret@proxy.example")
    for (tunnel, answers, words) in [
      (try tunnel(), [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)], "is not a SOCKS5 proxy"),
      (try tunnel(), [[4, 0]], "is not a SOCKS5 proxy"),
      (try tunnel(), [[0]], "is not a SOCKS5 proxy"),
      (try tunnel(), [[5, 1]], "method 1, which was not offered"),
      (named, [[5, 3]], "method 3, which was not offered"),
      (try tunnel(), [[5, 0, 0]], "unexpected data"), (named, [[5, 2], [5, 0]], "violates"),
      (named, [[5, 2], [1, 0, 5]], "unexpected data"),
      (try tunnel(), [[5, 0], [4, 0]], "violates"),
      (try tunnel(), [[5, 0], [5, 0, 0, 2, 0, 0]], "unknown type 2"),
      (try tunnel(), [[5, 0], Self.v4 + [0]], "unexpected data"),
      (try tunnel(), [[5, 0], Self.longName + Self.longName], "unexpected data"),
    ] as [(SOCKSTunnel, [[UInt8]], String)] {
      let action =
        answers.count == 1
        ? run(tunnel, answers[0]).action : run(tunnel, answers[0], answers[1]).action
      guard case .fail(.protocolViolation, let detail) = action else {
        Issue.record("\(answers): \(action)")
        continue
      }
      #expect(
        detail.contains("the SOCKS proxy proxy.example:1080") && detail.contains(words), "\(detail)"
      )
      #expect(!detail.contains("secret"))
    }
  }

  @Test("A proxy that selects user name and password without an offer requires them")
  func unaskedCredentials() throws {
    #expect(
      run(try tunnel(), [5, 2]).action
        == .fail(
          .proxy, "the SOCKS proxy proxy.example:1080 requires a user name and a password"))
  }

  @Test("The error of a proxy that does not accept the user names the proxy")
  func credentials() throws {
    let named = try tunnel("socks5://me:secret@proxy.example")
    for (action, words) in [
      (run(try tunnel(), [5, 255]).action, "requires a user name and a password"),
      (run(named, [5, 255]).action, "accepts no user name and password"),
      (run(named, [5, 2], [1, 1]).action, "does not accept the user and the password"),
      (run(named, [5, 2], [1, 255]).action, "does not accept the user and the password"),
    ] {
      guard case .fail(.proxy, let detail) = action else {
        Issue.record("\(action)")
        continue
      }
      #expect(detail.contains("the SOCKS proxy proxy.example:1080 \(words)"), "\(detail)")
      #expect(!detail.contains("secret"))
    }
    #expect(
      named.connectionEnded("reset")
        == .fail(
          .connectionLost,
          "the SOCKS proxy proxy.example:1080 closed the connection to a.example:80: reset"))
  }

  @Test("Any bytes, in any pieces, end with an action")
  func randomAnswers() throws {
    var generator = SeededGenerator(seed: 9)
    let named = try tunnel("socks5://me:secret@proxy.example")
    for _ in 0..<20_000 {
      var answers = [[5, 2], [1, 0], Self.v4] as [[UInt8]]
      let changed = Int.random(in: 0..<3, using: &generator)
      answers[changed] = generator.bytes(Int.random(in: 1...12, using: &generator))
      if Bool.random(using: &generator) { answers[changed][0] = changed == 1 ? 1 : 5 }
      let whole = run(named, answers[0], answers[1], answers[2])
      let pieces = run(named, answers[0], answers[1], answers[2], size: 1)
      // Surplus bytes are noticed only with the bytes before them.
      if whole.action == .open { #expect(pieces.action == .open && pieces.sent == whole.sent) }
      if whole.action == .wait { #expect(pieces.action == .wait) }
    }
  }

  @Test(
    "A name that only a private network resolves is recognised",
    arguments: [
      ("localhost", true), ("a.localhost", true), ("printer.local", true), ("local", true),
      ("nas", true), ("nas.", true), ("x.internal", true), ("router.home.arpa", true),
      ("home.arpa.", true), ("127.1", true), ("2130706433", true), ("0x7f000001", true),
      ("127.0.0.0x1", true), ("0177.0.0.1", true), ("10.0.0.1.", true), ("a..", true),
      ("example.org", false), ("a.example.org.", false), ("notlocal.example", false),
      ("localhost.example", false), ("xhome.arpa", false), ("1.example", false),
      ("expyuzz4wqqyqhjn.onion", false),
    ])
  func privateNames(host: String, isPrivate: Bool) {
    #expect(PrivateName.isPrivate(host) == isPrivate)
  }
}
