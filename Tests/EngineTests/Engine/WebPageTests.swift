import LibraryAPI
import Manifests
import Markup
import MarkupSandbox
import Models
import Persistence
import RenderMessages
import SystemCalls
import TestSupport
import Testing
import Transport
import WorkerProcess

@testable import Engine

/// Web pages as sources, parsed in this process.
@Suite(.timeLimit(.minutes(60))) struct WebPageTests {
  static let page = "http://h/birds.html"

  /// A page with the images, a title, and a logo in its header.
  static func html(_ images: [Int], title: String = "Two birds", head: String = "") -> String {
    """
    <!DOCTYPE html><html><head><title>\(title)</title>\(head)</head><body>
    <header class="site-header"><img src="/p/99.png" class="logo" alt="Logo"></header>
    <main>\(images.map { "<p><img src='p/\($0).png' alt='Bird \($0)'>" }.joined())</main></body></html>
    """
  }

  static func answer(_ text: String) -> FakeAnswer { FakeAnswer(body: Array(text.utf8)) }

  private func lab(_ pages: [String: String]) throws -> Lab {
    let lab = try Lab()
    for (url, text) in pages { lab.web.serve(url, Self.answer(text)) }
    return lab
  }

  /// The error of adding a source, which must leave nothing behind.
  private func error(_ lab: Lab, _ request: SourceRequest) async throws -> LibraryError? {
    let engine = try await lab.started()
    let error = await #expect(throws: LibraryError.self) { _ = try await engine.add(request) }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().isEmpty && lab.incomingFiles.isEmpty)
    return error
  }

  @Test("The images of a page are one record with the title of the page, without decorations")
  func images() async throws {
    let lab = try lab([Self.page: Self.html([1, 2])])
    let result = try await lab.run(Self.page)
    #expect(result.entryCount == 2 && result.problems.isEmpty)
    #expect(try await lab.records().map(\.title) == ["Two birds"])
    let resources = try await lab.allResources()
    #expect(resources.map(\.url) == [Lab.url(1), Lab.url(2)])
    #expect(resources.map(\.title) == ["Bird 1", "Bird 2"])
    #expect(resources.allSatisfy { $0.state == .finished })
    try await lab.checkLibrary()
  }

  @Test("A page that does not end fails at the limit of pages, and leaves nothing behind")
  func endless() async throws {
    let lab = try Lab()
    lab.settings.limits.manifestBytes = 10_000
    let image = "<p><img src='p/1.png'>\n"
    lab.web.serve(Self.page, Self.answer(String(repeating: image, count: 100_000)))
    let found = try await error(lab, Lab.request(Self.page))
    #expect(found?.code == .policy)
    #expect(found?.detail.contains("the web page has more than 10000 bytes") == true)
  }

  @Test("A part of a page without the elements around it is a page")
  func fragment() async throws {
    let lab = try lab([Self.page: "<p>Two <a href='p/1.png'><img src='t/1.png'></a> birds"])
    let result = try await lab.run(Self.page)
    #expect(result.entryCount == 1)
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1)])
  }

  @Test("A page is recognised by its content, for any URL and media type")
  func recognition() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a.json",
      Self.answer("<!-- x --><html><img src=/p/1.png>").with("Content-Type", "application/json"))
    try await lab.run("http://h/a.json")
    #expect(try await lab.records().map(\.title) == ["a"])
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1)])
  }

  @Test("References are resolved against the URL that delivered the page, and its base")
  func references() async throws {
    let lab = try Lab()
    var answer = Self.answer("<html><img src=p/1.png>")
    answer.location = "http://h/a/b.html"
    lab.web.serve("http://h/start", answer)
    try await lab.run("http://h/start")
    #expect(try await lab.allResources().map(\.url) == ["http://h/a/p/1.png"])
    let other = try self.lab(["http://h/c.html": "<html><base href=http://g/><img src=p/2.png>"])
    try await other.run("http://h/c.html")
    #expect(try await other.allResources().map(\.url) == [Lab.url(2, host: "g")])
  }

  @Test("The encoding of a page is that of its field Content-Type")
  func encoding() async throws {
    let lab = try Lab()
    lab.web.serve(
      Self.page,
      FakeAnswer(
        body: Array("<html><title>K\u{1}fer</title><img src=/p/1.png>".utf8).map {
          $0 == 1 ? 0xe4 : $0
        }
      ).with("Content-Type", "text/html; charset=\"ISO-8859-1\""))
    try await lab.run(Self.page)
    #expect(try await lab.records().map(\.title) == ["Käfer"])
  }

  @Test("Pages that continue a page belong to its record")
  func pages() async throws {
    let next = "<link rel=next href='?page=2'>"
    let lab = try lab([
      Self.page: Self.html([1], head: next),
      Self.page + "?page=2": Self.html([2], title: "Page two"),
    ])
    try await lab.run(Self.page)
    #expect(try await lab.records().map(\.title) == ["Two birds"])
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)])
  }

  @Test("A page without images is refused, and a local page without a base names its references")
  func unusable() async throws {
    let lab = try lab(["http://h/x.html": "<!doctype html><title>Sign in</title>"])
    let refused = try await error(lab, Lab.request("http://h/x.html"))
    #expect(
      refused == LibraryError(.source, "http://h/x.html: no images were found in this web page"))
    let path = try lab.folder.write("page.html", Array("<html><img src=a.png>".utf8))
    let local = try await error(lab, SourceRequest(location: .file(path)))
    #expect(local?.detail.contains("is relative") == true, "\(local?.detail ?? "")")
  }

  @Test("A local page may have absolute references")
  func localFile() async throws {
    let lab = try Lab()
    let path = try lab.folder.write(
      "page.html", Array("<html><title>Saved</title><img src=\(Lab.url(1))>".utf8))
    let engine = try await lab.started()
    _ = try await engine.add(SourceRequest(location: .file(path)))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().map(\.title) == ["Saved"])
    #expect(try await lab.allResources().map(\.state) == [.finished])
  }

  @Test("A demanded format is used for text that is not recognised, and refused for images")
  func demanded() async throws {
    let lab = try lab(["http://h/part": "<div><img src=/p/1.png></div>"])
    let engine = try await lab.started()
    var request = try Lab.request("http://h/part")
    request.format = .html
    #expect(try await engine.add(request).entryCount == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    lab.newProcess()
    let other = try Lab()
    request = try Lab.request(Lab.url(1))
    request.format = .html
    #expect(
      try await error(other, request)
        == LibraryError(.source, "\(Lab.url(1)): the content is PNG, not a web page"))
  }

  @Test("A refreshed page adds its new images to its record, whose title stays")
  func refresh() async throws {
    let lab = try lab([Self.page: Self.html([1])])
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.page)).records[0]
    try await engine.waitUntilIdle()
    lab.web.serve(Self.page, Self.answer(Self.html([2, 1], title: "Three birds")))
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().map(\.title) == ["Two birds"])
    #expect(try await lab.allResources().map(\.url) == [Lab.url(2), Lab.url(1)])
  }

  @Test("Of a page with more images than limits.manifestEntries, the first ones are kept")
  func tooMany() async throws {
    let lab = try lab([Self.page: Self.html([1, 2, 3])])
    lab.settings.limits.manifestEntries = 2
    let result = try await lab.run(Self.page)
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1), Lab.url(2)])
    #expect(
      result.problems == [
        "\(Self.page): the source has more than 2 entries (limits.manifestEntries); the rest is left out"
      ])
    try await lab.checkLibrary()
  }

  // MARK: - Workers

  @Test("A worker that crashes or reaches a limit fails the page, and leaves nothing")
  func crash() async throws {
    for (failure, code) in [
      (MarkupError(.worker, "it crashed"), LibraryError.Code.source), (.outOfMemory, .policy),
    ] {
      let lab = try lab([Self.page: Self.html([1])])
      lab.markup = FailingMarkupReader(errors: [Self.page: failure])
      #expect(
        try await error(lab, Lab.request(Self.page))
          == LibraryError(code, "\(Self.page): \(failure.description)"))
    }
  }

  @Test("A worker that is not installed is named")
  func missing() async throws {
    let lab = try lab([Self.page: Self.html([1])])
    var configuration = ReadingWorkers.Configuration.markup(
      helpers: HelperLocator(explicit: lab.folder.path))
    configuration.role.helperName = "imgdl-markup"
    lab.markup = SandboxedMarkupReader(workers: ReadingWorkers(configuration))
    let found = try await error(lab, Lab.request(Self.page))
    #expect(found?.code == .source)
    for words in [Self.page, "the helper program imgdl-markup is missing"] {
      #expect(found?.detail.contains(words) == true, "\(found?.detail ?? "")")
    }
  }
}
