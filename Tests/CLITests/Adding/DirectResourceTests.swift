import Hashing
import Models
import Origin
import TestSupport
import Testing

/// A source that is itself a picture, a document or an archive is a record of one resource.
@Suite struct DirectResourceTests {
  enum Kind: String, CaseIterable {
    case png, pdf, zip

    var bytes: [UInt8] {
      switch self {
      case .png: Sample.image(7)
      case .pdf: Sample.pdf
      case .zip:
        ZipBuilder([.stored("b.png", Sample.image(1)), .deflated("a.png", Sample.image(2))])
          .build()
      }
    }
  }

  @Test("a resource is added by its URL", arguments: Kind.allCases)
  func byURL(_ kind: Kind) async throws {
    try await Rig.run { rig in
      let url = try rig.serve("thing.\(kind.rawValue)", kind.bytes)
      let ending = try await rig.imgdl("add", url)
      #expect(ending.code == 0, "\(ending.errors)")
      try await expectThing(rig, kind)
      try await rig.expectOriginals()
      #expect(rig.wholeLog().count == 1, "it is fetched once, as source and resource")
    }
  }

  @Test("a resource is added as a file, which is not moved", arguments: Kind.allCases)
  func byFile(_ kind: Kind) async throws {
    try await Rig.run { rig in
      let path = try rig.write("thing.\(kind.rawValue)", kind.bytes)
      let ending = try await rig.imgdl("add", path)
      #expect(ending.code == 0, "\(ending.errors)")
      try await expectThing(rig, kind)
      #expect(try await rig.resources().first?.sha256 == Rig.digest(path))
    }
  }

  @Test(
    "a resource that is sent with an unrequested gzip coding is added, in a list and by itself",
    arguments: ["socket", "url-session"])
  func coded(_ transport: String) async throws {
    try await Rig.run { rig in
      let stage = try Stage()
      let url = stage.serve(
        "a.png", GzipMember.of(Sample.image(3)), fields: ["Content-Encoding: gzip"])
      for source in [url, try rig.write("list.txt", url)] {
        let ending = try await rig.imgdl("add", "--set", "adapters.transport=\(transport)", source)
        #expect(ending.code == 0, "\(ending.errors)")
      }
      #expect(try await rig.records().map(\.status) == ["Finished", "Finished"])
      for (path, digest) in try rig.files() where path.hasSuffix(".png") {
        #expect(digest == SHA256Hasher.hash(of: Sample.image(3)).description, "\(path)")
      }
      #expect(try rig.files().count == 2)
    }
  }

  @Test("a resource is added from standard input")
  func byInput() async throws {
    try await Rig.run { rig in
      let ending = try await rig.imgdl(["add", "-"], input: Sample.image(3))
      #expect(ending.code == 0, "\(ending.errors)")
      #expect(try await rig.records().map(\.status) == ["Finished"])
      #expect(try rig.incoming() == [])
    }
  }

  private func expectThing(_ rig: Rig, _ kind: Kind) async throws {
    let records = try await rig.records()
    #expect(records.map(\.title) == ["thing.\(kind.rawValue)"])
    #expect(records.map(\.status) == ["Finished"])
    let resources = try await rig.resources()
    #expect(resources.map(\.file) == ["thing.\(kind.rawValue)/0001-thing.\(kind.rawValue)"])
    #expect(resources.map(\.pages) == [kind == .zip ? 2 : 1])
  }
}
