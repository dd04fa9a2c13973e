import Origin
import TestSupport
import Testing

/// Sources that cannot be read: a message that names the source and the cause, the documented exit
/// code, and no record.
@Suite struct BadSourceTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let code: Int32
    /// What the message must hold.
    let words: [String]
    let source: @Sendable (Rig) throws -> String

    var testDescription: String { name }

    init(
      _ name: String, _ code: Int32, _ words: [String],
      source: @escaping @Sendable (Rig) throws -> String
    ) {
      self.name = name
      self.code = code
      self.words = words
      self.source = source
    }
  }

  static let cases = [
    Case("a file that is missing", 3, ["gone.zip", "No such file"]) { _ in "gone.zip" },
    Case("a URL without its scheme", 3, ["example.org/list.zip", "https://"]) { _ in
      "example.org/list.zip"
    },
    Case("a host without its scheme", 3, ["www.example.org", "https://"]) { _ in "www.example.org"
    },
    Case("a folder", 3, ["served", "a folder, not a file"]) { $0.served },
    Case("a host that refuses", 4, ["127.0.0.1", "refused"]) { _ in "http://127.0.0.1:1/list.json"
    },
    Case("a host that does not exist", 4, ["no-host.invalid"]) { _ in
      "http://no-host.invalid/list.json"
    },
    Case("HTTP 404", 3, ["none.zip", "404"]) { $0.url("none.zip") },
    Case("a web page", 3, ["page.json", "web page"]) {
      try $0.serve("page.json", "<!DOCTYPE html><html><body>Sign in</body></html>")
    },
    Case("JSON that is no array", 3, ["lone.json"]) { try $0.write("lone.json", "42") },
    Case("an object without URLs", 3, ["object.json", "not a URL"]) {
      try $0.write("object.json", #"{"count": 3}"#)
    },
    Case("JSON that breaks off", 3, ["cut.json", "line 1"]) {
      try $0.write("cut.json", #"["http://127.0.0.1/a.png", "#)
    },
    Case("an empty array", 3, ["empty.json", "empty"]) { try $0.write("empty.json", "[]") },
    Case("an empty file", 3, ["empty.txt", "empty"]) { try $0.write("empty.txt", "") },
    Case("a URL of another scheme", 3, ["ftp://example.org/a.zip", "http"]) { _ in
      "ftp://example.org/a.zip"
    },
    Case("a list of other schemes", 3, ["list.txt", "ftp"]) {
      try $0.write("list.txt", #"["ftp://example.org/a.png"]"#)
    },
    Case("a zip that is cut", 3, ["cut.zip", "ends before its directory"]) { rig in
      let whole = try Sample.manifest(["a.json": rig.serveImages("a", 9)])
      return try rig.write("cut.zip", Array(whole.prefix(whole.count * 2 / 3)))
    },
    Case("an encrypted zip", 3, ["secret.zip", "password"]) { rig in
      try rig.write("secret.zip", encrypted("list.json").build())
    },
  ]

  /// An entry that says it is encrypted.
  static func encrypted(_ name: String) -> ZipBuilder {
    var entry = ZipBuilder.Entry.stored(name, Sample.bytes(64))
    entry.flags |= 1
    return ZipBuilder([entry])
  }

  @Test("a bad source is named with its cause", arguments: cases)
  func bad(_ example: Case) async throws {
    try await Rig.run { rig in
      let source = try example.source(rig)
      let ending = try await rig.imgdl("add", "--retry", "0", source)
      #expect(ending.code == example.code, "\(ending.errors)")
      for word in example.words { #expect(ending.errors.contains(word), "\(ending.errors)") }
      #expect(ending.errors.hasPrefix("imgdl-cli: "))
      #expect(ending.errors.split(separator: "\n").count == 1, "one message: \(ending.errors)")
      #expect(try await rig.records() == [])
      #expect(try rig.files() == [:])
      #expect(try rig.incoming() == [])
    }
  }

  @Test("the pipe of a command is read as a list, also as an input file")
  func pipe() async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("a", 2)
      for (option, url) in zip(["", "-i"], urls) {
        let ending = try await rig.shell("bash -c 'imgdl-cli add \(option) <(echo \(url))'")
        #expect(ending.code == 0, "\(ending.errors)")
      }
      #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
      let fifo = try await rig.shell("mkfifo f; imgdl-cli add f")
      #expect(fifo.code == 3 && fifo.errors.contains("not a regular file"), "\(fifo.errors)")
    }
  }

  @Test("invisible characters around a URL of the command line are not a part of it")
  func invisible() async throws {
    try await Rig.run { rig in
      let url = try rig.serveImages("a", 1)[0]
      let ending = try await rig.imgdl("add", "\u{200b}\(url)\u{a0}")
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(rig.wholeLog().map(\.target) == ["/a-1.png"])
    }
  }

  @Test(
    "an image that is demanded to be a list is refused and called an image",
    arguments: ["json", "json-lines", "text", "series", "iiif"])
  func forced(_ format: String) async throws {
    try await Rig.run { rig in
      let path = try rig.write("bird.png", Sample.image(1))
      let ending = try await rig.imgdl("add", "--format", format, path)
      #expect(ending.code == 3)
      #expect(
        ending.errors.contains(
          "bird.png: the content is PNG, not a list of the form \"\(format)\""), "\(ending.errors)")
    }
  }

  @Test("an SVG in UTF-16 is not a list, but an image")
  func wide() async throws {
    try await Rig.run { rig in
      let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"
      let bytes: [UInt8] = [0xff, 0xfe] + text.utf8.flatMap { [$0, 0] }
      let ending = try await rig.imgdl("add", try rig.write("wide.svg", bytes))
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(ending.errors.contains("wide.svg: Finished"), "\(ending.errors)")
    }
  }

  @Test("one bad source does not keep the others from being added")
  func others() async throws {
    try await Rig.run { rig in
      let good = try rig.serve("good.json", Sample.json(rig.serveImages("a", 2)))
      let ending = try await rig.imgdl(
        "add", "--retry", "0", "gone.json", good, rig.url("none.json"))
      #expect(ending.code == 3, "\(ending.errors)")
      #expect(ending.errors.contains("gone.json"))
      #expect(ending.errors.contains("none.json"))
      #expect(try await rig.records().map(\.status) == ["Finished"])
      try await rig.expectOriginals()
    }
  }

  @Test("a source larger than the limit is refused with exit code 8", arguments: ["url", "input"])
  func limit(_ way: String) async throws {
    try await Rig.run { rig in
      let bytes = Sample.bytes(5_000)
      let arguments = ["--set", "limits.resourceBytes=4k", "--retry", "0"]
      let ending =
        way == "url"
        ? try await rig.imgdl(["add", try rig.serve("large.json", bytes)] + arguments)
        : try await rig.imgdl(["add", "-"] + arguments, input: bytes)
      #expect(ending.code == 8, "\(ending.errors)")
      #expect(ending.errors.contains("limits.resourceBytes"))
      #expect(try rig.incoming() == [])
    }
  }

  @Test(
    "a list that breaks a limit is refused with exit code 8 and the name of the setting",
    arguments: ["manifestBytes=1k", "manifestTextBytes=8", "manifestDepth=1"])
  func manifestLimit(_ limit: String) async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.json", Sample.json(["items": rig.serveImages("a", 40)]))
      let ending = try await rig.imgdl("add", list, "--set", "limits.\(limit)")
      #expect(ending.code == 8, "\(ending.errors)")
      #expect(ending.errors.contains("limits.\(limit.split(separator: "=")[0])"))
      #expect(try await rig.records() == [])
    }
  }

  @Test("of a list with too many entries, those within limits.manifestEntries are kept")
  func tooMany() async throws {
    try await Rig.run { rig in
      let list = try rig.write("list.json", Sample.json(rig.serveImages("a", 4)))
      let ending = try await rig.imgdl("add", list, "--set", "limits.manifestEntries=3")
      #expect(ending.code == 1, "\(ending.errors)")
      #expect(
        ending.errors.contains(
          "list.json: the source has more than 3 entries (limits.manifestEntries); the rest is left out"
        ),
        "\(ending.errors)")
      #expect(try await rig.resources().map(\.status) == ["finished", "finished", "finished"])
    }
  }
}
