import HTTP1
import Hashing
import Models
import Origin
import Synchronization
import TestSupport
import Testing

/// A large file that the server replaces while it is received over several connections.
@Suite(.timeLimit(.minutes(60))) struct ChangingFileTests {
  private static func content(_ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    return random.bytes(3 << 20)
  }

  /// The state of the server.
  private struct Served {
    var rangeCount = 0
    var isReplaced = false
    var hasServedRange = false
  }

  private static func head(_ status: String, _ tag: String, _ length: Int, _ extra: String = "")
    -> ScriptedServer.Action
  {
    .sendString(
      "HTTP/1.1 \(status)\r\nETag: \(tag)\r\nAccept-Ranges: bytes\r\nContent-Length: \(length)\r\n"
        + extra + "\r\n")
  }

  @Test(
    "A file that is replaced in the middle is never mixed from both versions",
    arguments: [1, 2, 3])
  func replaced(after count: Int) async throws {
    let (old, new) = (Self.content(1), Self.content(2))
    try await Rig.run { rig in
      let state = Mutex(Served())
      let server = try ScriptedServer { _, _, request in
        guard let fields = request.head?.fields else { return [.close] }
        let (body, tag) = state.withLock { state -> ([UInt8], String) in
          if fields["Range"] != nil { state.rangeCount += 1 }
          state.isReplaced = state.isReplaced || state.rangeCount > count
          return state.isReplaced ? (new, "\"new\"") : (old, "\"old\"")
        }
        guard case .part(let range) = ByteRange(fields["Range"], of: Int64(body.count)),
          fields["If-Range"] == tag
        else {
          // The first response takes so long that ranges are requested meanwhile, and it never ends.
          let rest: [ScriptedServer.Action] =
            tag == "\"old\""
            ? [.sendSlowly(Array(body[..<(2 << 20)]), chunk: 8_192), .hold(nil)] : [.send(body)]
          return [Self.head("200 OK", tag, body.count)] + rest
        }
        state.withLock { $0.hasServedRange = true }
        let part = Array(body[Int(range.lowerBound)..<Int(range.upperBound)])
        return [
          Self.head(
            "206 Partial Content", tag, part.count,
            "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(body.count)\r\n"),
          .send(part),
        ]
      }
      defer { server.stop() }
      let list = try rig.write("list.txt", server.url + "large.bin\n")
      let ending = try await rig.imgdl(
        "add", list, "--no-thumbnails", "--set", "network.segments=3", "--set",
        "network.segmentBytes=262144", "--set", "network.segmentSeconds=0")
      #expect(ending.code == 0, "\(ending.errors)")
      let resources = try await rig.resources()
      #expect(resources.map(\.status) == ["finished"])
      #expect(resources.first?.sha256 == SHA256Hasher.hash(of: new).description)
      #expect(state.withLock { $0.hasServedRange && $0.isReplaced })
    }
  }
}
