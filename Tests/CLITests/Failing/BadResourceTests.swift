import TestSupport
import Testing

/// Resources that cannot be had or shown: each with its reason, the others are done, exit code 1.
@Suite struct BadResourceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let file: String
    let bytes: [UInt8]?
    /// What the reason must hold.
    let word: String

    var testDescription: String { name }
  }

  static let cases = [
    Case(name: "HTTP 404", file: "none.png", bytes: nil, word: "404"),
    Case(
      name: "a web page in place of an image", file: "page.jpg",
      bytes: Array("<!DOCTYPE html><html><body>Sign in</body></html>".utf8), word: "web page"),
    Case(name: "an empty file", file: "empty.png", bytes: [], word: "empty"),
    Case(
      name: "text in place of an image", file: "text.png", bytes: Array("hello".utf8),
      word: "not an image"),
    Case(
      name: "an image that is cut", file: "cut.png",
      bytes: Array(Sample.image(1, side: 64).prefix(2_000)), word: ""),
    Case(
      name: "a zip that is cut", file: "cut.zip",
      bytes: Array(ZipBuilder([.stored("a.png", Sample.image(1, side: 32))]).build().prefix(900)),
      word: "ends before its directory"),
    Case(
      name: "an encrypted zip", file: "secret.zip",
      bytes: BadSourceTests.encrypted("a.png").build(), word: "password"),
    Case(
      name: "a PDF that is none", file: "bad.pdf", bytes: Array("%PDF-1.4\nnothing".utf8),
      word: ""),
  ]

  @Test("a bad resource fails alone", arguments: cases)
  func bad(_ example: Case) async throws {
    try await Rig.run { rig in
      if let bytes = example.bytes { try rig.serve(example.file, bytes) }
      let urls = try rig.serveImages("a", 2)
      let list = [urls[0], rig.url(example.file), urls[1]]
      let ending = try await rig.imgdl(
        "add", "--retry", "0", try rig.write("list.txt", list.joined(separator: "\n")))
      #expect(ending.code == 1, "\(ending.errors)")
      let resources = try await rig.resources()
      #expect(resources.map(\.status) == ["finished", "failed", "finished"])
      let reason = try #require(resources[1].reason)
      #expect(!reason.isEmpty && reason.contains(example.word), "\(reason)")
      #expect(ending.errors.contains("list: \(rig.url(example.file)): \(reason)"))
      #expect(ending.errors.contains("2 of 3 finished, 1 failed"))
      #expect(try await rig.records().map(\.status) == ["Finished, 1 failed"])
    }
  }

  @Test(
    "a comic that is cut is kept, also if it is added by itself",
    arguments: ["cut.cbz", "cut.cbz?page=1"])
  func cutComic(name: String) async throws {
    try await Rig.run { rig in
      let whole = ZipBuilder([.stored("a.png", Sample.image(1, side: 32))]).build()
      try rig.serve("cut.cbz", Array(whole.prefix(900)))
      let ending = try await rig.imgdl("add", "--retry", "0", rig.url(name))
      #expect(ending.code == 1, "\(ending.errors)")
      let resources = try await rig.resources()
      #expect(resources.map(\.status) == ["failed"])
      #expect(resources.first?.file != nil)
    }
  }

  @Test("a bad entry of a good list is named with file and index, the others are done")
  func badEntry() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2)
      let list = try rig.write(
        "list.json", #"["\#(urls[0])", 17, "\#(urls[1])", "ftp://example.org/x.png"]"#)
      let ending = try await rig.imgdl("add", list)
      #expect(ending.code == 1)
      #expect(ending.errors.contains("list.json, entry 2: "))
      #expect(ending.errors.contains("list.json, entry 4: "))
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(try await rig.resources().map(\.url) == urls)
    }
  }

  @Test("a bad list in a zip of lists is named, the others are done")
  func badList() async throws {
    try await Rig.run { rig in
      let good = Array(try Sample.json(rig.serveImages("a", 2)).utf8)
      let zip = ZipBuilder([
        .deflated("bad.json", Array(#"{"a": "#.utf8)), .deflated("good.json", good),
      ])
      let ending = try await rig.imgdl("add", try rig.write("all.zip", zip.build()))
      #expect(ending.code == 1, "\(ending.errors)")
      #expect(ending.errors.contains("bad.json"))
      #expect(try await rig.records().map(\.title) == ["good"])
    }
  }

  @Test("names with .. in a zip are labels; nothing is written outside the library")
  func escapingNames() async throws {
    try await Rig.run { rig in
      let picture = Sample.image(1)
      let zip = ZipBuilder([
        .stored("../../escape.png", picture), .stored("/tmp/absolute.png", picture),
        .stored("..\\windows.png", picture),
      ])
      let url = try rig.serve("evil.zip", zip.build())
      let lists = ZipBuilder([
        .stored("../../../home/list.json", Array(try Sample.json([url]).utf8)),
        .stored("..json", Array(try Sample.json([url]).utf8)),
      ])
      let before = try await rig.shell("find . -type f -o -type d | sort | grep -v ^./library")
      let ending = try await rig.imgdl("add", try rig.serve("lists.zip", lists.build()))
      #expect(ending.code == 0 || ending.code == 1, "\(ending.errors)")
      let after = try await rig.shell(
        "find . -type f -o -type d | sort | grep -v -e ^./library -e lists.zip")
      #expect(after.output == before.output)
      for record in try await rig.records() {
        #expect(!record.folder.contains("/") && !record.folder.hasPrefix("."))
      }
      #expect(try await rig.resources().map(\.pages).allSatisfy { $0 <= 3 })
    }
  }

  @Test("a dead host among good ones")
  func deadHost() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 1) + ["http://127.0.0.1:1/b.png"]
      let ending = try await rig.imgdl(
        "add", "--retry", "1", "--retry-delay", "1ms",
        try rig.write("list.txt", urls.joined(separator: "\n")))
      #expect(ending.code == 1)
      #expect(ending.errors.contains("http://127.0.0.1:1/b.png: "))
      #expect(ending.errors.contains("refused"))
    }
  }
}
