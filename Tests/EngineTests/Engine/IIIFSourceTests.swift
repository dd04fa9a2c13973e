import LibraryAPI
import Manifests
import Models
import Rendering
import Testing
import TestSupport
import Transport
@testable import Engine

/// Manifests as sources of records.
@Suite(.timeLimit(.minutes(60))) struct IIIFSourceTests {
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

  @Test("Without a description of the service, the image that the manifest names is taken")
  func missingDescription() async throws {
    let lab = try Lab()
    let image = "http://j/raw/full/full/0/default.jpg"
    let service = #"{"id": "http://i/iiif/gone", "type": "ImageService2"}"#
    Self.serve(
      [Self.canvas("1", #"{"id": "\#(image)", "type": "Image", "service": [\#(service)]}"#)],
      of: lab)
    lab.web.serve(image, .file(Lab.image(8)))
    try await lab.run(Self.manifest)
    let record = try #require(try await lab.records().first)
    let resources = try await lab.resources(record)
    #expect(resources.map(\.url) == ["http://i/iiif/gone#iiif"])
    #expect(try resources.map { try lab.bytes($0, record) } == [Lab.image(8)])
    #expect(lab.web.requests(for: image).count == 1)
    try await lab.checkLibrary()
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

  @Test("The entries of all documents count against limits.manifestEntries together")
  func totalEntries() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestEntries = 3
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2", "m3", "m4"))
    for number in 1...4 {
      lab.web.serve("http://h/m\(number)", Self.book("Book \(number)", number * 2, number * 2 + 1))
    }
    let result = try await lab.run(Self.collection)
    #expect(try await lab.records().map(\.counts.total) == [2, 1])
    #expect(
      result.problems == [
        "\(Self.collection): the source has more than 3 entries (limits.manifestEntries); "
          + "2 documents are not read, the first: http://h/m3"
      ])
    #expect(lab.web.requests(for: "http://h/m3").isEmpty)
  }

  @Test("Documents are left out after limits.sourceSeconds without one that can be read")
  func deadDocuments() async throws {
    let lab = try Lab()
    lab.settings.limits.sourceSeconds = 1
    lab.random = LongestWaits()
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2", "m3", "m4"))
    lab.web.serve("http://h/m1", Self.book("First", 1))
    for number in 2...4 { lab.web.serve("http://h/m\(number)", .failure(.connectionLost)) }
    let result = try await lab.run(Self.collection)
    #expect(try await lab.records().map(\.title) == ["First"])
    #expect(result.problems.count == 2)
    #expect(
      result.problems.last?.contains("limits.sourceSeconds") == true
        && result.problems.last?.contains("2 documents are not read, the first: http://h/m3")
          == true
    )
    #expect(lab.web.requests(for: "http://h/m3").isEmpty)
  }

  @Test("A manifest whose label changes keeps its record beside other manifests")
  func changedLabel() async throws {
    let lab = try Lab()
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2"))
    lab.web.serve("http://h/m1", Self.book("First", 1, 2))
    lab.web.serve("http://h/m2", Self.book("Second", 3, 4))
    let engine = try await lab.started()
    let records = try await engine.add(Lab.request(Self.collection)).records
    try await engine.waitUntilIdle()
    lab.web.serve("http://h/m2", Self.book("Second edition", 3, 4, 5))
    let result = try await engine.refresh(records[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(result.newRecords.isEmpty && result.newEntries == 1)
    #expect(try await lab.records().map(\.counts.total) == [2, 3])
  }

  @Test("An image that stays reduced is kept with a remark, which other failures follow")
  func reducedImage() async throws {
    let lab = try Lab()
    Self.serve([Self.canvas("1", Self.body(Self.service))], of: lab)
    let info = #"{"type": "ImageService3", "profile": "level0", "width": 3000, "height": 2000}"#
    lab.web.serve(Self.service + "/info.json", FakeAnswer(body: Array(info.utf8)))
    try await lab.run(Self.manifest)
    let resource = try #require(try await lab.allResources().first)
    #expect(resource.state == .finished)
    #expect(
      resource.reason
        == "the image service delivered the image reduced: 3 × 2 of 3000 × 2000 pixels")
  }

  @Test("robots.txt of the target of a redirect is asked before the redirect is followed")
  func redirectedRobots() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://i/robots.txt", WebPageTests.answer("User-agent: *\nDisallow: /private"))
    lab.web.serve(Self.collection, Self.collection("All", "m1", "m2"))
    lab.web.serve("http://h/m1", Self.book("First", 1).redirected(to: "http://i/private/m1"))
    lab.web.serve("http://h/m2", Self.book("Second", 2).redirected(to: "http://i/public/m2"))
    let result = try await lab.run(Self.collection)
    #expect(
      result.problems == [
        "http://h/m1 redirects to http://i/private/m1, but the robots.txt of http://i disallows /private/m1"
      ])
    #expect(try await lab.records().map(\.title) == ["Second"])
    #expect(lab.web.requests(for: "http://h/m1").count == 1)
    // The exchange that the permission has interrupted is repeated.
    #expect(lab.web.requests(for: "http://h/m2").count == 2)
  }

  @Test("The redirect of the user's own URL is followed without asking")
  func usersRedirect() async throws {
    let lab = try Lab()
    lab.web.serve("http://i/robots.txt", WebPageTests.answer("User-agent: *\nDisallow: /"))
    lab.web.serve("http://h/m1", Self.book("First", 1).redirected(to: "http://i/m1"))
    let result = try await lab.run("http://h/m1")
    #expect(result.problems.isEmpty)
    #expect(lab.web.requests(for: "http://i/robots.txt").isEmpty)
  }

  @Test("New canvases at the end of a manifest go to the end, others to the top")
  func order() async throws {
    let lab = try Lab()
    let url = "http://h/m1"
    lab.web.serve(url, Self.book("Book", 1, 2))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(url)).records[0]
    lab.web.serve(url, Self.book("Book", 1, 2, 3))
    _ = try await engine.refresh(record)
    lab.web.serve(url, Self.book("Book", 4, 1, 2, 3))
    _ = try await engine.refresh(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.url) == [4, 1, 2, 3].map { Lab.url($0) })
  }
}
