import Models
import Testing
import TestSupport

@testable import Engine

/// The URLs that pages in other encodings than UTF-8 name.
@Suite(.timeLimit(.minutes(60))) struct QueryEncodingTests {
  /// Returns the URLs of the images of a page.
  private func images(_ bytes: [UInt8], charset: String) async throws -> [String] {
    let lab = try Lab()
    var answer = FakeAnswer(body: bytes)
    answer.fields.append("Content-Type", "text/html; charset=\(charset)")
    lab.web.serve("http://h/a", answer)
    try await lab.run("http://h/a")
    return try await lab.allResources().map(\.url)
  }

  @Test("Queries are in the encoding of the page, and paths in UTF-8")
  func queries() async throws {
    let start = Array("<!DOCTYPE html><title>A</title><main><img src=\"http://h/p\u{00}?q=".utf8)
    func page(_ path: [UInt8], _ query: [UInt8]) -> [UInt8] {
      let parts = start.split(separator: 0)
      return parts[0] + path + parts[1] + query + Array("&r=b c\"></main>".utf8)
    }
    #expect(
      try await images(page([0xe4], [0xe4]), charset: "iso-8859-1")
        == ["http://h/p%C3%A4?q=%E4&r=b%20c"])
    // The byte 0x80 is the sign of the euro in windows-1252, to which this label leads.
    #expect(
      try await images(page([], [0x80]), charset: "iso-8859-1") == ["http://h/p?q=%80&r=b%20c"])
    #expect(
      try await images(page([], [0x83, 0x5c]), charset: "shift_jis")
        == ["http://h/p?q=%83%5C&r=b%20c"])
    #expect(
      try await images(page([], Array("\u{e4}".utf8)), charset: "utf-8")
        == ["http://h/p?q=%C3%A4&r=b%20c"])
  }

  @Test("What the encoding lacks is a numeric character reference")
  func references() async throws {
    let page = Array(
      "<!DOCTYPE html><title>A</title><main><img src=\"http://h/p?q=&#8364;&#228;\"></main>".utf8)
    #expect(
      try await images(page, charset: "iso-8859-2") == ["http://h/p?q=%26%238364%3B%E4"])
  }
}
