import Markup
import Testing

private func rule(
  _ sentence: String, _ check: @escaping @Sendable (MarkupFixture) throws -> Void
) -> MarkupContractRule {
  MarkupContractRule(sentence, check)
}

extension MarkupContract {
  static let encodingRules = [
    rule("the encoding is that of the mark, the server, the page, or one that fits, in this order")
    {
      (fixture) throws in
      let page = Array("<img alt=\"".utf8)
      let end = Array("\" src=a.jpg>".utf8)
      let meta = Array("<meta charset=koi8-r>".utf8)
      func title(_ bytes: [UInt8], _ charset: String? = nil) throws -> String? {
        let items = try fixture.items(bytes, MarkupRequest(charset: charset))
        guard case .entry(let entry) = items.last else { return nil }
        return entry.title
      }
      #expect(try title(page + Array("é".utf8) + end) == "é")
      #expect(try title(page + [0xe9, 0x80] + end) == "é€")
      #expect(try title(page + [0xc3] + end, "iso-8859-7") == "Γ")
      #expect(try title(meta + page + [0xc3] + end) == "ц")
      #expect(try title(meta + page + [0xc3] + end, "ISO-8859-7") == "Γ")
      #expect(try title(page + [0x82, 0xa0] + end, "Shift_JIS") == "あ")
      #expect(try title(meta + page + [0xc3] + end, "no-such-label") == "ц")
      let wide = Array("<img alt=\"日\" src=a.jpg>".utf16)
      #expect(
        try title([0xff, 0xfe] + wide.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }) == "日")
      #expect(
        try title([0xfe, 0xff] + wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }, "koi8-r")
          == "日")
      #expect(try title([0xef, 0xbb, 0xbf] + page + Array("é".utf8) + end, "koi8-r") == "é")
    },
    rule("any bytes are a page") { (fixture) throws in
      for byte in UInt8.min...UInt8.max {
        let items = try fixture.items([byte, byte, byte] + Array("<img src=a.jpg>".utf8))
        #expect(items.first == .rule(.html), "\(byte)")
      }
    },
  ]
}
