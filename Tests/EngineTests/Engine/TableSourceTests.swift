import LibraryAPI
import Manifests
import Models
import Persistence
import Testing
import TestSupport
@testable import Engine

/// Tables and lists of other programs as sources.
@Suite(.timeLimit(.minutes(60))) struct TableSourceTests {
  private func serve(_ lab: Lab, _ text: String) {
    lab.web.serve(Lab.list, FakeAnswer(body: Array(text.utf8)))
  }

  @Test("A table is recognised; its records and its bad rows are reported")
  func recognised() async throws {
    let lab = try Lab()
    serve(
      lab,
      "url,album\n\(Lab.url(1)),A\nftp://h/x,A\n\(Lab.url(2)),A\n\(Lab.url(3)),\"B\n\(Lab.url(4)),B\n"
    )
    let result = try await lab.run()
    #expect(result.entryCount == 3 && result.problemCount == 2)
    #expect(result.problems.first?.contains("line 3: \"ftp://h/x\"") == true)
    #expect(try await lab.records().map(\.title) == ["A", "B"])
    #expect(try await lab.allResources().map(\.url) == [1, 2, 4].map { Lab.url($0) })
    try await lab.checkLibrary()
  }

  @Test(
    "Entries of a record need not follow each other: it is made once, with its entries in their order",
    arguments: [
      "url,album\nURL1,A\nURL2,B\nURL3,A\nURL4,B\nURL5,A\n",
      """
      [[2,{"title":"A"}],[3,"URL1",{}],[2,{"title":"B"}],[3,"URL2",{}],[2,{"title":"A"}],
       [3,"URL3",{}],[2,{"title":"B"}],[3,"URL4",{}],[2,{"title":"A"}],[3,"URL5",{}]]
      """,
    ])
  func alternatingRecords(_ text: String) async throws {
    let lab = try Lab()
    let list = (1...5).reduce(text) { $0.replacing("URL\($1)", with: Lab.url($1)) }
    serve(lab, list)
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request())
    #expect(result.records.count == 2 && result.entryCount == 5)
    let records = try await lab.records()
    #expect(records.map(\.title) == ["A", "B"])
    #expect(try await lab.resources(records[0]).map(\.url) == [1, 3, 5].map { Lab.url($0) })
    #expect(try await lab.resources(records[1]).map(\.url) == [2, 4].map { Lab.url($0) })
    try await engine.waitUntilIdle()
    #expect(try await engine.refresh(records[0].id) == RefreshResult())
    await engine.stop()
    #expect(try await lab.records().allSatisfy { $0.counts.finished == $0.counts.total })
    try await lab.checkLibrary()
  }

  @Test("Rows in any order are sorted by their records in batches, and lose none")
  func manyAlternatingRecords() async throws {
    let lab = try Lab()
    let count = 20_000
    // Each record's rows are scattered over the whole table.
    let rows = (0..<count).map { "http://h/\($0).png,\($0 * 7 % 10)\n" }
    serve(lab, "url,album\n" + rows.joined())
    let engine = try await lab.started()
    let result = try await engine.add(Lab.request(isLazy: true))
    await engine.stop()
    #expect(result.entryCount == count)
    let records = try await lab.records()
    #expect(records.map(\.title) == (0..<10).map { "\($0 * 7 % 10)" })
    for record in records {
      let urls = try await lab.resources(record).map(\.url)
      let expected = (0..<count).filter { "\($0 * 7 % 10)" == record.title }
      #expect(urls == expected.map { "http://h/\($0).png" })
    }
    try await lab.checkLibrary()
  }

  @Test("Folders of an input file of aria2 with the same last name are different records")
  func foldersOfTheSameName() async throws {
    let lab = try Lab()
    let folders = ["/x/a", "/y/a", "/x/a", nil, "/y/a", nil]
    let lines = folders.enumerated().map { index, folder in
      Lab.url(index + 1) + (folder.map { "\n dir=\($0)" } ?? "") + "\n"
    }
    serve(lab, lines.joined())
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    await engine.stop()
    let records = try await lab.records()
    #expect(records.map(\.title).prefix(2) == ["a", "a"] && records.count == 3)
    #expect(try await lab.resources(records[0]).map(\.url) == [1, 3].map { Lab.url($0) })
    #expect(try await lab.resources(records[1]).map(\.url) == [2, 5].map { Lab.url($0) })
    #expect(try await lab.resources(records[2]).map(\.url) == [4, 6].map { Lab.url($0) })
  }

  @Test("The records that were used last are remembered; a forgotten key begins another record")
  func forgottenRecords() {
    var groups = RecordGroups()
    for number in 0..<RecordGroups.countLimit { groups.insert(number, for: "\(number)") }
    #expect(groups.place(of: "0") == 0)
    groups.insert(-1, for: "new")
    #expect(groups.place(of: "0") == 0, "it was used")
    #expect(groups.place(of: "1") == nil)
    #expect(groups.place(of: "2") == 2)
    let long = String(repeating: "x", count: RecordGroups.byteLimit - 1)
    groups.insert(7, for: long)
    #expect(groups.place(of: "3") == nil && groups.place(of: long) == 7)
  }

  @Test("A refresh uses the columns that were named when the source was added")
  func refresh() async throws {
    let lab = try Lab()
    serve(
      lab, "a,b,c\n\(Lab.url(1)),\(Lab.url(11)),one.png\n\(Lab.url(2)),\(Lab.url(12)),two.png\n")
    var request = try Lab.request()
    request.columns = ListColumns(url: "b", name: "3")
    let engine = try await lab.started()
    let record = try #require(try await engine.add(request).records.first)
    try await engine.waitUntilIdle()
    #expect(try await lab.allResources().map(\.url) == [Lab.url(11), Lab.url(12)])
    #expect(try await lab.allResources().map(\.title) == ["one.png", "two.png"])
    serve(lab, "a,b,c\n\(Lab.url(1)),\(Lab.url(11)),one.png\n\(Lab.url(3)),\(Lab.url(13)),x.png\n")
    #expect(try await engine.refresh(record) == RefreshResult(newEntries: 1))
    try await engine.waitUntilIdle()
    // The column is gone.
    serve(lab, "a,d\n\(Lab.url(1)),\(Lab.url(11))\n")
    await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    await engine.stop()
    let urls = try await lab.allResources().map(\.url)
    #expect(urls.sorted() == [11, 12, 13].map { Lab.url($0) })
    try await lab.checkLibrary()
  }

  @Test(
    "A refresh reads a table as the first reading has read it, also after a restart",
    arguments: [
      ("A B", ["list"], "A B B"), ("A A B", ["A", "B"], "A B C A"), ("A B", ["list"], "C A A B"),
    ])
  func sameLayout(first: String, titles: [String], second: String) async throws {
    let lab = try Lab()
    let letters = { (text: String) in text.split(separator: " ").map(String.init) }
    // Rows with the same title and its occurrence have the same URL.
    func table(_ text: String) -> String {
      var seen: [String: Int] = [:]
      return letters(text).reduce("url,title\n") { table, title in
        seen[title, default: 0] += 1
        return table + "http://h/\(title)\(seen[title] ?? 0).png,\(title)\n"
      }
    }
    serve(lab, table(first))
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request(isLazy: true))
    await engine.stop()
    #expect(try await lab.records().map(\.title) == titles)
    lab.newProcess()
    serve(lab, table(second))
    let restarted = try await lab.started()
    let record = try #require(try await lab.records().first)
    _ = try await restarted.refresh(record.id)
    #expect(try await restarted.refresh(record.id).newEntries == 0)
    await restarted.stop()
    let urls = try await lab.allResources().map(\.url)
    #expect(Set(urls).count == urls.count, "\(urls)")
    let all = Set(letters(first) + letters(second))
    #expect(Set(try await lab.records().map(\.title)) == (titles == ["list"] ? ["list"] : all))
  }

  @Test("The layout of a library that has none is that of the next reading")
  func unknownLayout() async throws {
    let lab = try Lab()
    let table = "url,title\n\(Lab.url(1)),A\n\(Lab.url(2)),B\n"
    serve(lab, table)
    let engine = try await lab.started()
    let record = try #require(try await engine.add(Lab.request(isLazy: true)).records.first)
    await engine.stop()
    let id = try #require(try await lab.records().first).source
    let layout = "table?delimiter=%2C&columns=2&url=1:url&title=2:title"
    try lab.disk.write { store throws(StoreError) in
      #expect(try store.source(id)?.state.layout == layout)
      try store.setState(SourceState(), of: id)
    }
    lab.newProcess()
    serve(lab, table)
    let later = try await lab.started()
    #expect(try await later.refresh(record) == RefreshResult())
    await later.stop()
    try lab.disk.write { store throws(StoreError) in
      #expect(try store.source(id)?.state.layout == layout)
    }
  }

  @Test(
    "Named columns are refused for a source that is not a table",
    arguments: [
      ("<!DOCTYPE html><img src=\"a.png\">", "html"), ("[\"http://h/1\"]", "json"),
      ("%PDF-1.4\n", "resource"),
      (String(repeating: "\n", count: 1_000) + "%PDF-1.4\n", "resource"),
    ])
  func noTable(text: String, format: String) async throws {
    let lab = try Lab()
    serve(lab, text)
    let engine = try await lab.started()
    var request = try Lab.request()
    request.columns = ListColumns(url: "x")
    let failure = await #expect(throws: LibraryError.self) { try await engine.add(request) }
    await engine.stop()
    #expect(failure?.code == .source)
    #expect(failure?.description.contains("--url-column is for tables (CSV, TSV), but") == true)
    #expect(try await lab.records().isEmpty)
  }

  @Test("A column that is not there is an error of the source")
  func missing() async throws {
    let lab = try Lab()
    serve(lab, "a,b\n\(Lab.url(1)),x\n")
    let engine = try await lab.started()
    var request = try Lab.request()
    request.columns = ListColumns(url: "c")
    var failure: LibraryError?
    do throws(LibraryError) {
      _ = try await engine.add(request)
    } catch {
      failure = error
    }
    await engine.stop()
    #expect(failure?.code == .source)
    #expect(
      failure?.description.contains(
        "line 1: --url-column \"c\": no such column; the header has \"a\", \"b\"") == true)
    #expect(try await lab.records().isEmpty)
  }

  @Test("Lists of aria2 and gallery-dl make records with safe names")
  func otherPrograms() async throws {
    let lab = try Lab()
    serve(lab, "\(Lab.url(1))\n out=../../x.png\n dir=/../..\n\(Lab.url(2))\n dir=../Birds\n")
    let engine = try await lab.started()
    #expect(try await engine.add(Lab.request()).records.count == 2)
    try await engine.waitUntilIdle()
    #expect(try await lab.records().map(\.title) == ["list", "Birds"])
    #expect(try lab.names("list") == ["0001-x.png"])
    serve(
      lab,
      "[2,{\"title\":\"../W\"}]\n[3,\"\(Lab.url(3))\",{\"filename\":\"../a\",\"extension\":\"png\"}]\n"
    )
    var request = try Lab.request()
    request.again = true
    #expect(try await engine.add(request).entryCount == 1)
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(try await lab.records().last?.title == "../W")
    try await lab.checkLibrary()
  }

  @Test(
    "A refresh refuses a table without URLs and an error message, and an add does",
    arguments: ["a,b\n1,2\n", "error\n", "status=error\nretry=5\n"])
  func withoutURLs(_ text: String) async throws {
    let lab = try Lab()
    serve(lab, "url,title\n/p/1.png,A\n")
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    serve(lab, text)
    let error = await #expect(throws: LibraryError.self) { try await engine.refresh(record) }
    #expect(error?.code == .source)
    #expect(
      error?.detail.hasPrefix("\(Lab.list): has no column of URLs") == true, "\(error as Any)")
    #expect(try await lab.allResources().map(\.url) == [Lab.url(1)])
    for (url, type) in [
      ("http://h/y.csv", "text/plain"), ("http://h/y", "Text/CSV ; charset=utf-8"),
    ] {
      lab.web.serve(url, FakeAnswer(body: Array(text.utf8)).with("Content-Type", type))
      let error = await #expect(throws: LibraryError.self) {
        try await engine.add(Lab.request(url))
      }
      #expect(error?.detail.hasPrefix("\(url): no column of this table has URLs") == true)
    }
    #expect(try await lab.records().count == 1)
    await engine.stop()
  }
}
