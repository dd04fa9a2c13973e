import Models
import Testing

@Suite struct Base64Tests {
  /// The test vectors of RFC 4648 section 10.
  @Test(
    "texts are encoded and decoded",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"), ("\u{fb}\u{ff}", "w7vDvw=="),
    ])
  func vectors(plain: String, coded: String) {
    #expect(Base64.encode(Array(plain.utf8)) == coded)
    #expect(Base64.decode(coded) == Array(plain.utf8))
  }

  @Test(
    "other texts are refused",
    arguments: [
      "Z", "Zg", "Zg=", "Zg===", "====", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Zm-_", "=Zg=",
    ])
  func refusing(text: String) { #expect(Base64.decode(text) == nil) }

  @Test("all bytes survive")
  func allBytes() {
    for count in 0..<10 {
      let bytes = (0..<count * 30).map { UInt8(truncatingIfNeeded: $0) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }
}
