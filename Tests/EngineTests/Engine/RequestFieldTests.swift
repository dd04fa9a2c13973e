import LibraryAPI
import Models
import Testing
import TestSupport

@testable import Engine
@testable import Transport

/// The fields and cookies of requests for the documents and resources of sources.
@Suite(.timeLimit(.minutes(60))) struct RequestFieldTests {
  @Test(
    "Images of a page are requested with its URL as Referer within its origin, otherwise with its origin"
  )
  func referers() async throws {
    let lab = try Lab()
    let page = "http://h/birds/1.html"
    lab.web.serve(
      page,
      WebPageTests.answer(
        """
        <!DOCTYPE html><title>Birds</title><main><img src="http://h/p/1.png"><img src="http://i/p/2.png">
        """))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(page))
    try await engine.waitUntilIdle()
    func sent(_ url: String) -> [String?] {
      lab.web.requests(for: url).map { $0.fields["Referer"] }
    }
    #expect(sent(page) == [nil])
    #expect(sent("http://h/p/1.png") == [page] && sent("http://i/p/2.png") == ["http://h/"])
    // The store has it, so that a later attempt sends it too; the same entries are not new for a refresh.
    #expect(try await lab.allResources().map { $0.fields["Referer"] } == [page, "http://h/"])
    let record = try #require(try await lab.records().first)
    #expect(try await engine.refresh(record.id).newEntries == 0)
    await engine.stop()
  }

  @Test("The policy of a page, or of its response, decides about the Referer of its images")
  func policies() async throws {
    let html =
      "<!DOCTYPE html>%<title>A</title><main><img src=http://h/p/1.png>"
      + "<img src=http://i/p/2.png></main>"
    for (meta, field, expected) in [
      ("<meta name=referrer content=no-referrer>", nil, [nil, nil]),
      ("", "no-referrer, same-origin, unknown", ["http://h/a", nil]),
      ("<meta name=referrer content=Always>", "origin", ["http://h/a", "http://h/a"]),
      ("<meta name=referrer content=nonsense>", "origin", ["http://h/", "http://h/"]),
    ] as [(String, String?, [String?])] {
      let lab = try Lab()
      var answer = WebPageTests.answer(
        html.split(separator: "%", maxSplits: 1).joined(separator: meta))
      if let field { answer = answer.with("Referrer-Policy", field) }
      lab.web.serve("http://h/a", answer)
      try await lab.run("http://h/a")
      #expect(
        ["http://h/p/1.png", "http://i/p/2.png"].map {
          lab.web.requests(for: $0).first?.fields["Referer"]
        } == expected, "\(meta) \(field ?? "")")
    }
  }

  @Test("The policy of an element takes the place of that of the page, unless it is unknown")
  func policiesOfElements() async throws {
    let lab = try Lab()
    lab.web.serve(
      "http://h/a",
      WebPageTests.answer(
        """
        <!DOCTYPE html><meta name=referrer content=origin><title>A</title><main>
        <img src=/p/1.png referrerpolicy=no-referrer><img src=/p/2.png referrerpolicy=Unsafe-URL>
        <img src=/p/3.png referrerpolicy=never><img src=/p/4.png referrerpolicy></main>
        """))
    try await lab.run("http://h/a")
    #expect(
      (1...4).map { lab.web.requests(for: Lab.url($0)).map { $0.fields["Referer"] } }
        == [[nil], ["http://h/a"], ["http://h/"], ["http://h/"]])
    // The store has it, so that a later attempt sends it too.
    #expect(
      try await lab.allResources().map { $0.fields["Referer"] }
        == [nil, "http://h/a", "http://h/", "http://h/"])
  }

  @Test("Images of a JSON Feed are requested with its URL as Referer, those of other JSON are not")
  func feeds() async throws {
    let lab = try Lab()
    let feed = "http://h/feed.json"
    lab.web.serve(
      feed,
      FakeAnswer(
        body: Array(
          """
          {"version": "https://jsonfeed.org/version/1.1", "title": "A",
           "items": [{"id": "1", "image": "http://h/p/1.png"}, {"id": "2", "image": "http://i/p/2.png"}]}
          """.utf8)))
    try await lab.run(feed)
    #expect(lab.web.requests(for: Lab.url(1)).map { $0.fields["Referer"] } == [feed])
    #expect(lab.web.requests(for: "http://i/p/2.png").map { $0.fields["Referer"] } == ["http://h/"])
  }

  @Test("The user's Referer takes the place of that of the page")
  func ownReferer() async throws {
    let lab = try Lab()
    lab.settings.network.headers = ["Referer: http://mine/"]
    lab.web.serve(WebPageTests.page, WebPageTests.answer(WebPageTests.html([1])))
    try await lab.run(WebPageTests.page)
    #expect(lab.web.requests(for: Lab.url(1)).map { $0.fields["Referer"] } == ["http://mine/"])
  }

  @Test("A list on a server has no Referer")
  func lists() async throws {
    let lab = try Lab()
    lab.serveImages(1...2)
    try await lab.run()
    #expect(lab.web.requests.allSatisfy { $0.fields["Referer"] == nil })
  }

  @Test(
    "Credentials in fields go to the origin of the source, and not to other origins that it names")
  func credentials() async throws {
    let lab = try Lab()
    lab.settings.network.headers = ["Authorization: Bearer s", "Accept-Language: de"]
    let other = "http://i/2.png"
    lab.serveList([Lab.url(1), other])
    try await lab.run()
    func sent(_ url: String, _ name: String) -> [String?] {
      lab.web.requests(for: url).map { $0.fields[name] }
    }
    for url in [Lab.list, Lab.url(1)] { #expect(sent(url, "Authorization") == ["Bearer s"]) }
    #expect(sent(other, "Authorization") == [nil] && sent(other, "Accept-Language") == ["de"])
  }

  @Test("Credentials do not follow a next page to another origin")
  func nextPage() async throws {
    let lab = try Lab()
    lab.settings.network.headers = ["Authorization: Bearer s"]
    let next = "http://i/2.json"
    lab.web.serve(
      Lab.list, WebPageTests.answer("{\"items\": [\"\(Lab.url(1))\"], \"next\": \"\(next)\"}"))
    lab.web.serve(next, WebPageTests.answer("[\"http://i/3.png\"]"))
    try await lab.run()
    for url in [next, "http://i/3.png"] {
      #expect(lab.web.requests(for: url).map { $0.fields["Authorization"] } == [nil], "\(url)")
    }
  }

  @Test("The cookies of a page are those of its images, and not of another source's")
  func cookies() async throws {
    let lab = try Lab()
    lab.web.serve(
      WebPageTests.page,
      WebPageTests.answer(WebPageTests.html([1])).with("Set-Cookie", "sid=7; Path=/"))
    let image = try HTTPURL(Lab.url(1))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(WebPageTests.page))
    try await engine.waitUntilIdle()
    let source = try #require(try await lab.records().first).source
    let (own, other) = await engine.run { stages in
      (
        stages.context.cookies[.source(source)].pairs(for: image).map(\.value),
        stages.context.cookies[.source(SourceID(99))].pairs(for: image).map(\.value)
      )
    }
    #expect(own == ["7"] && other == [])
    await engine.stop()
  }

  @Test(
    "A later refusal names the refresh that gets the cookies of the page again, unless none were set",
    arguments: [true, false])
  func lostCookies(setsCookies: Bool) async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    var page = WebPageTests.answer(WebPageTests.html([1, 2]))
    if setsCookies { page = page.with("Set-Cookie", "sid=7; Path=/") }
    lab.web.serve(WebPageTests.page, page)
    for number in 1...2 { lab.web.serve(Lab.url(number), FakeAnswer(status: 403)) }
    try await lab.run(WebPageTests.page)
    func lacking() async throws -> [Bool] { try await lab.allResources().map(\.lacksCookies) }
    // The cookies were sent.
    #expect(try await lacking() == [false, false])
    lab.newProcess()
    lab.web.serve(WebPageTests.page, page)
    // A cookie of the refusal itself is none of the page.
    lab.web.serve(Lab.url(1), FakeAnswer(status: 403).with("Set-Cookie", "a=1; Path=/"))
    lab.web.serve(Lab.url(2), FakeAnswer(status: 404))
    let engine = try await lab.started()
    let record = try #require(try await lab.records().first).id
    #expect(try await engine.retry(record) == 2)
    try await engine.waitUntilIdle()
    #expect(try await lacking() == [setsCookies, false])
    _ = try await engine.refresh(record)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lacking() == [false, false])
    #expect(lab.web.requests(for: Lab.url(1)).count == (setsCookies ? 2 : 1))
  }

  @Test("A refresh that gets the cookies of a page again tries again what failed without them")
  func cookiesOfAnotherRun() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    let page = WebPageTests.answer(WebPageTests.html([1])).with("Set-Cookie", "sid=7; Path=/")
    lab.web.serve(WebPageTests.page, page)
    lab.web.serve(Lab.url(1), FakeAnswer(status: 403))
    try await lab.run(WebPageTests.page)
    #expect(try await lab.allResources().map(\.state) == [.failed])
    lab.newProcess()
    lab.web.serve(WebPageTests.page, page)
    lab.web.serve(Lab.url(1), .file(Lab.image(1)))
    let engine = try await lab.started()
    let record = try #require(try await lab.records().first).id
    #expect(try await engine.refresh(record).newEntries == 0)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.allResources().map(\.state) == [.finished])
  }

  @Test("Only the jars that were used last are kept")
  func jars() throws {
    let jars = CookieJars()
    let url = try HTTPURL("http://h/")
    jars[.source(SourceID(1))].receive(HTTPFields(["Set-Cookie": "a=1"]), from: url)
    jars[.source(SourceID(2))].receive(HTTPFields(["Set-Cookie": "a=1"]), from: url)
    for number in 3..<300 {
      _ = jars[.source(SourceID(Int64(number)))]
      _ = jars[.source(SourceID(1))]
    }
    #expect(!jars[.source(SourceID(1))].pairs(for: url).isEmpty)
    #expect(jars[.source(SourceID(2))].pairs(for: url).isEmpty)
  }
}
