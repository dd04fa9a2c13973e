import Manifests
import Models
import Testing

@Suite("Columns that the user names")
struct ListColumnTests {
  private static let table = "id,a url,b,c\n1,http://h/1,http://m/1,x\n2,http://h/2,http://m/2,y\n"

  private func reading(_ text: String, _ columns: ListColumns, _ format: ManifestFormat? = nil)
    -> Reading
  {
    Reading(Array(text.utf8), format: format, columns: columns)
  }

  @Test(
    "A column is named by its header, or by its number from 1",
    arguments: [
      ("a url", "http://h/1"), ("A_URL", "http://h/1"), ("2", "http://h/1"), ("b", "http://m/1"),
      ("3", "http://m/1"),
    ])
  func names(column: String, url: String) {
    let reading = reading(Self.table, ListColumns(url: column))
    #expect(reading.urls.first == url && reading.entryCount == 2)
  }

  @Test("Names, titles of records and checksums have columns of their own")
  func others() {
    let digest = String(repeating: "0a", count: 32)
    let reading = reading(
      "w,x,y,z\nhttp://h/1,n,t,\(digest)\nhttp://h/2,o,t,\n",
      ListColumns(name: "x", title: "3", sha256: "z"))
    #expect(reading.outline == ["t", "http://h/1", "http://h/2"])
    #expect(reading.entries.map(\.name) == ["n", "o"])
    #expect(reading.entries.map { $0.checksum == nil } == [false, true])
  }

  @Test("A named column makes a text a table")
  func demands() {
    let reading = reading("http://h/1,a\nhttp://h/2,b\n", ListColumns(name: "2"))
    #expect(reading.format == .csv)
    #expect(reading.entries.map(\.name) == ["a", "b"])
    #expect(
      self.reading("http://h/1\ta\n", ListColumns(title: "2"), .tsv).outline == ["a", "http://h/1"])
  }

  @Test(
    "A column that is not there is an error that names the line and the columns",
    arguments: [
      (
        "z",
        "list, line 1: --url-column \"z\": no such column; the header has \"id\", \"a url\", \"b\", \"c\""
      ),
      ("5", "list, line 1: --url-column 5: the table has 4 columns"),
      ("0", "list, line 1: --url-column 0: the table has 4 columns"),
    ])
  func missing(column: String, description: String) {
    let reading = reading(Self.table, ListColumns(url: column))
    #expect(reading.error?.description == description)
    #expect(reading.error?.code == .shape)
    #expect(
      self.reading("1,http://h/1\n2,http://h/2", ListColumns(url: "u")).error?.reason
        == "--url-column \"u\": the table has no header; give the column's number")
  }

  @Test(
    "Named columns are refused for a list that is not a table",
    arguments: [
      ("[\"http://h/1\"]", nil, "json"), ("{\"a\":\"http://h/1\"}", nil, "json"),
      ("http://h/1", ManifestFormat.text, "text"), ("\"http://h/1\"", .jsonLines, "json-lines"),
      ("http://h/1", .aria2, "aria2"),
    ])
  func noTable(text: String, format: ManifestFormat?, name: String) {
    let refused = reading(text, ListColumns(name: "n", sha256: "4"), format)
    #expect(
      refused.error?.description
        == "list: --name-column is for tables (CSV, TSV), but the source is read as \(name)")
    #expect(refused.items == [])
    #expect(reading(text, ListColumns(), format).entryCount == 1)
  }

  @Test(
    "The form of a source is one text, and the text is the form",
    arguments: [
      (SourceForm(), nil), (SourceForm(format: .text), "text"),
      (SourceForm(format: .galleryDL), "gallery-dl"),
      (
        SourceForm(format: .csv, columns: ListColumns(url: "a &=?é", sha256: "4")),
        "csv?url=a%20%26%3D%3F%C3%A9&sha256=4"
      ),
      (SourceForm(columns: ListColumns(name: "n", title: "t")), "?name=n&title=t"),
    ])
  func stored(form: SourceForm, text: String?) {
    #expect(form.text == text)
    #expect(SourceForm(text: text) == form)
  }

  @Test(
    "An unknown form is recognised by content", arguments: ["xml", "", "?", "x?y=1&url", "?=&url="])
  func unknown(text: String) {
    #expect(SourceForm(text: text) == SourceForm())
  }
}
