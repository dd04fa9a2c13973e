import Hashing
import Models
import Testing
@testable import WebSocket

@Suite struct WebSocketHandshakeTests {
  private static let valid: [(String, String)] = [
    ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
  ]

  private static func fields(_ changes: [(String, String?)] = []) -> HTTPFields {
    var fields = HTTPFields(valid.map { .init(name: $0.0, value: $0.1) })
    for (name, value) in changes {
      if let value { fields.set(name, value) } else { fields.remove(name) }
    }
    return fields
  }

  private static func status(_ fields: HTTPFields) -> Int {
    do throws(WebSocketHandshake.Refusal) {
      _ = try WebSocketHandshake.accept(fields)
      return 101
    } catch {
      return error.status
    }
  }

  @Test("the key of RFC 6455 section 1.3 has its answer")
  func exampleOfTheRFC() throws {
    let response = try WebSocketHandshake.accept(Self.fields())
    #expect(response["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(response["Upgrade"] == "websocket" && response["Connection"] == "Upgrade")
  }

  static let requests: [([(String, String?)], Int)] = [
    ([], 101),
    ([("Upgrade", "WebSocket")], 101),
    ([("Connection", "keep-alive, Upgrade")], 101),
    ([("Upgrade", "h2c, websocket")], 101),
    ([("Upgrade", nil)], 426),
    ([("Upgrade", "h2c")], 426),
    ([("Connection", nil)], 426),
    ([("Connection", "close")], 426),
    ([("Sec-WebSocket-Version", nil)], 426),
    ([("Sec-WebSocket-Version", "8")], 426),
    ([("Sec-WebSocket-Version", "13, 8")], 426),
    ([("Sec-WebSocket-Key", nil)], 400),
    ([("Sec-WebSocket-Key", "")], 400),
    ([("Sec-WebSocket-Key", "c2hvcnQ=")], 400),
    ([("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=!")], 400),
    // 16 bytes have four unused bits, which must be zero.
    ([("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==")], 400),
  ]

  @Test("requests are accepted or refused with a status", arguments: requests)
  func checking(changes: [(String, String?)], status: Int) {
    #expect(Self.status(Self.fields(changes)) == status)
  }

  @Test("the response to another version names the supported one")
  func versionInResponse() {
    do throws(WebSocketHandshake.Refusal) {
      _ = try WebSocketHandshake.accept(Self.fields([("Sec-WebSocket-Version", "8")]))
      Issue.record("version 8 was accepted")
    } catch {
      #expect(error.fields["Sec-WebSocket-Version"] == "13")
    }
  }

  @Test("two keys are refused")
  func twoKeys() {
    var fields = Self.fields()
    fields.append("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
    #expect(Self.status(fields) == 400)
  }

  @Test("the digests of FIPS 180-4 are computed")
  func sha1() {
    func hex(_ text: String) -> String {
      SHA1.digest(of: Array(text.utf8)).map {
        $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16)
      }
      .joined()
    }
    #expect(hex("") == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    #expect(hex("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
  }
}
