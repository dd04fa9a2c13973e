import LibraryAPI
import Manifests
import Models
import Persistence
import TestSupport
import Testing
import Transport

@testable import Engine

/// Sources that are read again, or on, and are answered with a document of another kind or with nothing.
@Suite(.timeLimit(.minutes(60))) struct SourceFormatTests {
  private static let source = "http://h/p/"

  /// The documents of each kind, with picture N.
  private static let documents: [String: @Sendable (Int) -> String] = [
    "text": { "\(Lab.url($0))\n" },
    "csv": { "url,name\n\(Lab.url($0)),a\n\(Lab.url($0 + 1)),b\n" },
    "json": { #"["/p/\#($0).png"]"# },
    "name-map": { #"{"a": "/p/\#($0).png"}"# },
    "json page": { #"{"items": ["/p/\#($0).png"]}"# },
    "no names": { _ in "{}" },
    "error": { _ in #"{"error": "rate limited", "code": 429}"# },
    "json-lines": { "\"\(Lab.url($0))\"\n\"\(Lab.url($0 + 1))\"\n" },
    "feed": { FeedSourceTests.rss([$0]) },
    "atom": {
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>Birds</title>
      <entry><link rel="enclosure" type="image/png" href="/p/\($0).png"/></entry></feed>
      """
    },
    "json-feed": {
      #"{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "image": "/p/\#($0).png"}]}"#
    },
    "listing": {
      """
      <html><head><title>Index of /p/</title></head><body><h1>Index of /p/</h1><hr><pre><a href="../">../</a>
      <a href="\($0).png">\($0).png</a> 01-Jan-2020 00:00 10
      </pre></body></html>
      """
    },
    "html": {
      "<!DOCTYPE html><title>Error</title><img src=\"/p/\($0).png\" width=640 height=480>"
    },
    "blank": { _ in "" },
    "white space": { _ in String(repeating: " \r\n\t", count: 1_000) },
  ]

  private func answer(_ kind: String, _ number: Int) throws -> FakeAnswer {
    let document = try #require(Self.documents[kind])
    return FakeAnswer(body: Array(document(number).utf8))
  }

  private func serve(_ lab: Lab, _ kind: String, _ number: Int) throws {
    lab.web.serve(Self.source, try answer(kind, number))
  }

  private func urls(_ lab: Lab) async throws -> [String] {
    try await lab.allResources().map(\.url)
  }

  private func state(_ lab: Lab) async throws -> SourceState {
    let record = try #require(try await lab.records().first)
    return try #require(try await lab.disk.source(record.source)).state
  }

  @Test(
    "A refresh refuses a document of another kind, and changes nothing",
    arguments: [
      ("feed", "html"), ("feed", "json"), ("json-feed", "json"), ("listing", "html"),
      ("listing", "json"), ("json", "html"), ("json", "text"), ("text", "json"), ("html", "feed"),
      ("csv", "html"), ("json", "name-map"), ("name-map", "json"), ("json-lines", "name-map"),
    ])
  func otherKind(_ kind: String, _ later: String) async throws {
    let lab = try Lab()
    try serve(lab, kind, 1)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.source)).records[0]
    let known = try await urls(lab)
    try serve(lab, later, 7)
    let error = await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    #expect(error?.code == .source)
    let expected = kind == "json-feed" ? "feed" : kind
    #expect(
      error?.detail
        == "\(Self.source): the content has the format \"\(later)\", but the source has "
        + "\"\(expected)\"")
    #expect(try await urls(lab) == known)
    try serve(lab, kind, 1)
    #expect(try await engine.refresh(record).newEntries == 0)
    await engine.stop()
    #expect(lab.incomingFiles.isEmpty)
  }

  @Test(
    "A refresh accepts a document whose kind differs only by its content",
    arguments: [
      ("feed", "atom"), ("atom", "json-feed"), ("text", "csv"), ("csv", "text"),
      ("json", "json-lines"), ("json-lines", "json"), ("html", "listing"), ("json", "json page"),
      ("name-map", "name-map"),
    ])
  func sameFamily(_ kind: String, _ later: String) async throws {
    let lab = try Lab()
    try serve(lab, kind, 1)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.source)).records[0]
    try serve(lab, later, 7)
    let result = try await engine.refresh(record)
    #expect(result.newEntries > 0 || !result.newRecords.isEmpty)
    // The format of the first reading stays the one that is expected.
    try serve(lab, kind, 1)
    #expect(try await engine.refresh(record).newEntries == 0)
    await engine.stop()
  }

  @Test(
    "An object that reports an error is neither a list, a later version nor a further page of one",
    arguments: ["json", "json page", "json-lines", "name-map", "text"])
  func errorMessage(_ kind: String) async throws {
    let reason =
      #": is an error message, not a list: "error": "rate limited", "code": 429"#
    let lab = try Lab()
    let page = "http://h/page2"
    try serve(lab, "error", 0)
    let engine = try await lab.started()
    let refused = await #expect(throws: LibraryError.self) {
      try await engine.add(Lab.request(Self.source))
    }
    #expect(refused == LibraryError(.source, Self.source + reason))
    lab.web.serve(
      Self.source, try answer(kind, 1).with("Link", "<\(page)>; rel=\"next\""))
    lab.web.serve(page, try answer("error", 0))
    let result = try await engine.add(Lab.request(Self.source))
    #expect(
      result.problems == [page + reason + "; the pages of the list from there on are not read"])
    #expect(try await state(lab).nextPage == page)
    let known = try await urls(lab)
    try serve(lab, "error", 0)
    await #expect(throws: LibraryError(.source, Self.source + reason)) {
      try await engine.refresh(result.records[0])
    }
    #expect(try await urls(lab) == known && known.allSatisfy { $0.hasSuffix(".png") })
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("A further page that states an error beside an empty list is read again later")
  func errorPage() async throws {
    let lab = try Lab()
    let page = "http://h/page2"
    func serve(_ url: String, _ text: String) {
      lab.web.serve(url, FakeAnswer(body: Array(text.utf8)))
    }
    serve(Self.source, #"{"items": ["/p/1.png"], "next": "/page2"}"#)
    let reason =
      #", line 1, column 64: is an error message, not a list: "error": "Rate limit exceeded", "message": "wait""#
    serve(page, #"{"error": "Rate limit exceeded", "message": "wait", "items": []}"#)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.source))
    #expect(
      result.problems == [page + reason + "; the pages of the list from there on are not read"])
    #expect(try await state(lab).nextPage == page)
    await #expect(throws: LibraryError(.source, page + reason)) {
      try await engine.loadMore(result.records[0])
    }
    #expect(try await state(lab).nextPage == page)
    serve(page, #"{"error": null, "items": ["/p/2.png"], "next": "/page3"}"#)
    #expect(try await engine.loadMore(result.records[0]) == 1)
    // A message alone tells that the list has ended.
    serve("http://h/page3", #"{"message": "no more birds", "items": []}"#)
    #expect(try await engine.loadMore(result.records[0]) == 0)
    #expect(try await state(lab).nextPage == nil)
    #expect(try await urls(lab) == [Lab.url(1), Lab.url(2)])
    try await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("The shape of JSON is compared also if the user has chosen the format")
  func chosenFormat() async throws {
    let lab = try Lab()
    try serve(lab, "json", 1)
    let engine = try await lab.started()
    let request = SourceRequest(location: .url(try HTTPURL(Self.source)), format: .json)
    let record = try await engine.add(request).records[0]
    try serve(lab, "name-map", 7)
    await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    try serve(lab, "no names", 1)
    #expect(try await engine.refresh(record) == RefreshResult())
    #expect(try await urls(lab) == [Lab.url(1)])
    await engine.stop()
  }

  @Test("A map of names may become empty")
  func emptyMap() async throws {
    let lab = try Lab()
    try serve(lab, "name-map", 1)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.source)).records[0]
    #expect(try await state(lab).format == "name-map")
    try serve(lab, "no names", 1)
    #expect(try await engine.refresh(record) == RefreshResult())
    #expect(try await state(lab).format == "name-map")
    await engine.stop()
  }

  @Test("A source whose format is not known accepts any, and has that format from then on")
  func unknown() async throws {
    let lab = try Lab()
    try serve(lab, "json", 1)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.source)).records[0]
    try await engine.waitUntilIdle()
    await engine.stop()
    let id = try #require(try await lab.records().first).source
    try lab.disk.write { store throws(StoreError) in
      try store.setState(SourceState(), of: id)
    }
    lab.newProcess()
    try serve(lab, "feed", 2)
    let next = try await lab.started()
    _ = try await next.refresh(record)
    #expect(try await state(lab).format == "feed")
    try serve(lab, "json", 1)
    await #expect(throws: LibraryError.self) { try await next.refresh(record) }
    await next.stop()
  }

  @Test(
    "A further page of another kind, or without content, is not read, and the pages before it stay",
    arguments: [
      ("feed", "html"), ("feed", "json"), ("json-feed", "json"), ("listing", "html"),
      ("json", "html"), ("text", "html"), ("json", "blank"), ("text", "white space"),
      ("json", "name-map"),
      ("name-map", "json"), ("json page", "name-map"),
    ])
  func furtherPage(_ kind: String, _ later: String) async throws {
    let lab = try Lab()
    let page = "http://h/page2"
    lab.web.serve(
      Self.source, try answer(kind, 1).with("Link", "<\(page)>; rel=\"next\""))
    lab.web.serve(page, try answer(later, 7))
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(Self.source))
    #expect(try await urls(lab) == [Lab.url(1)])
    #expect(result.problemCount == 1)
    let problem = try #require(result.problems.first)
    #expect(problem.hasPrefix(page))
    let isEmpty = later == "blank" || later == "white space"
    let reason = isEmpty ? "the document is empty" : "has the format \"\(later)\""
    #expect(problem.contains(reason), "\(problem)")
    #expect(try await state(lab).nextPage == page)
    await #expect(throws: LibraryError.self) { try await engine.loadMore(result.records[0]) }
    #expect(try await urls(lab) == [Lab.url(1)])
    #expect(try await state(lab).nextPage == page)
    try await engine.waitUntilIdle()
    await engine.stop()
    try await lab.checkLibrary()
  }

  @Test(
    "A refresh of a source that has become empty is an error", arguments: ["blank", "white space"])
  func empty(_ later: String) async throws {
    let lab = try Lab()
    try serve(lab, "text", 1)
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Self.source)).records[0]
    try serve(lab, later, 1)
    await #expect(throws: LibraryError(.source, "\(Self.source): the document is empty")) {
      try await engine.refresh(record)
    }
    // A list without entries is one all the same.
    lab.web.serve(Self.source, FakeAnswer(body: Array("# none\n".utf8)))
    #expect(try await engine.refresh(record) == RefreshResult())
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab) == [Lab.url(1)])
    try await lab.checkLibrary()
  }

  @Test("A single resource is not replaced by the list or page that its URL has later")
  func resource() async throws {
    let lab = try Lab()
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request(Lab.url(1))).records[0]
    #expect(try await state(lab).format == "resource")
    #expect(try await engine.refresh(record).newEntries == 0)
    lab.web.serve(Lab.url(1), FakeAnswer(body: Array(#"["/p/2.png"]"#.utf8)))
    await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await urls(lab) == [Lab.url(1)])
  }
}
