import Manifests
import Models
import Testing

@Suite("Texts that are read again")
struct RecordedLayoutTests {
  /// Reads a text, and then another one as a later version of the same source.
  private func reread(
    _ first: String, _ second: String, columns: ListColumns = ListColumns(),
    format: ManifestFormat? = nil
  ) throws -> Reading {
    let reading = Reading(Array(first.utf8), format: format, columns: columns)
    let layout = try #require(reading.layout)
    // The library stores the text.
    let stored = try #require(RecordedLayout(text: layout.text))
    #expect(stored == layout)
    return Reading(Array(second.utf8), format: format, columns: columns, layout: stored)
  }

  private static let titles = "url,title\nhttp://h/1,A\nhttp://h/2,B\n"
  private static let records = "url,title\nhttp://h/1,A\nhttp://h/2,A\nhttp://h/3,B\n"

  @Test("Titles of images stay titles of images although they repeat later")
  func imageTitles() throws {
    let reading = try reread(Self.titles, Self.titles + "http://h/3,B\n")
    #expect(reading.outline == ["http://h/1", "http://h/2", "http://h/3"])
    #expect(reading.entries.map(\.title) == ["A", "B", "B"])
    #expect(Reading(Self.titles + "http://h/3,B\n").outline.first == "A", "without the record")
  }

  @Test("Titles of records stay titles of records although they no longer repeat")
  func recordTitles() throws {
    let reading = try reread(Self.records, Self.titles)
    #expect(reading.outline == ["A", "http://h/1", "B", "http://h/2"])
  }

  struct Change: Sendable, CustomTestStringConvertible {
    let first: String
    let second: String
    var outline = ["A", "http://h/1", "B", "http://h/2"]

    var testDescription: String { second.debugDescription }
  }

  static let changes = [
    // Columns that have changed their places, or were added.
    Change(first: records, second: "title,url\nA,http://h/1\nB,http://h/2\n"),
    Change(first: records, second: "id,title,x,url\n1,A,y,http://h/1\n2,B,y,http://h/2\n"),
    Change(first: records, second: "url,album,title\nhttp://h/1,x,A\nhttp://h/2,x,B\n"),
    Change(
      first: titles, second: "url,title,album\nhttp://h/1,A,x\nhttp://h/2,B,x\n",
      outline: ["http://h/1", "http://h/2"]),
    // The column of the URLs, and that of the records, are called otherwise.
    Change(first: records, second: "image_url,title\nhttp://h/1,A\nhttp://h/2,B\n"),
    Change(first: records, second: "url,album\nhttp://h/1,A\nhttp://h/2,B\n"),
    // The delimiter, or the header, is another one.
    Change(first: records, second: "url;title\nhttp://h/1;A\nhttp://h/2;B\n"),
    Change(first: records, second: "url\ttitle\nhttp://h/1\tA\nhttp://h/2\tB\n"),
    Change(first: records, second: "http://h/1,A\nhttp://h/2,B\n"),
    // The table with fewer URLs than another column.
    Change(
      first: "a,b,title\nhttp://h/1,,A\nhttp://h/2,,A\n",
      second: "a,b,title\nhttp://h/1,http://m/1.png,A\n,http://m/2.png,A\nhttp://h/2,,B\n"),
    // A table without a header.
    Change(
      first: "http://h/1.png,one\nhttp://h/2.png,two\n", second: "http://h/1.png,one/1\n",
      outline: ["http://h/1.png"]),
    Change(
      first: "http://h/1.png,one\nhttp://h/2.png,two\n", second: "url,n\nhttp://h/1.png,one\n",
      outline: ["http://h/1.png"]),
    Change(
      first: "http://h/1.png,one\nhttp://h/2.png,two\n",
      second: "http://h/1.png;one\nhttp://h/2.png;two\n",
      outline: ["http://h/1.png", "http://h/2.png"]),
    // A list of URLs.
    Change(
      first: "http://h/1.png,one\n", second: "http://h/1.png,one\nhttp://h/2.png,two\n",
      outline: ["http://h/1.png,one", "http://h/2.png,two"]),
    Change(first: "http://h/x\n", second: titles, outline: ["http://h/1", "http://h/2"]),
    // Another list than before.
    Change(
      first: records, second: "http://h/1\nhttp://h/2\n", outline: ["http://h/1", "http://h/2"]),
    Change(first: records, second: "[\"http://h/1\"]", outline: ["http://h/1"]),
  ]

  @Test("A later version of a table is read as the first one", arguments: changes)
  func change(_ item: Change) throws {
    let reading = try reread(item.first, item.second)
    #expect(reading.error == nil)
    #expect(reading.outline == item.outline)
  }

  @Test("A named column is found by its name where its number has changed")
  func named() throws {
    let columns = ListColumns(url: "2", title: "3")
    let reading = try reread(
      "x,where,what\n1,http://h/1,A\n", "where,x,what\nhttp://h/1,1,A\nhttp://h/2,2,B\n",
      columns: columns)
    #expect(reading.outline == ["A", "http://h/1", "B", "http://h/2"])
    let gone = try reread("x,where,what\n1,http://h/1,A\n", "x\nhttp://h/1\n", columns: columns)
    #expect(gone.error?.reason == "--url-column 2: the table has 1 columns")
  }

  @Test("The layout of a text is its text; another text is none")
  func text() throws {
    let table = Reading("a &=:;url;title\nx;http://h/1;A\ny;http://h/2;A\n").layout
    #expect(table?.text == "table?delimiter=%3B&columns=3&url=2:url&record=3:title")
    #expect(
      Reading("http://h/1,\"a\"").layout?.text == "table?delimiter=%2C&columns=2&url=1&title=2")
    #expect(Reading("http://h/1").layout == .lines && Reading("[]").layout == nil)
    #expect(RecordedLayout(text: "lines")?.text == "lines")
    for text in [
      "", "table", "table?", "table?delimiter=x&columns=1&url=1",
      "table?delimiter=%2C&columns=0&url=1",
      "table?delimiter=%2C&columns=1&url=0", "table?delimiter=%2C&columns=1&url=:u", "grid?url=1",
    ] {
      #expect(RecordedLayout(text: text) == nil, "\(text)")
    }
    #expect(
      RecordedLayout(text: "table?delimiter=%2C&columns=1&url=1&later=2")?.text
        == "table?delimiter=%2C&columns=1&url=1")
  }
}
