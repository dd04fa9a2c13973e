import Manifests
import Models
import Testing

@Suite("Encodings of a list")
struct EncodingTests {
  private static let lists = [
    #"["http://h/1", "http://h/2"]"#, "http://h/1\nhttp://h/2\n", "{\"a\": \"http://h/1\"}",
    "\"http://h/1\"\n\"http://h/2\"\n",
  ]

  private static func units(_ text: String, width: Int, isBig: Bool) -> [UInt8] {
    text.unicodeScalars.flatMap { scalar in
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: scalar.value >> (8 * $0)) }
      return isBig ? bytes.reversed() : bytes
    }
  }

  @Test("A byte order mark of UTF-8 is no part of the list", arguments: lists)
  func mark(text: String) {
    let plain = Reading(text)
    #expect(plain.error == nil && plain.entryCount > 0)
    #expect(Reading("\u{feff}" + text) == plain)
    // JSON permits no second mark; lines of text and tables are read nevertheless.
    #expect((Reading("\u{feff}\u{feff}" + text) == plain) == text.hasPrefix("http"))
  }

  @Test("Byte order marks are no part of a URL, at the beginning of a list and within it")
  func marks() throws {
    let base = try HTTPURL("http://host/list.txt")
    let mark = "\u{feff}"
    for text in [
      "\(mark)\(mark)http://h/1\n\(mark)http://h/2\n",
      "\(mark)\(mark)url,name\nhttp://h/1,a\nhttp://h/2,b\n",
      "\(mark)\(mark)\(mark)http://h/1\n  out=a\n\(mark)http://h/2\n  out=b\n",
      "[\"\(mark)http://h/1\", \"\(mark)\(mark)http://h/2\"]",
    ] {
      for chunks in [[], [1, 1, 1, 1, 1, 1], [4, 4]] {
        let reading = Reading(
          Array(text.utf8), format: text.contains("out=") ? .aria2 : nil, base: base, chunks: chunks
        )
        #expect(reading.urls == ["http://h/1", "http://h/2"], "\(text.debugDescription)")
        #expect(reading.problems == [])
      }
    }
  }

  @Test("UTF-32 is refused by name, of either order, with and without a mark", arguments: lists)
  func utf32(text: String) {
    for isBig in [false, true] {
      for mark in ["", "\u{feff}"] {
        let bytes = Self.units(mark + text, width: 4, isBig: isBig)
        for format in [nil, ManifestFormat.json, .jsonLines, .text] {
          let error = Reading(bytes, format: format).error
          #expect(error?.code == .encoding, "\(isBig) \(mark.isEmpty)")
          #expect(error?.reason == "the text is UTF-32; convert it to UTF-8 first")
        }
      }
    }
  }

  @Test("UTF-16 is read as UTF-8 is, of either order, with and without a mark, in any pieces")
  func utf16() {
    let long = (1...400).map { "http://h/\($0).png\tT\u{e9}\u{20ac}\u{1f426}\($0)\n" }.joined()
    let table = "url,name\n" + (1...9).map { "http://h/\($0),n\($0)\n" }.joined()
    for text in Self.lists + [long, table, "<http://h/1>\r\n# c\r\n", ""] {
      let plain = Reading(text)
      for isBig in [false, true] {
        for mark in text.isEmpty ? ["\u{feff}  "] : ["", "\u{feff}"] {
          let bytes = (mark + text).utf16.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBig ? pair : pair.reversed()
          }
          for chunks in [[], [1, 1, 1, 1, 1], [511, 1, 3, 513]] {
            let reading = Reading(bytes, chunks: chunks)
            #expect(reading.entries == plain.entries, "\(isBig) \(mark.isEmpty) \(chunks)")
            #expect(reading.error == plain.error && reading.problems == plain.problems)
            #expect(reading.format == plain.format)
          }
        }
      }
    }
  }

  @Test("Half of a surrogate pair in UTF-16 costs its line, also at the end")
  func halfPairs() {
    func wide(_ text: String) -> [UInt8] { text.utf8.flatMap { [$0, 0] } }
    let list = wide("http://h/1\nhttp://h/") + [0x3d, 0xd8] + wide("\nhttp://h/3\nhttp://h/")
    for end in [[0x3d, 0xd8], [0x34], []] as [[UInt8]] {
      let reading = Reading([0xff, 0xfe] + list + end)
      #expect(reading.urls.prefix(2) == ["http://h/1", "http://h/3"])
      #expect(reading.problems.map(\.line) == (end.isEmpty ? [2] : [2, 4]))
    }
  }

  @Test("Latin-1 is refused at its place in JSON, and is a problem of its line elsewhere")
  func latin1() {
    let json = Array("[\"http://h/1\",\n\"http://h/caf".utf8) + [0xe9] + Array(".png\"]".utf8)
    let error = Reading(json).error
    #expect(Reading(json).urls == ["http://h/1"])
    #expect(error?.code == .encoding)
    #expect((error?.line, error?.column) == (2, 15))
    let lines =
      Array("\"http://h/1\"\n\"http://h/".utf8) + [0xe9] + Array("\"\n\"http://h/3\"".utf8)
    #expect(Reading(lines).urls == ["http://h/1", "http://h/3"])
    #expect(Reading(lines).problems.map(\.line) == [2])
    let text = Array("http://h/1\nhttp://h/".utf8) + [0xe9] + Array("\nhttp://h/3".utf8)
    #expect(Reading(text).urls == ["http://h/1", "http://h/3"])
    #expect(Reading(text).problems.map(\.reason) == ["is not UTF-8"])
  }

  @Test(
    "Half of a surrogate pair makes a URL unreadable, but not a title",
    arguments: ["\\ud800", "\\udc00", "\\ud83dx", "\\ude00\\ud83d"])
  func surrogates(half: String) {
    let reading = Reading(
      "[\"http://h/\(half)\", {\"url\": \"http://h/2\", \"title\": \"a\(half)b\"}, \"http://h/3\"]")
    #expect(reading.urls == ["http://h/2", "http://h/3"])
    #expect(reading.problems.first?.reason.contains("invalid character") == true)
    #expect(reading.entries.first?.title?.unicodeScalars.contains("\u{fffd}") == true)
    let names = Reading("{\"n\(half)\": \"http://h/1\"}")
    #expect(names.urls == ["http://h/1"])
  }

  @Test("A NUL is an error in JSON, and a problem where it is written as an escape")
  func nul() {
    for (text, offset) in [("[\"http://h/1\"\0]", 13), ("[\"http://h/\0\"]", 11)] {
      let error = Reading(text, format: .json).error
      #expect(error?.code == .notJSON)
      #expect(error?.offset == Int64(offset))
    }
    let escaped = Reading(
      "[\"http://h/\\u0000\", {\"url\": \"http://h/2\", \"title\": \"a\\u0000b\"}]")
    #expect(escaped.problems.map(\.index) == [0])
    #expect(escaped.problems.first?.reason.contains("control character") == true)
    #expect(escaped.entries.map(\.title) == ["ab"])
    let text = Reading("http://h/1\nhttp://h/\0\nhttp://h/3", format: .text)
    #expect(text.urls == ["http://h/1", "http://h/3"])
    #expect(text.problems.map(\.line) == [2])
  }
}
