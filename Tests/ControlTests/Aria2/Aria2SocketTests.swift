import LibraryAPI
import Testing
import TestSupport
@testable import Control

/// Calls and notifications over WebSocket.
@Suite(.timeLimit(.minutes(60))) struct Aria2SocketTests {
  private static let ok = #"{"id":1,"jsonrpc":"2.0","result":"OK"}"#
  private static let purge =
    #"{"id":1,"method":"aria2.purgeDownloadResult","params":["token:s3cret"]}"#
  private static let started =
    #"{"jsonrpc":"2.0","method":"aria2.onDownloadStart","params":[{"gid":"0000000000000001"}]}"#
  private static let add = #"["http://a.example/f"],{"gid":"0000000000000001"}"#

  @Test("calls are answered, as single messages, in fragments and in batches")
  func calls() async throws {
    try await withAria2Stage { (stage) async throws in
      let socket = try await ClientSocket(stage)
      await socket.send(Self.purge)
      #expect(await socket.next() == .text(Self.ok))
      let bytes = Array(Self.purge.utf8)
      await socket.send(0x01, Array(bytes[..<10]))
      await socket.send(0x89, [1, 2, 3])
      #expect(await socket.next() == .pong([1, 2, 3]))
      await socket.send(0x80, Array(bytes[10...]))
      #expect(await socket.next() == .text(Self.ok))
      await socket.send("[\(Self.purge),\(Self.purge)]")
      #expect(await socket.next() == .text("[\(Self.ok),\(Self.ok)]"))
      await socket.connection.close()
    }
  }

  @Test("several messages in one segment are answered in order, also directly after the handshake")
  func pipelining() async throws {
    try await withAria2Stage(secret: nil) { (stage) async throws in
      let connection = try await stage.connect()
      let head = requestText(
        "GET", "/jsonrpc",
        fields: [
          "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]
      ).replacing("Host: localhost", with: "Host: localhost:\(stage.port)")
      let frames = (1...3).flatMap {
        ClientSocket.frame(
          0x81, Array(#"{"id":\#($0),"method":"aria2.purgeDownloadResult"}"#.utf8))
      }
      await connection.send(Array(head.utf8) + frames + ClientSocket.frame(0x88, []))
      let text = String(decoding: await connection.rest(), as: UTF8.self)
      #expect(text.contains("101 Switching"))
      for id in 1...3 { #expect(text.contains(#"{"id":\#(id),"jsonrpc":"2.0","result":"OK"}"#)) }
    }
  }

  /// Frames that violate the protocol, and the code with which the server closes the connection.
  static let violations: [(String, [UInt8], UInt16)] = [
    ("unmasked", [0x81, 0x01, 0x61], 1002),
    ("reserved bit", ClientSocket.frame(0xc1, [0x61]), 1002),
    ("reserved opcode", ClientSocket.frame(0x83, []), 1002),
    ("continuation", ClientSocket.frame(0x80, []), 1002),
    ("binary", ClientSocket.frame(0x82, [1]), 1003),
    ("not UTF-8", ClientSocket.frame(0x81, [0xff]), 1007),
    ("too long", ClientSocket.frame(0x81, [UInt8](repeating: 0x20, count: 1_001)), 1009),
    ("close without a code", ClientSocket.frame(0x88, []), 1000),
    ("close", ClientSocket.frame(0x88, [0x03, 0xe9]), 1001),
    ("close with a wrong code", ClientSocket.frame(0x88, [0x03, 0xed]), 1002),
  ]

  @Test("violations close the connection with their code", arguments: violations)
  func violating(name: String, frame: [UInt8], code: UInt16) async throws {
    try await withAria2Stage(bodyBytes: 1_000) { (stage) async throws in
      let socket = try await ClientSocket(stage)
      await socket.connection.send(frame)
      #expect(await socket.next() == .close(code))
      #expect(await socket.next() == nil)
    }
  }

  @Test("an invalid handshake is refused with aria2's statuses")
  func handshake() async throws {
    try await withAria2Stage { (stage) async throws in
      let valid = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ]
      for (index, field, status) in [
        (2, "Sec-WebSocket-Version: 8", 426), (3, "X: y", 400), (1, "X: y", 426), (0, "X: y", 426),
      ] {
        var fields = valid
        fields[index] = field
        let answer = try await stage.ask(nil, method: "GET", fields: fields)
        #expect(answer?.status == status, "\(field)")
      }
      let foreign = try await stage.ask(
        nil, method: "GET", fields: valid + ["Origin: http://evil.example"])
      #expect(foreign?.status == 403)
      #expect(
        try await stage.ask(nil, method: "GET", fields: valid, host: "evil.example")?.status == 421)
    }
  }

  @Test("notifications are sent to sockets that were authorised once, and to no others")
  func notifications() async throws {
    try await withAria2Stage { (stage) async throws in
      let silent = try await ClientSocket(stage)
      let caller = try await ClientSocket(stage)
      await caller.send(Self.purge)
      #expect(await caller.next() == .text(Self.ok))
      let bearer = try await ClientSocket(
        stage, fields: ["Authorization: Bearer \(Aria2Stage.secret)"])
      // A call without the secret is answered late, and does not authorise the socket.
      await silent.send(#"{"id":1,"method":"system.listMethods"}"#)
      guard case .text? = await silent.next() else {
        Issue.record("no answer")
        return
      }
      _ = try await stage.call("addUri", Self.add)
      #expect(await caller.next() == .text(Self.started))
      #expect(await bearer.next() == .text(Self.started))
      // What comes next at the silent socket is the answer to its next call.
      await silent.send(0x89, [7])
      #expect(await silent.next() == .pong([7]))
      for socket in [silent, caller, bearer] { await socket.connection.close() }
    }
  }

  @Test("without a secret, every socket is notified")
  func notificationsWithoutSecret() async throws {
    try await withAria2Stage(secret: nil) { (stage) async throws in
      let socket = try await ClientSocket(stage)
      _ = try await stage.ask(#"{"id":1,"method":"aria2.addUri","params":[\#(Self.add)]}"#)
      #expect(await socket.next() == .text(Self.started))
      await socket.connection.close()
    }
  }

  @Test("without a secret, a program may name the server as its origin, but a browser may not")
  func ownOrigin() async throws {
    try await withAria2Stage(secret: nil) { (stage) async throws in
      let own = "Origin: http://localhost:\(stage.port)"
      let socket = try await ClientSocket(stage, fields: [own])
      await socket.send(Self.purge)
      #expect(await socket.next() != nil)
      await socket.connection.close()
      let handshake = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      ]
      for fields in [
        [own, "User-Agent: Mozilla/5.0"], [own, "User-Agent: "], [own, own, "User-Agent: x"],
        [own, "Sec-Fetch-Site: same-origin"], [own, "Cookie: a=b"], [own, "Origin: null"],
        ["Origin: http://localhost:1"],
      ] {
        let answer = try await stage.ask(nil, method: "GET", fields: handshake + fields)
        #expect(answer?.status == 403, "\(fields)")
      }
    }
  }

  @Test("an idle socket is pinged, and closed if it does not answer")
  func idle() async throws {
    try await withAria2Stage { (stage) async throws in
      let socket = try await ClientSocket(
        stage, fields: ["Authorization: Bearer \(Aria2Stage.secret)"])
      stage.clock.run()
      #expect(await socket.next() == .ping)
      #expect(await socket.next() == nil)
    }
  }

  @Test("a socket without the secret is closed after a time, also if it sends messages")
  func unauthorised() async throws {
    try await withAria2Stage { (stage) async throws in
      let socket = try await ClientSocket(stage)
      await socket.send(0x89, [7])
      #expect(await socket.next() == .pong([7]))
      stage.clock.run()
      #expect(await socket.next() == .close(1008))
      #expect(await socket.next() == nil)
    }
  }

  @Test("a socket is notified of the effects of its first call with the secret")
  func firstCall() async throws {
    try await withAria2Stage { (stage) async throws in
      let socket = try await ClientSocket(stage)
      await socket.send(
        #"{"id":1,"method":"aria2.addUri","params":["token:s3cret",\#(Self.add)]}"#)
      #expect(
        await socket.next() == .text(#"{"id":1,"jsonrpc":"2.0","result":"0000000000000001"}"#))
      #expect(await socket.next() == .text(Self.started))
      await socket.connection.close()
    }
  }

  @Test("a handshake with a wrong secret is refused after a second")
  func wrongBearer() async throws {
    try await withAria2Stage { (stage) async throws in
      async let answer = stage.ask(
        nil, method: "GET",
        fields: [
          "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Authorization: Bearer wrong",
        ])
      try await stage.clock.untilSomeoneSleeps(for: Aria2RefusalDelays.seconds)
      stage.clock.advance(by: Aria2RefusalDelays.seconds)
      #expect(try await answer?.status == 401)
      #expect(stage.events.value == [.refused])
    }
  }

  @Test("a server that stops closes its sockets")
  func stopping() async throws {
    let stage = try await Aria2Stage()
    let socket = try await ClientSocket(stage)
    await stage.server.stop()
    #expect(await socket.next() == .close(1001))
    #expect(await socket.next() == nil)
    await stage.loop.shutDown()
  }
}
