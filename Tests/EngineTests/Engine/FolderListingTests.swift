import Foundation
import LibraryAPI
import Manifests
import Markup
import Models
import Persistence
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// The listings of web servers as sources: each folder is a record.
@Suite(.timeLimit(.minutes(60))) struct FolderListingTests {
  private static let root = "http://h/pub/"

  /// The listing that a server made of a folder with nine files and the folders `sub` and `with space`.
  private func listing(_ server: String) throws -> [UInt8] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return [UInt8](
      try Data(contentsOf: tests.appending(path: "MarkupTests/Listings/\(server).html")))
  }

  /// A listing by nginx.
  private func listing(of path: String, _ names: String...) -> FakeAnswer {
    let links = names.map { "<a href=\"\($0)\">\($0)</a> 03-Feb-2024 04:05 1\n" }.joined()
    return FakeAnswer(
      body: Array(
        "<html><head><title>Index of \(path)</title></head><body><pre><a href=\"../\">../</a>\n\(links)</pre>"
          .utf8))
  }

  @Test(
    "The files of a server's listing are a record, and those of its folders are records of their own",
    arguments: ["nginx", "apache-plain", "apache-fancy", "apache-table", "lighttpd", "caddy"])
  func servers(_ server: String) async throws {
    let lab = try Lab()
    lab.web.serve(Self.root, FakeAnswer(body: try listing(server)))
    lab.web.serve(Self.root + "sub/", listing(of: "/pub/sub/", "1.png", "2.png"))
    lab.web.serve(Self.root + "with%20space/", listing(of: "/pub/with space/", "3.png"))
    lab.web.serve(Self.root + ".hidden/", listing(of: "/pub/.hidden/"))
    for name in ["sub/1.png", "sub/2.png", "with%20space/3.png"] {
      lab.web.serve(Self.root + name, .file(Lab.image(name.utf8.count)))
    }
    let result = try await lab.run(Self.root)
    #expect(result.problems == [])
    let records = try await lab.records()
    #expect(Set(records.map(\.title)) == ["pub", "sub", "with space"])
    #expect(records.count == 3)
    for record in records where record.title != "pub" {
      let resources = try await lab.resources(record)
      #expect(resources.map(\.title) == (record.title == "sub" ? ["1.png", "2.png"] : ["3.png"]))
      #expect(resources.allSatisfy { $0.state == .finished })
    }
    let files = try #require(records.first { $0.title == "pub" })
    let names = try await lab.resources(files).compactMap(\.title)
    // A text is left out beside images.
    #expect(names.count == 8 && names.contains("q?uery#hash.jpg"))
    #expect(!lab.web.requests.contains { $0.url == "http://h/" })
    try await lab.checkLibrary()
  }

  @Test(
    "A further page continues the record of the listing; its folders are records, and have no page of their own"
  )
  func furtherPage() async throws {
    let lab = try Lab()
    lab.web.serve(
      Self.root, listing(of: "/pub/", "a/", "1.png").with("Link", "<?2>; rel=\"next\""))
    lab.web.serve(Self.root + "?2", listing(of: "/pub/", "a/", "b/", "2.png"))
    lab.web.serve(Self.root + "a/", listing(of: "/pub/a/", "3.png"))
    lab.web.serve(Self.root + "b/", listing(of: "/pub/b/", "4.png", "5.png"))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(Self.root, isLazy: true))
    let records = try await lab.records()
    #expect(records.map(\.title) == ["pub", "a"])
    let (listing, folder) = (records[0], records[1])
    lab.web.forgetRequests()
    #expect(try await engine.loadMore(folder.id) == 0)
    #expect(lab.web.requests.isEmpty, "the page of the listing is not one of the folder")
    #expect(try await engine.loadMore(listing.id) == 3)
    #expect(try await engine.loadMore(listing.id) == 0)
    await engine.stop()
    let after = try await lab.records()
    #expect(after.map(\.title) == ["pub", "a", "b"])
    var names: [[String]] = []
    for record in after { names.append(try await lab.resources(record).compactMap(\.title)) }
    #expect(names == [["1.png", "2.png"], ["3.png"], ["4.png", "5.png"]])
    try await lab.checkLibrary()
  }

  @Test("Folders are read down to limits.sourceDepth, each once")
  func depth() async throws {
    let lab = try Lab()
    lab.settings.limits.sourceDepth = 1
    lab.web.serve(Self.root, listing(of: "/pub/", "a/", "./a/", "1.png"))
    lab.web.serve(Self.root + "a/", listing(of: "/pub/a/", "b/", "2.png"))
    let result = try await lab.run(Self.root)
    #expect(result.problemCount == 1)
    #expect(result.problems.first?.contains("limits.sourceDepth") == true)
    #expect(try await lab.records().map(\.title) == ["pub", "a"])
    #expect(
      lab.web.requests.filter { $0.url.hasSuffix("/") }.map(\.url) == [
        Self.root, Self.root + "a/",
      ])
  }

  @Test("A folder that cannot be read is a problem, and the others are read")
  func problems() async throws {
    let lab = try Lab()
    lab.web.serve(Self.root, listing(of: "/pub/", "gone/", "bad/", "picture/", "good/"))
    lab.web.serve(Self.root + "bad/", listing(of: "/pub/bad/", "1.png"))
    lab.web.serve(Self.root + "picture/", .file(Lab.image(1)))
    lab.web.serve(Self.root + "good/", listing(of: "/pub/good/", "1.png"))
    lab.markup = FailingMarkupReader(
      errors: [Self.root + "bad/": MarkupError(.worker, "the worker crashed")])
    let result = try await lab.run(Self.root)
    #expect(
      result.problems == [
        "\(Self.root)gone/: HTTP 404 Not Found", "\(Self.root)bad/: the worker crashed",
        "\(Self.root)picture/: this is not a list",
      ])
    #expect(try await lab.records().map(\.title) == ["good"])
  }

  @Test(
    "A folder that robots.txt forbids is a problem, and the folder of the user is not asked about")
  func robots() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/robots.txt", WebPageTests.answer("User-agent: *\nDisallow: /pub"))
    lab.web.serve(Self.root, listing(of: "/pub/", "a/", "1.png"))
    lab.web.serve(Self.root + "1.png", .file(Lab.image(1)))
    let result = try await lab.run(Self.root)
    #expect(
      result.problems == ["the robots.txt of http://h disallows /pub/a/"])
    #expect(try await lab.allResources().map(\.state) == [.finished])
    #expect(!lab.web.requests.contains { $0.url == Self.root + "a/" })
  }

  @Test("Of many folders that a robots.txt forbids, the first are named and the others counted")
  func manyRefusals() async throws {
    let lab = try Lab()
    let folders = ["f1/", "f2/", "f3/", "f4/", "f5/"]
    lab.web.serve(
      "http://h/robots.txt", WebPageTests.answer("User-agent: *\nDisallow: /pub/f"))
    lab.web.serve(Self.root, listing(of: "/pub/", "f1/", "f2/", "f3/", "f4/", "f5/", "ok/"))
    lab.web.serve(Self.root + "ok/", listing(of: "/pub/ok/", "1.png"))
    lab.web.serve(Self.root + "ok/1.png", .file(Lab.image(1)))
    let result = try await lab.run(Self.root)
    #expect(
      result.problems
        == folders.prefix(3).map { "the robots.txt of http://h disallows /pub/\($0)" } + [
          "2 more documents of http://h are left out because of its robots.txt"
        ])
    #expect(try await lab.allResources().map(\.state) == [.finished])
  }

  @Test("If a robots.txt cannot be read, each problem names the folder")
  func unreadableRobots() async throws {
    let lab = try Lab()
    lab.web.serve("http://h/robots.txt", FakeAnswer(status: 500))
    lab.web.serve(Self.root, listing(of: "/pub/", "1.png", "a/", "b/", "c/", "d/"))
    lab.web.serve(Self.root + "1.png", .file(Lab.image(1)))
    let problems = try await lab.run(Self.root).problems
    #expect(problems.count == 4)
    for (problem, folder) in zip(problems, ["a/", "b/", "c/"]) {
      #expect(
        problem.hasPrefix("\(Self.root)\(folder): the robots.txt of http://h cannot be read"),
        "\(problem)")
    }
    #expect(problems.last == "1 more document of http://h is left out because of its robots.txt")
  }

  @Test("Without network.obeyRobots, no robots.txt is requested")
  func ignoredRobots() async throws {
    let lab = try Lab()
    lab.settings.network.obeyRobots = false
    lab.web.serve(Self.root, listing(of: "/pub/", "a/"))
    lab.web.serve(Self.root + "a/", listing(of: "/pub/a/", "1.png"))
    lab.web.serve(Self.root + "a/1.png", .file(Lab.image(1)))
    _ = try await lab.run(Self.root)
    #expect(try await lab.allResources().map(\.state) == [.finished])
    #expect(!lab.web.requests.contains { $0.url.hasSuffix("robots.txt") })
  }

  @Test("A refresh leaves the images of folders with one name in their records")
  func refresh() async throws {
    let lab = try Lab()
    lab.web.serve(Self.root, listing(of: "/pub/", "a/", "b/", "empty/"))
    lab.web.serve(Self.root + "empty/", listing(of: "/pub/empty/"))
    for folder in ["a", "b"] {
      lab.web.serve(Self.root + folder + "/", listing(of: "/pub/\(folder)/", "x/"))
      lab.web.serve(
        Self.root + folder + "/x/", listing(of: "/pub/\(folder)/x/", "\(folder).png"))
    }
    let engine = try await lab.started()
    let before = try await engine.add(Lab.request(Self.root)).records
    try await engine.waitUntilIdle()
    #expect(before.count == 2)
    lab.web.serve(Self.root + "a/x/", listing(of: "/pub/a/x/", "a.png", "new.png"))
    let result = try await engine.refresh(before[0])
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(result.newEntries == 1 && result.newRecords.isEmpty)
    let after = try await lab.records()
    #expect(after.map(\.id) == before && after.map(\.title) == ["x", "x"])
    #expect(after.map(\.counts.total) == [2, 1])
  }

  @Test("A folder with a page of its own is a record with the images of the page")
  func indexPage() async throws {
    let lab = try Lab()
    lab.web.serve(Self.root, listing(of: "/pub/", "a/", "b/"))
    lab.web.serve(
      Self.root + "a/", WebPageTests.answer("<html><title>Birds</title><img src=/p/1.png>"))
    lab.web.serve(Self.root + "b/", WebPageTests.answer("<html><title>Nothing</title>"))
    let result = try await lab.run(Self.root)
    #expect(result.problems == [] && result.entryCount == 1)
    #expect(try await lab.records().map(\.title) == ["Birds"])
  }

  @Test("--format html reads the links to images of a listing, without its folders")
  func asPage() async throws {
    let lab = try Lab()
    lab.web.serve(Self.root, listing(of: "/pub/", "a/", "1.png", "notes.txt"))
    lab.web.serve(Self.root + "1.png", .file(Lab.image(1)))
    let engine = try await lab.started()
    var request = try Lab.request(Self.root)
    request.format = .html
    _ = try await engine.add(request)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.url) == [Self.root + "1.png"])
  }

  @Test("An empty folder is an empty list")
  func empty() async throws {
    let lab = try Lab()
    lab.web.serve(Self.root, listing(of: "/pub/"))
    let engine = try await lab.started()
    let error = await #expect(throws: LibraryError.self) {
      _ = try await engine.add(Lab.request(Self.root))
    }
    await engine.stop()
    #expect(error == LibraryError(.source, "\(Self.root): the list is empty"))
  }
}
