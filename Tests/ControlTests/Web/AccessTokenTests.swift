import Hashing
import SystemCalls
import Testing
@testable import Control

@Suite("Access tokens")
struct AccessTokenTests {
  private let key = [UInt8](repeating: 7, count: 32)

  private func issue(_ kind: AccessToken.Kind = .session, expiry: Int64 = 1_000) -> String {
    AccessToken.issue(kind, expiry: expiry, key: key, random: SystemRandomSource())
  }

  @Test("are valid until they expire")
  func expiry() throws {
    let text = issue(.bearer, expiry: 1_000)
    let token = try #require(AccessToken(text, key: key, now: 999))
    #expect(token.kind == .bearer)
    #expect(token.expiry == 1_000)
    #expect(AccessToken(text, key: key, now: 1_000) == nil)
  }

  @Test("are different each time")
  func unique() { #expect(issue() != issue()) }

  @Test("signed with another key are not valid")
  func otherKey() {
    #expect(AccessToken(issue(), key: [UInt8](repeating: 8, count: 32), now: 0) == nil)
  }

  @Test("with any byte changed, removed or added are not valid")
  func changed() {
    let text = Array(issue().utf8)
    for index in text.indices {
      for other in [UInt8(ascii: "0"), UInt8(ascii: "a"), UInt8(ascii: "."), 0xff]
      where other != text[index] {
        var changed = text
        changed[index] = other
        #expect(AccessToken(String(decoding: changed, as: UTF8.self), key: key, now: 0) == nil)
      }
      var shorter = text
      shorter.remove(at: index)
      #expect(AccessToken(String(decoding: shorter, as: UTF8.self), key: key, now: 0) == nil)
    }
    let whole = String(decoding: text, as: UTF8.self)
    for longer in [
      whole + "0", "0" + whole, whole + ".", whole + String(repeating: "0", count: 500),
    ] {
      #expect(AccessToken(longer, key: key, now: 0) == nil)
    }
    #expect(AccessToken("", key: key, now: 0) == nil)
    #expect(AccessToken("...", key: key, now: 0) == nil)
  }

  @Test("of a session cannot become those of a script")
  func kind() {
    let text = issue(.session).replacing("session", with: "bearer")
    #expect(AccessToken(text, key: key, now: 0) == nil)
  }
}

@Suite("Message authentication codes")
struct MessageAuthenticationCodeTests {
  /// Test cases 1, 2 and 6 of RFC 4231.
  @Test(
    "have the values of RFC 4231",
    arguments: [
      (
        [UInt8](repeating: 0x0b, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Array("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        [UInt8](repeating: 0xaa, count: 131),
        "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ])
  func values(_ key: [UInt8], _ message: String, _ expected: String) {
    let code = MessageAuthenticationCode.code(of: Array(message.utf8), key: key)
    #expect(code.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == expected)
  }

  @Test("are compared as a whole")
  func comparison() {
    let code = MessageAuthenticationCode.code(of: [1], key: [2])
    #expect(MessageAuthenticationCode.isEqual(code, code))
    #expect(!MessageAuthenticationCode.isEqual(code, Array(code.dropLast())))
    #expect(!MessageAuthenticationCode.isEqual(code, code.dropLast() + [code[31] ^ 1]))
  }
}

@Suite("Login tokens")
struct LoginTokensTests {
  @Test("are valid once")
  func once() {
    var tokens = LoginTokens()
    tokens.add("a", now: 0)
    tokens.add("b", now: 0)
    let results = ["a", "a", "b", ""].map { tokens.use($0, now: 1) }
    #expect(results == [true, false, true, false])
  }

  @Test("are valid for 60 seconds")
  func time() {
    var tokens = LoginTokens()
    tokens.add("a", now: 10)
    tokens.add("b", now: 10)
    let results = [tokens.use("a", now: 69.9), tokens.use("b", now: 70)]
    #expect(results == [true, false])
  }

  @Test("are at most 16; the oldest is replaced")
  func limit() {
    var tokens = LoginTokens()
    for number in 0..<17 { tokens.add("\(number)", now: 0) }
    let results = [tokens.use("0", now: 1), tokens.use("1", now: 1), tokens.use("16", now: 1)]
    #expect(results == [false, true, true])
  }
}
