import Foundation
import Testing

/// Every form of a list becomes records whose files are those of the origin.
@Suite struct ManifestFormTests {
  enum Form: String, CaseIterable, CustomTestStringConvertible {
    case zip, jsonArray, jsonObjects, nameMap, jsonLines, text

    var testDescription: String { rawValue }

    func bytes(_ urls: [String]) throws -> [UInt8] {
      switch self {
      case .zip: try Sample.manifest(["birds.json": urls])
      case .jsonArray: Array(try Sample.json(urls).utf8)
      case .jsonObjects:
        Array("[\(urls.map { #"{"url": "\#($0)", "title": "one"}"# }.joined(separator: ","))]".utf8)
      case .nameMap:
        Array(
          "{\(urls.enumerated().map { #""n\#($0)": "\#($1)""# }.joined(separator: ","))}".utf8)
      case .jsonLines: Array(urls.map { #"{"url": "\#($0)"}"# }.joined(separator: "\n").utf8)
      case .text: Array(("# birds\n" + urls.joined(separator: "\n") + "\n").utf8)
      }
    }

    var fileName: String {
      switch self {
      case .zip: "list.zip"
      case .jsonLines: "birds.jsonl"
      case .text: "birds.txt"
      default: "birds.json"
      }
    }
  }

  enum Way: String, CaseIterable { case url, file, standardInput, inputFile }

  @Test("a list of each form is added by its URL", arguments: Form.allCases)
  func byURL(_ form: Form) async throws { try await add(form, by: .url) }

  @Test("a list can be read from a file, from standard input, and with -i", arguments: Way.allCases)
  func byWay(_ way: Way) async throws { try await add(.jsonArray, by: way) }

  @Test(
    "a zip of lists can be read from a file and from standard input",
    arguments: [Way.file, .standardInput])
  func zip(_ way: Way) async throws { try await add(.zip, by: way) }

  private func add(_ form: Form, by way: Way) async throws {
    try await Rig.run { rig in
      let urls = try rig.serveImages("p", 3)
      let list = try form.bytes(urls)
      let ending: RunningProgram.Ending
      switch way {
      case .url: ending = try await rig.imgdl("add", try rig.serve(form.fileName, list))
      case .file: ending = try await rig.imgdl("add", try rig.write(form.fileName, list))
      case .standardInput: ending = try await rig.imgdl(["add", "-"], input: list)
      case .inputFile: ending = try await rig.imgdl("add", "-i", try rig.write(form.fileName, list))
      }
      #expect(ending.code == 0, "\(ending.errors)")
      let records = try await rig.records()
      #expect(records.map(\.status) == ["Finished"])
      #expect(records.map(\.total) == [3])
      if way != .standardInput { #expect(records.map(\.title) == ["birds"]) }
      #expect(try await rig.resources().map(\.url) == urls)
      try await rig.expectOriginals()
      #expect(try rig.incoming() == [])
    }
  }

  @Test("a zip of lists becomes one record a list, in order")
  func severalLists() async throws {
    try await Rig.run { rig in
      let lists = try Sample.manifest([
        "zebras.json": rig.serveImages("z", 2), "ants.json": rig.serveImages("a", 3),
      ])
      let ending = try await rig.imgdl("add", try rig.serve("all.zip", lists))
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.title) == ["zebras", "ants"])
      for number in 1...2 { try await rig.expectOriginals(number) }
      #expect(ending.errors.contains("2 records: 5 of 5 finished"))
    }
  }

  @Test("several sources become a record each, in the order of the arguments")
  func severalSources() async throws {
    try await Rig.run { rig in
      let first = try rig.write("one.txt", rig.serveImages("a", 1)[0])
      let second = try rig.serve("two.json", Sample.json(rig.serveImages("b", 2)))
      let ending = try await rig.imgdl("add", second, first, "-i", rig.url("b-1.png"))
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.title) == ["two", "one", "b-1.png"])
    }
  }

  @Test("--format overrides the recognition")
  func forced() async throws {
    try await Rig.run { rig in
      let list = try rig.write("notes.json", rig.serveImages("a", 2).joined(separator: "\n"))
      let ending = try await rig.imgdl("add", "--format", "text", list)
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.total) == [2])
    }
  }

  @Test("a series keeps the order of its slices, and is recognised or named")
  func series() async throws {
    for (path, format) in [("series", []), ("", ["--format", "series"]), ("", [])] {
      try await Rig.run { rig in
        let slices = ["10", "2", "1"]
        for slice in slices {
          try rig.serve("series/ct/slice/\(slice)", Sample.image(Int(slice) ?? 0))
        }
        let base = try Series(id: "ct", slices: slices, in: rig)
        let source = base.url + path
        let ending = try await rig.imgdl(["add", source] + format)
        #expect(ending.code == 0, "\(ending.errors)")
        let urls = try await rig.resources().map(\.url)
        #expect(urls.map { $0.split(separator: "/").last.map(String.init) } == slices)
        #expect(try await rig.records().map(\.status) == ["Finished"])
      }
    }
  }

  @Test("title, digest and request fields of an entry are used")
  func objects() async throws {
    try await Rig.run { rig in
      let good = Sample.image(1)
      try rig.serve("1.png", good)
      let digest = try Rig.digest(rig.served + "/1.png")
      let list = """
        [{"url": "\(rig.url("1.png"))", "title": "First light", "sha256": "\(digest)"},
         {"url": "\(rig.url("1.png?again"))", "sha256": "\(String(repeating: "0", count: 64))"}]
        """
      let ending = try await rig.imgdl("add", try rig.write("list.json", list))
      #expect(ending.code == 1)
      let resources = try await rig.resources()
      #expect(resources[0].file == "list/0001-First light.png")
      #expect(resources[1].status == "failed")
      #expect(resources[1].reason?.contains(digest) == true)
    }
  }
}
