import Markup
import MarkupEncoding
import Testing

@Suite("Encodings of documents") struct EncodingTests {
  @Test(
    "Labels are those of the standard, in any form",
    arguments: [
      ("utf-8", .utf8), ("UTF8", .utf8), (" Utf-8 ", .utf8), ("iso-8859-1", .windows1252),
      ("us-ascii", .windows1252),
      ("latin1", .windows1252), ("windows-1252", .windows1252), ("Shift_JIS", .converted("CP932")),
      ("GB2312", .converted("GB18030")), ("euc-kr", .converted("UHC")),
      ("iso-8859-9", .converted("CP1254")),
      ("utf-16le", .utf16(isBigEndian: false)), ("UTF-16BE", .utf16(isBigEndian: true)), ("", nil),
      ("klingon", nil),
    ] as [(String, DocumentEncoding?)])
  func labels(_ label: String, _ expected: DocumentEncoding?) {
    #expect(DocumentEncoding(label: label) == expected)
  }

  private func prescan(_ html: String) -> DocumentEncoding? {
    var text = html
    return text.withUTF8 { EncodingPrescan.encoding(of: UnsafeRawBufferPointer($0)) }
  }

  @Test(
    "The declaration of a page is found where browsers find it",
    arguments: [
      ("<meta charset=koi8-r>", .converted("KOI8-R")),
      ("<META CHARSET='KOI8-R'/>", .converted("KOI8-R")),
      ("<meta charset = \"koi8-r\" >", .converted("KOI8-R")),
      ("<meta http-equiv=content-type content='text/html; charset=koi8-r'>", .converted("KOI8-R")),
      (
        "<meta content='text/html;charset=\"koi8-r\"' http-equiv=Content-Type>",
        .converted("KOI8-R")
      ),
      ("<!-- <meta charset=utf-8> --><meta charset=koi8-r>", .converted("KOI8-R")),
      ("<title a='<meta charset=utf-8>'>x</title><meta charset=koi8-r>", .converted("KOI8-R")),
      ("<!doctype html><html lang=ru><head><meta charset=koi8-r>", .converted("KOI8-R")),
      ("<meta charset=utf-16>", .utf8), ("<meta name=x content='charset=koi8-r'>", nil),
      ("<metacharset=koi8-r>", nil),
      ("<meta charset=klingon>", nil), ("", nil), ("<meta charset=", nil),
      ("<meta charset='koi8-r", .converted("KOI8-R")),
      ("<!--" + String(repeating: "x", count: 1_020) + "--><meta charset=koi8-r>", nil),
    ] as [(String, DocumentEncoding?)])
  func declarations(_ html: String, _ expected: DocumentEncoding?) {
    #expect(prescan(html) == expected)
  }

  @Test("Any beginning of a page can be scanned")
  func anyBeginning() {
    let html =
      "<!doctype html><!-- x --><a b='c' d=\"e\" f=g h /><meta http-equiv=content-type content='a; charset = \"koi8-r\"'>"
    for length in 0...html.utf8.count {
      _ = prescan(String(html.prefix(length)))
      _ = prescan(String(html.dropFirst(length)))
    }
    #expect(prescan(html) == .converted("KOI8-R"))
  }

  private func converted(_ bytes: [UInt8], _ charset: String?) -> String? {
    bytes.withUnsafeBytes { TextConversion.utf8($0, charset: charset) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Text is converted to UTF-8, and invalid bytes are replaced")
  func conversion() {
    #expect(converted(Array("é".utf8), "utf-8") == nil)
    #expect(converted(Array("é".utf8), nil) == nil)
    #expect(converted([0xe9, 0x80, 0x81, 0x9f, 0xff], "iso-8859-1") == "é€\u{81}Ÿÿ")
    #expect(converted([0xd6, 0xd0], "gbk") == "中")
    #expect(converted([0xa4, 0xa4], "big5") == "中")
    #expect(converted([0xc7, 0xd1], "euc-kr") == "한")
    #expect(converted([0xa4, 0xa2], "euc-jp") == "あ")
    #expect(
      converted([0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42, 0x61], "iso-2022-jp") == "あa")
    #expect(converted([0x41, 0x81], "shift_jis") == "A\u{fffd}")
    #expect(converted([0x81, 0x20, 0x42], "shift_jis")?.hasSuffix("B") == true)
    #expect(converted([0x00, 0xd8, 0x41, 0x00], "utf-16le") == "\u{fffd}A")
    #expect(converted([0xff, 0xfe, 0x41], nil) == "")
    #expect(converted([], "koi8-r") == "")
    // A long text is converted in several blocks.
    let long = [UInt8](repeating: 0xc3, count: 200_000)
    #expect(converted(long, "koi8-r") == String(repeating: "ц", count: 200_000))
  }
}
