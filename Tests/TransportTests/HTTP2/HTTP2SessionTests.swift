import Models
import Testing

@testable import TransportSocket

/// The client's end of a connection, fed with frames by hand.
@Suite("HTTP/2 session")
struct HTTP2SessionTests {
  private static let fields = HTTP2Fields.request(
    scheme: "https", authority: "a.example", target: "/x",
    HTTPFields(["Host": "a.example", "Accept": "*/*", "Cookie": "secret=1"]))

  /// A session that has asked for `count` resources: streams 1, 3, 5…
  private func session(
    _ count: Int = 1, limits: HTTP2Limits = HTTP2Limits()
  ) throws -> HTTP2Session {
    let session = try HTTP2Session(limits: limits)
    for number in 0..<count {
      #expect(session.open(Self.fields) == Int32(2 * number + 1))
    }
    _ = sent(by: session)
    return session
  }

  private func sent(by session: HTTP2Session) -> [UInt8] {
    var bytes: [UInt8] = []
    while session.output(into: &bytes) {}
    return bytes
  }

  private func frames(sentBy session: HTTP2Session) -> [HTTP2FrameReader.Frame] {
    var reader = HTTP2FrameReader()
    reader.add(sent(by: session))
    var frames: [HTTP2FrameReader.Frame] = []
    while let frame = reader.next() { frames.append(frame) }
    return frames
  }

  /// What `bytes` lead to, the body bytes collected.
  private struct Reading: Equatable {
    var events: [HTTP2Event] = []
    var bodies: [Int32: [UInt8]] = [:]
    var failure: HTTP2Failure?
  }

  private func read(_ bytes: [UInt8], _ session: HTTP2Session, step: Int = .max) -> Reading {
    var reading = Reading()
    var start = 0
    while start < bytes.count, reading.failure == nil {
      let end = step < bytes.count - start ? start + step : bytes.count
      let piece = Array(bytes[start..<end])
      piece.withUnsafeBytes { session.receive($0) }
      for event in session.drainEvents() {
        if case .data(let stream, let range) = event {
          reading.bodies[stream, default: []] += piece[range]
        } else {
          reading.events.append(event)
        }
      }
      reading.failure = session.failure
      start = end
    }
    return reading
  }

  @Test("A connection begins with the preface, settings without push, and the requests")
  func beginning() throws {
    let session = try HTTP2Session()
    #expect(session.open(Self.fields) == 1)
    var reader = HTTP2FrameReader()
    reader.add(sent(by: session))
    #expect(reader.takePreface() == true)
    let frames = Array(sequence(state: reader) { $0.next() })
    try #require(frames.count == 3)
    let (settings, window, request) = (frames[0], frames[1], frames[2])
    #expect(settings.isKind(.settings))
    #expect(settings.payload.starts(with: [0, 2, 0, 0, 0, 0]))
    #expect(window.isKind(.windowUpdate) && window.stream == 0)
    #expect(Int(window.word) + 65_535 == Int(HTTP2Limits().connectionWindow))
    #expect(request.isKind(.headers) && request.stream == 1)
    #expect(request.flags == HTTP2Frame.endHeaders | HTTP2Frame.endStream)
    // A cookie is written as a literal that no table may keep: 0001xxxx.
    #expect(request.payload.contains(0x1f))
  }

  @Test(
    "Responses on several streams are separated, for any division of the bytes",
    arguments: [Int.max, 1, 7])
  func interleaved(step: Int) throws {
    let session = try session(3)
    let bytes =
      HTTP2Frame.settings([(3, 50)]) + HTTP2Frame.head(3, [("etag", "\"x\"")])
      + HTTP2Frame.head(1, status: "103") + HTTP2Frame.data(3, "ab")
      + HTTP2Frame.head(1, status: "404", ends: true) + HTTP2Frame.data(3, "cd")
      + HTTP2Frame.head(5) + HTTP2Frame.data(5, "e")
      + HTTP2Frame.head(5, status: nil, [("checksum", "1")], ends: true)
      + HTTP2Frame.data(3, "", ends: true)
    let reading = read(bytes, session, step: step)
    #expect(reading.failure == nil)
    #expect(reading.bodies == [3: Array("abcd".utf8), 5: Array("e".utf8)])
    #expect(
      reading.events == [
        .capacity(50), .head(stream: 3, status: 200, HTTPFields(["etag": "\"x\""])),
        .head(stream: 1, status: 404, HTTPFields()), .end(stream: 1),
        .closed(stream: 1, .ended), .head(stream: 5, status: 200, HTTPFields()),
        .end(stream: 5), .closed(stream: 5, .ended), .end(stream: 3), .closed(stream: 3, .ended),
      ])
  }

  @Test("The error of a dropped stream tells whether the request may be repeated")
  func resets() throws {
    let session = try session(5)
    let reading = read(
      HTTP2Frame.settings() + HTTP2Frame.reset(1, 7) + HTTP2Frame.reset(3, 13)
        + HTTP2Frame.head(5) + HTTP2Frame.reset(5, 2) + HTTP2Frame.goAway(last: 7), session)
    #expect(
      reading.events.suffix(6) == [
        .closed(stream: 1, .unprocessed(.reset)), .closed(stream: 3, .wantsHTTP1),
        .head(stream: 5, status: 200, HTTPFields()), .closed(stream: 5, .reset("INTERNAL_ERROR")),
        .goingAway, .closed(stream: 9, .unprocessed(.goAway)),
      ])
    #expect(session.open(Self.fields) == nil)
    let rest = read(HTTP2Frame.response(7, "late"), session)
    #expect(rest.bodies == [7: Array("late".utf8)])
    #expect(rest.events.last == .closed(stream: 7, .ended))
  }

  @Test("A waiting request is returned as soon as the server announces its end")
  func waitingRequest() throws {
    let session = try session(1)
    _ = read(HTTP2Frame.settings([(3, 1)]), session)
    #expect(session.open(Self.fields) == 3)
    _ = sent(by: session)
    let reading = read(HTTP2Frame.goAway(last: 1), session)
    #expect(reading.events == [.goingAway, .closed(stream: 3, .unprocessed(.goAway))])
    let rest = read(HTTP2Frame.response(1, "x"), session)
    #expect(rest.events.last == .closed(stream: 1, .ended))
    #expect(sent(by: session).isEmpty || session.drainEvents().isEmpty)
  }

  @Test("A status below 100 is invalid, and no event of the stream is reported")
  func lowStatus() throws {
    let session = try session(2)
    var bytes = HTTP2Frame.settings() + HTTP2Frame.head(1, status: "020")
    bytes += HTTP2Frame.data(1, "ab", ends: true)
    bytes += HTTP2Frame.response(3, "x")
    var reading = read(bytes, session)
    _ = sent(by: session)
    reading.events += session.drainEvents()
    #expect(reading.bodies == [3: Array("x".utf8)])
    let reason = "the server violated HTTP/2: status 20"
    #expect(reading.events.contains(.closed(stream: 1, .violation(reason, isLimit: false))))
    #expect(!reading.events.contains(.end(stream: 1)))
  }

  @Test(
    "A server that announces its end gets no new streams, before it reports the last processed one")
  func notice() throws {
    let session = try session()
    let reading = read(
      HTTP2Frame.settings() + HTTP2Frame.goAway(last: .max) + HTTP2Frame.response(1, "x"), session)
    #expect(reading.events.contains(.goingAway) && reading.bodies == [1: Array("x".utf8)])
    #expect(session.open(Self.fields) == nil)
  }

  @Test("Bytes after the frame that ends a connection are ignored")
  func behindTheEnd() throws {
    let session = try session(limits: HTTP2Limits(idleFrames: 10))
    let pings = Array(repeating: HTTP2Frame.ping, count: 10).flatMap { $0 }
    let reading = read(HTTP2Frame.settings() + pings + HTTP2Frame.response(1, "x"), session)
    #expect(reading.failure?.kind == .limit)
    #expect(reading.bodies.isEmpty)
    #expect(!reading.events.contains(.end(stream: 1)))
  }

  @Test("A header section above the limits resets its stream and does not affect the others")
  func headerLimits() throws {
    let limits = HTTP2Limits(fieldBytes: 1_000, fieldCount: 8, trailerBytes: 100)
    let many = (0..<9).map { ("x-\($0)", "1") }
    let large = [("x", String(repeating: "y", count: 990))]
    for (stream, fields, word) in [(Int32(1), many, "8 header lines"), (3, large, "1000 bytes")] {
      let session = try session(3, limits: limits)
      let reading = read(
        HTTP2Frame.settings() + HTTP2Frame.head(stream, fields) + HTTP2Frame.response(5, "ok"),
        session)
      let resets = frames(sentBy: session).filter { $0.isKind(.reset) }
      #expect(resets.map(\.stream) == [stream])
      #expect(reading.failure == nil)
      #expect(reading.bodies == [5: Array("ok".utf8)])
      // The stream is over when our reset has gone.
      let after = reading.events + session.drainEvents()
      #expect(!after.contains { if case .head(stream, _, _) = $0 { true } else { false } })
      let closings = after.compactMap { event -> String? in
        if case .closed(stream, .violation(let reason, isLimit: true)) = event { return reason }
        return nil
      }
      #expect(closings.count == 1 && closings[0].contains(word))
    }
  }

  @Test(
    "A server that violates HTTP/2 ends the stream or the connection",
    arguments: [
      ("no status", HTTP2Frame.head(1, status: nil, [("a", "b")], ends: true)),
      ("upper case", HTTP2Frame.head(1, [("Upper", "b")], ends: true)),
      ("field of a connection", HTTP2Frame.head(1, [("transfer-encoding", "chunked")])),
      ("line break", HTTP2Frame.head(1, [("a", "b\r\nc: d")])),
      ("status text", HTTP2Frame.head(1, status: "2x0")),
      ("switching protocols", HTTP2Frame.head(1, status: "101")),
      ("two lengths", HTTP2Frame.head(1, [("content-length", "1"), ("content-length", "2")])),
      ("no number", HTTP2Frame.head(1, [("content-length", "+5")])),
      (
        "too long",
        HTTP2Frame.head(1, [("content-length", "1")]) + HTTP2Frame.data(1, "ab", ends: true)
      ),
      (
        "too short",
        HTTP2Frame.head(1, [("content-length", "3")]) + HTTP2Frame.data(1, "ab", ends: true)
      ),
      ("data first", HTTP2Frame.data(1, "ab", ends: true)),
      ("data of an unknown stream", HTTP2Frame.data(99, "ab")),
      ("head of an unknown stream", HTTP2Frame.head(2)),
      ("pushed", HTTP2Frame.frame(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2])),
      ("odd settings", HTTP2Frame.frame(.settings, [0, 1, 2])),
      ("window of zero", HTTP2Frame.frame(.windowUpdate, [0, 0, 0, 0])),
      ("window overflow", HTTP2Frame.frame(.windowUpdate, [0x7f, 0xff, 0xff, 0xff])),
      ("continuation of nothing", HTTP2Frame.frame(.continuation, flags: 4, stream: 1, [])),
      ("unknown index", HTTP2Frame.frame(.headers, flags: 5, stream: 1, [0xff, 0xff, 0x7f])),
      ("too large a frame", HTTP2Frame.data(1, [UInt8](repeating: 0, count: 16_385))),
      ("HTTP/1.1", Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)),
    ])
  func violations(name: String, bytes: [UInt8]) throws {
    for step in [Int.max, 1] {
      let session = try session()
      let greeting = name == "HTTP/1.1" ? [] : HTTP2Frame.settings()
      var reading = read(greeting + bytes, session, step: step)
      // A stream that we reset is over when the reset has been written.
      _ = sent(by: session)
      reading.events += session.drainEvents()
      reading.failure = session.failure
      #expect(reading.bodies[1] == nil || name == "too long" || name == "too short")
      let isReset = reading.events.contains { event in
        switch event {
        case .closed(stream: 1, .violation), .closed(stream: 1, .reset): true
        default: false
        }
      }
      #expect(isReset || reading.failure != nil, "\(name), in steps of \(step): \(reading)")
      #expect(!reading.events.contains(.end(stream: 1)))
    }
  }

  @Test("Endless frames without content end the connection")
  func floods() throws {
    let limits = HTTP2Limits(idleFrames: 500)
    let flood = Array(repeating: HTTP2Frame.data(1, ""), count: 600).flatMap { $0 }
    let pings = Array(repeating: HTTP2Frame.ping, count: 600).flatMap { $0 }
    let interim = Array(repeating: HTTP2Frame.head(1, status: "100"), count: 20).flatMap { $0 }
    for bytes in [HTTP2Frame.head(1) + flood, pings] {
      let session = try session(limits: limits)
      let reading = read(HTTP2Frame.settings() + bytes, session)
      #expect(reading.failure?.kind == .limit)
    }
    let session = try session(limits: limits)
    _ = read(HTTP2Frame.settings() + interim, session)
    _ = sent(by: session)
    #expect(
      session.drainEvents() == [
        .closed(stream: 1, .violation("more than 16 interim responses", isLimit: true))
      ])
  }

  @Test("Endless header sections end the connection")
  func continuations() throws {
    let session = try session()
    let begun = HTTP2Frame.frame(.headers, stream: 1, HTTP2Frame.literal(":status", "200"))
    let more = HTTP2Frame.frame(.continuation, stream: 1, HTTP2Frame.literal("a", "b"))
    let reading = read(
      HTTP2Frame.settings() + begun + Array(repeating: more, count: 2_000).flatMap { $0 }, session)
    _ = sent(by: session)
    let isReset = (reading.events + session.drainEvents()).contains {
      if case .closed(stream: 1, _) = $0 { true } else { false }
    }
    #expect(session.failure != nil || isReset)
  }

  @Test("The window is enlarged only after the sink has consumed the bytes")
  func windows() throws {
    let limits = HTTP2Limits(streamWindow: 65_536, connectionWindow: 131_072)
    let session = try session(limits: limits)
    let half = [UInt8](repeating: 1, count: 16_384)
    let bytes = HTTP2Frame.data(1, half) + HTTP2Frame.data(1, half) + HTTP2Frame.data(1, half)
    _ = read(HTTP2Frame.settings() + HTTP2Frame.head(1) + bytes, session)
    #expect(!frames(sentBy: session).contains { $0.isKind(.windowUpdate) })
    session.consumed(49_152, of: 1)
    let updates = frames(sentBy: session).filter { $0.isKind(.windowUpdate) }
    #expect(updates.contains { $0.stream == 1 && $0.word == 49_152 })
    // More than was granted is the server's fault, and all streams end.
    let flood = Array(repeating: HTTP2Frame.data(1, half), count: 5).flatMap { $0 }
    _ = read(flood, session)
    _ = sent(by: session)
    let isReset = session.drainEvents().contains {
      if case .closed(stream: 1, .violation) = $0 { true } else { false }
    }
    #expect(session.failure?.kind == .violation || isReset)
  }

  @Test("Random bytes do not cause a trap", arguments: 0..<200)
  func noise(seed: UInt64) throws {
    let session = try session(3)
    var bytes =
      HTTP2Frame.settings() + HTTP2Frame.response(1, "abc") + HTTP2Frame.head(3)
      + HTTP2Frame.data(3, "x") + HTTP2Frame.ping + HTTP2Frame.goAway(last: 3)
    var random = Sequence64(seed: seed)
    for _ in 0..<4 {
      bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
    }
    let whole = read(bytes, session)
    let cut = read(bytes, try self.session(3), step: 1)
    #expect(whole.bodies == cut.bodies && whole.events == cut.events)
  }
}
