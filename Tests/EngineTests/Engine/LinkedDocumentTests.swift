import LibraryAPI
import Models
import Persistence
import TestSupport
import Testing
import Transport

@testable import Engine

/// Documents that a source links to, which are answered with something else, late, or by a redirect.
@Suite(.timeLimit(.minutes(60))) struct LinkedDocumentTests {
  private static let index = "http://h/sitemap.xml"
  private static let child = "http://h/1.xml"
  private static let robots = "http://h/robots.txt"

  private static func sitemap(_ picture: Int) -> FakeAnswer {
    answer("<urlset><url><loc>\(Lab.url(picture))</loc></url></urlset>")
  }

  private static func answer(_ text: String) -> FakeAnswer { FakeAnswer(body: Array(text.utf8)) }

  /// An index with two sitemaps, of which the first is answered so.
  private func lab(_ answer: FakeAnswer) throws -> Lab {
    let lab = try Lab()
    let locations = [Self.child, "http://h/2.xml"].map { "<sitemap><loc>\($0)</loc></sitemap>" }
    lab.web.serve(
      Self.index, Self.answer("<sitemapindex>\(locations.joined())</sitemapindex>"))
    lab.web.serve(Self.child, answer)
    lab.web.serve("http://h/2.xml", Self.sitemap(2))
    return lab
  }

  @Test(
    "A part of a sitemap that is none adds nothing, and is a problem",
    arguments: [
      ("<!DOCTYPE html><title>502</title><img src=\"/p/9.png\" width=640 height=480>", "\"html\""),
      ("<!DOCTYPE html><title>502</title><h1>Bad Gateway</h1>", "\"html\""),
      (#"{"thumb": "/p/9.png"}"#, "\"name-map\""), (#"["/p/9.png"]"#, "\"json\""),
      ("", "the document is empty"), (" \n", "the document is empty"),
    ])
  func otherFormat(_ text: String, _ reason: String) async throws {
    let lab = try lab(Self.answer(text))
    let result = try await lab.run(Self.index)
    #expect(try await lab.allResources().map(\.url) == [Lab.url(2)])
    #expect(try await lab.records().count == 1)
    #expect(result.problemCount == 1)
    let problem = try #require(result.problems.first)
    #expect(problem.hasPrefix(Self.child + ": ") && problem.contains(reason), "\(problem)")
    try await lab.checkLibrary()
  }

  @Test("A part of a sitemap may be a feed, or a list of URLs in plain text")
  func otherParts() async throws {
    for text in [FeedSourceTests.rss([1]), Lab.url(1) + "\n"] {
      let lab = try lab(Self.answer(text))
      #expect(try await lab.run(Self.index).problems.isEmpty)
      #expect(try await lab.allResources().map(\.url) == [1, 2].map { Lab.url($0) })
    }
  }

  @Test(
    "Documents and images on another site, and its robots.txt, get no credentials of the user"
  )
  func otherSite() async throws {
    let lab = try Lab()
    lab.settings.network.headers = ["Authorization: Bearer s"]
    let child = "http://i/1.xml"
    lab.web.serve(
      Self.index,
      Self.answer("<sitemapindex><sitemap><loc>\(child)</loc></sitemap></sitemapindex>"))
    lab.web.serve(child, Self.sitemap(1))
    #expect(try await lab.run(Self.index).problems.isEmpty)
    func sent(_ url: String) -> [String?] {
      lab.web.requests(for: url).map { $0.fields["Authorization"] }
    }
    #expect(sent(Self.index) == ["Bearer s"] && sent("http://i/robots.txt") == [nil])
    #expect(sent(child) == [nil] && sent(Lab.url(1)) == ["Bearer s"])
  }

  @Test("A redirect within the site is followed only to what its robots.txt permits")
  func redirects() async throws {
    for (path, isPermitted) in [("/private/1.xml", false), ("/public/1.xml", true)] {
      var redirected = Self.sitemap(1)
      redirected.location = "http://h" + path
      let lab = try lab(redirected)
      lab.web.serve(Self.robots, Self.answer("User-agent: *\nDisallow: /private/"))
      let result = try await lab.run(Self.index)
      let expected = isPermitted ? [Lab.url(1), Lab.url(2)] : [Lab.url(2)]
      #expect(try await lab.allResources().map(\.url) == expected)
      #expect(
        result.problems
          == (isPermitted
            ? []
            : [
              "\(Self.child) redirects to http://h\(path), but the robots.txt of http://h disallows \(path)"
            ]))
    }
  }

  @Test("Redirects are not asked about if robots.txt is not obeyed")
  func ignoredRobots() async throws {
    var redirected = Self.sitemap(1)
    redirected.location = "http://h/private/1.xml"
    let lab = try lab(redirected)
    lab.settings.network.obeyRobots = false
    #expect(try await lab.run(Self.index).problems.isEmpty)
    #expect(lab.web.requests(for: Self.child).count == 1)
  }

  @Test("The transfer of every further document ends with the time for a readable one")
  func time() async throws {
    let lab = try lab(Self.sitemap(1))
    lab.settings.limits.sourceSeconds = 100
    try await lab.run(Self.index)
    let limits = lab.web.requests.filter { $0.url.hasSuffix(".xml") }.map(\.totalTimeout)
    #expect(limits.count == 3 && limits[0] == 0)
    #expect(limits.dropFirst().allSatisfy { (1...100).contains($0) }, "\(limits)")
  }

  @Test("A document is not retried when the time for a readable one is over")
  func late() async throws {
    let lab = try lab(Self.sitemap(1))
    lab.web.serve("http://h/2.xml", .failure(.totalTimeout))
    lab.settings.limits.sourceSeconds = 5
    lab.settings.network.retries = 1_000
    let result = try await lab.run(Self.index)
    #expect(result.problemCount == 1 && result.problems[0].hasPrefix("http://h/2.xml: "))
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1)])
    #expect(lab.web.requests(for: "http://h/2.xml").count < 20)
  }
}
