import LibraryAPI
import Manifests
import Models
import Rendering
import Testing
import TestSupport
import Transport
@testable import Engine

/// Manifests as sources of records.
@Suite(.timeLimit(.minutes(4))) struct IIIFSourceTests {
  private static let manifest = "http://h/manifest.json"
  private static let service = "http://i/iiif/one"

  private static func canvas(_ label: String, _ body: String) -> String {
    #"""
    {"type": "Canvas", "label": {"none": ["\#(label)"]}, "items": [{"items": [
     {"motivation": "painting", "body": \#(body)}]}]}
    """#
  }

  private static func body(_ service: String) -> String {
    #"{"id": "http://h/unused.jpg", "type": "Image", "service": [{"id": "\#(service)", "type": "ImageService3"}]}"#
  }

  private static func serve(_ canvases: [String], of lab: Lab) {
    let text = #"""
      {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
       "label": {"en": ["A book"]}, "items": [\#(canvases.joined(separator: ","))]}
      """#
    lab.web.serve(manifest, FakeAnswer(body: Array(text.utf8)))
    let info = #"{"type": "ImageService3", "profile": "level1", "width": 3, "height": 2}"#
    lab.web.serve(service + "/info.json", FakeAnswer(body: Array(info.utf8)))
    lab.web.serve(service + "/full/max/0/default.jpg", .file(Lab.image(7)))
  }

  @Test("The images of a manifest become files, each service one request")
  func adding() async throws {
    let lab = try Lab()
    Self.serve(
      [
        Self.canvas("1r", Self.body(Self.service)),
        Self.canvas("1v", #"{"id": "\#(Lab.url(3))", "type": "Image"}"#),
        Self.canvas("2r", Self.body(Self.service)), Self.canvas("2v", #"{"type": "Video"}"#),
      ], of: lab)
    let result = try await lab.run(Self.manifest)
    #expect(result.problemCount == 1)
    let record = try #require(try await lab.records().first)
    let resources = try await lab.resources(record)
    #expect(
      resources.map(\.url) == [Self.service + "#iiif", Lab.url(3), Self.service + "#iiif"])
    #expect(resources.map(\.title) == ["1r", "1v", "2r"])
    #expect(try resources.map { try lab.bytes($0, record) } == [7, 3, 7].map(Lab.image))
    #expect(resources.map { $0.file?.name } == ["0001-1r.png", "0002-1v.png", "0003-2r.png"])
    #expect(lab.web.requests(for: Self.service + "/info.json").count == 1)
    #expect(lab.web.requests(for: Self.service + "/full/max/0/default.jpg").count == 1)
    #expect(lab.web.requests(for: "http://h/unused.jpg").isEmpty)
  }

  @Test("A service that answers no longer fails its resource and not the record")
  func failing() async throws {
    let lab = try Lab()
    Self.serve(
      [
        Self.canvas("1", Self.body("http://i/iiif/gone")),
        Self.canvas("2", Self.body(Self.service)),
      ], of: lab)
    try await lab.run(Self.manifest)
    let record = try #require(try await lab.records().first)
    let resources = try await lab.resources(record)
    #expect(resources.map { $0.file != nil } == [false, true])
    #expect(resources.first?.reason?.contains("404") == true)
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test("The description is requested under the policy of the list, as the image is")
  func policy() async throws {
    let lab = try Lab()
    Self.serve([Self.canvas("1", Self.body(Self.service))], of: lab)
    try await lab.run(Self.manifest)
    let requests = lab.web.requests.filter { $0.url.hasPrefix("http://i/") }
    #expect(requests.count == 2)
    // The list came from a host name whose address is not known, which counts as public.
    #expect(requests.allSatisfy { $0.addresses == .publicOnly })
  }

  // MARK: - Collections

  private static let collection = "http://h/collection.json"

  /// A collection with references to documents; a name with `c` at its beginning is that of a collection.
  private static func collection(_ label: String, _ names: String...) -> FakeAnswer {
    let items = names.map { name in
      let type = name.hasPrefix("c") ? "Collection" : "Manifest"
      return #"{"id": "http://h/\#(name)", "type": "\#(type)", "label": {"en": ["x"]}}"#
    }
    let text = #"""
      {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Collection",
       "label": {"en": ["\#(label)"]}, "items": [\#(items.joined(separator: ","))]}
      """#
    return FakeAnswer(body: Array(text.utf8))
  }

  private static func book(_ label: String, _ images: Int...) -> FakeAnswer {
    let canvases = images.map { canvas("\($0)", #"{"id": "\#(Lab.url($0))", "type": "Image"}"#) }
    let text = #"""
      {"@context": "http://iiif.io/api/presentation/3/context.json", "type": "Manifest",
       "items": [\#(canvases.joined(separator: ","))], "label": {"en": ["\#(label)"]}}
      """#
    return FakeAnswer(body: Array(text.utf8))
  }

  @Test("A collection becomes a record for each manifest, and loops end")
  func loops() async throws {
    let lab = try Lab()
    lab.web.serve(Self.collection, Self.collection("All", "m1", "c2", "m1", "collection.json"))
    lab.web.serve("http://h/c2", Self.collection("Part", "m2", "collection.json", "c2", "m1"))
    lab.web.serve("http://h/m1", Self.book("First", 1, 2))
    lab.web.serve("http://h/m2", Self.book("Second", 3))
    let result = try await lab.run(Self.collection)
    #expect(try await lab.records().map(\.title) == ["First", "Second"])
    #expect(try await lab.records().map(\.counts.total) == [2, 1])
    #expect(try await lab.allResources().allSatisfy { $0.state == .finished })
    for url in [Self.collection, "http://h/c2", "http://h/m1", "http://h/m2"] {
      #expect(lab.web.requests(for: url).count == 1)
    }
    #expect(result.problems.allSatisfy { $0.contains("read only once") })
  }

  @Test("Collections deeper than the limit are a problem, and the manifests before them are read")
  func depth() async throws {
    let lab = try Lab()
    lab.settings.limits.sourceDepth = 2
    lab.web.serve(Self.collection, Self.collection("0", "c1", "m1"))
    lab.web.serve("http://h/c1", Self.collection("1", "c2"))
    lab.web.serve("http://h/c2", Self.collection("2", "c3"))
    lab.web.serve("http://h/m1", Self.book("First", 1))
    let result = try await lab.run(Self.collection)
    #expect(
      result.problems == [
        "http://h/c2: the documents that it links to are deeper than 2 (limits.sourceDepth)"
      ])
    #expect(try await lab.records().map(\.title) == ["First"])
    #expect(lab.web.requests(for: "http://h/c3").isEmpty)
  }

  @Test("robots.txt is asked about the manifests of a collection, not about the user's URL")
  func robots() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/robots.txt", WebPageTests.answer("User-agent: *\nDisallow: /m1\nDisallow: /coll"))
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2"))
    lab.web.serve("http://h/m2", Self.book("Second", 3))
    let result = try await lab.run(Self.collection)
    #expect(result.problems == ["the robots.txt of http://h disallows /m1"])
    #expect(try await lab.records().map(\.title) == ["Second"])
    #expect(lab.web.requests(for: "http://h/m1").isEmpty)
  }

  @Test("A refresh adds the new canvases and manifests only")
  func refresh() async throws {
    let lab = try Lab()
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2"))
    lab.web.serve("http://h/m1", Self.book("Same", 1))
    lab.web.serve("http://h/m2", Self.book("Same", 2))
    lab.web.serve("http://h/m3", Self.book("Third", 4))
    let engine = try await lab.started()
    let before = try await engine.add(Lab.request(Self.collection)).records
    try await engine.waitUntilIdle()
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2", "m3"))
    lab.web.serve("http://h/m2", Self.book("Same", 2, 3))
    let result = try await engine.refresh(before[0])
    try await engine.waitUntilIdle()
    let again = try await engine.refresh(before[0])
    await engine.stop()
    #expect(result.newEntries == 1 && result.newRecords.count == 1)
    #expect(again.newEntries == 0 && again.newRecords.isEmpty)
    #expect(try await lab.records().map(\.counts.total).sorted() == [1, 1, 2])
  }

  @Test("The pages of a collection of version 2 are read once, also if they form a loop")
  func pages() async throws {
    let lab = try Lab()
    func page(_ manifest: String, _ next: String) -> FakeAnswer {
      let text = #"""
        {"@context": "http://iiif.io/api/presentation/2/context.json", "@type": "sc:Collection",
         "manifests": [{"@id": "http://h/\#(manifest)"}], "next": "\#(next)"}
        """#
      return FakeAnswer(body: Array(text.utf8))
    }
    lab.web.serve(
      Self.collection,
      FakeAnswer(
        body: Array(#"{"@type": "sc:Collection", "label": "All", "first": "http://h/p1"}"#.utf8)))
    lab.web.serve("http://h/p1", page("m1", "http://h/p2"))
    lab.web.serve("http://h/p2", page("m2", "http://h/p1"))
    lab.web.serve("http://h/m1", Self.book("First", 1))
    lab.web.serve("http://h/m2", Self.book("Second", 2))
    let result = try await lab.run(Self.collection)
    #expect(result.problems == ["http://h/p1: the pages of this list form a loop"])
    #expect(try await lab.records().map(\.title).sorted() == ["First", "Second"])
    #expect(lab.web.requests(for: "http://h/p1").count == 1)
  }
}
