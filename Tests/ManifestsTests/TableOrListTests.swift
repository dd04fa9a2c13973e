import Manifests
import Models
import Testing

@Suite("Tables are never read as lists of URLs")
struct TableOrListTests {
  typealias Case = TableRecognitionTests.Case

  private static let images = ["http://h/1.png", "http://h/2.png"]

  static let tables = [
    // Rows have different numbers of cells.
    Case("http://h/1.png,a\nhttp://h/2.png,b\nhttp://h/3.png,one, two\n", .csv, images),
    Case("http://h/1.png,a\nhttp://h/2.png\nhttp://h/3.png,b\n", .csv, images + ["http://h/3.png"]),
    Case("http://h/1.png,a,b\nhttp://h/2.png,c d\n", .csv, ["http://h/2.png"]),
    Case("http://h/1.png;a\nhttp://h/2.png;b\nhttp://h/3.png;c;d\n", .csv, images),
    Case(
      "1,http://h/1.png,a\n2,http://h/2.png\n3,http://h/3.png,a\n4,http://h/4.png,a,b\n", .csv,
      images + ["http://h/3.png"]),
    Case("where,what\nhttp://h/1.png,a b\nhttp://h/2.png,c\nhttp://h/3.png,d, e\n", .csv, images),
    Case("http://h/1.png, caption", .csv, ["http://h/1.png"]),
    Case("http://h/1.png,black / white\nhttp://h/2.png,red / green\n", .csv, images),
    // Vertical bars.
    Case("http://h/1|x\nhttp://h/2|y\n", .csv),
    Case("http://h/1|x", .csv, ["http://h/1"]),
    Case("url|title\nhttp://h/1|x\nhttp://h/2|y\n", .csv),
    Case("1|http://h/1\n2|http://h/2\n", .csv),
    Case("http://h/1.png|a, b\nhttp://h/2.png|c\n", .csv, images),
    Case(
      "http://h/1.png?x|my bird\nhttp://h/2.png|c d\n", .csv,
      ["http://h/1.png?x", "http://h/2.png"]),
    // Vertical bars within cells.
    Case("http://h/1,x|a b|c\nhttp://h/2,y|c d|e\n", .csv),
    Case("url,tags\nhttp://h/1,x|y\nhttp://h/2,z|y\n", .csv),
    Case(
      "http://h/full/!200,200/1.jpg|a b\nhttp://h/full/!200,200/2.jpg|c\n", .csv,
      ["http://h/full/!200,200/1.jpg", "http://h/full/!200,200/2.jpg"]),
    Case("http://h/1.png;a, b\nhttp://h/2.png;c, d\n", .csv, images),
  ]

  @Test("A row with text behind the URL makes a table", arguments: tables)
  func table(_ item: Case) {
    let reading = Reading(item.text)
    #expect(reading.error == nil)
    #expect(reading.format == item.format)
    #expect(reading.urls == item.urls)
    let demanded = Reading(item.text, format: .csv)
    #expect(demanded.error == nil && demanded.urls == item.urls)
  }

  static let lists = [
    "https://x/a,b.png", "https://i/full/!200,200/0/default.jpg", "http://h/1.jpg;v=2",
    "http://w/api.php?titles=A|B", "http://h/w_1|h_2/a.jpg", "http://w/api.php?titles=A b|C d",
    "http://h/Photo, 2020 01.jpg", "http://h/My photo, 2020.jpg",
    "http://h/collage?u=http://a/1.jpg,http://b/2.jpg", "http://h/w_200,h_300/http://x/y.jpg",
    "http://h/?title=Foo, Bar baz&format=png", "http://h/1.jpg;w=300,h=200",
  ]

  @Test(
    "Commas and semicolons in URLs are no delimiters",
    arguments: lists)
  func list(url: String) throws {
    let expected = try HTTPURL(url).description
    for text in [url, "\(url)\n\(url)\n", "http://h/x\n\(url)\nhttp://h/y\n"] {
      let reading = Reading(text)
      #expect(reading.format == .text && reading.problems == [])
      #expect(Set(reading.urls).subtracting(["http://h/x", "http://h/y"]) == [expected])
    }
  }

  @Test(
    "A row of a table in a list of URLs is a problem with its line",
    arguments: [
      "http://h/1.png, caption", "http://h/1|x", "http://h/1,two words",
      "http://h/1.png,http://h/2.png", "http://h/full/!200,200/0/default.jpg,my caption",
      "http://h/1" + String(repeating: ",", count: 5_000),
    ])
  func row(row: String) {
    let list = "http://h/a\nhttp://h/b\n\(row)\nhttp://h/c\n"
    let reading = Reading(list)
    #expect(reading.format == .text)
    #expect(reading.urls == ["http://h/a", "http://h/b", "http://h/c"])
    #expect(reading.problems.map(\.line) == [3])
    #expect(reading.problems.first?.reason.contains("is a row of a table and not a URL") == true)
    // A text that the user demands is one.
    #expect(Reading(list, format: .text).entryCount == 4)
  }

  @Test("URLs that are divided by commas without quotation marks are not cut")
  func unquoted() {
    let row = "http://h/full/!200,200/0/default.jpg,my caption\n"
    let reading = Reading(row + row)
    #expect(reading.urls == [] && reading.problems.map(\.line) == [1, 2])
  }

  @Test(
    "A table with more columns than a row may have is refused with its line",
    arguments: [nil, ManifestFormat.csv])
  func wide(format: ManifestFormat?) {
    let cells = (0..<10_000).map { ",cell \($0)" }.joined()
    for text in [
      "url\(cells)\nhttp://h/1\(cells)\n", "http://h/1.png\(cells)\nhttp://h/2.png\(cells)\n",
    ] {
      let reading = Reading(text, format: format)
      #expect(
        reading.error?.description == "list, line 1: the row has more than 4096 columns")
      #expect(reading.error?.code == .shape && reading.items == [])
    }
    let list = "http://h/1\n# \(cells)\nhttp://h/2\n"
    #expect(Reading(list).urls == ["http://h/1", "http://h/2"])
  }

  @Test("The name of a table decides where a comma may belong to a URL")
  func name() {
    let list = Array("http://h/1,a\nhttp://h/2,b\n".utf8)
    #expect(Reading(list).urls == ["http://h/1,a", "http://h/2,b"])
    for name in ["/x/list.csv", "http://x/LIST.CSV?y=.txt", "list.tsv"] {
      #expect(Reading(list, name: name).urls == ["http://h/1", "http://h/2"])
    }
    let urls = "http://h/a,b.png\nhttp://h/full/!2,3/d.jpg\nhttp://h/;a=b"
    #expect(Reading(Array(urls.utf8), name: "list.csv").format == .text)
  }

  @Test(
    "A text that is a table by its name, its media type or the last reading, but has no URLs, is refused",
    arguments: [
      "a,b\n1,2\n", "a;b\n", "a\tb\n1\t2\n", "error\n", "503\n", "status=error\nretry=5\n",
      "a,b\nc\n",
      "name,price\n1.png,3\n2.png,4\n", "\"a\",\"b\"\n\"1\",\"2\"\n", "Not found, see http://h/\n",
    ])
  func tableWithoutURLs(_ text: String) throws {
    let base = try HTTPURL("http://h/x")
    let recorded = Reading("url,name\nhttp://h/1.png,a\n").layout
    let row = text.prefix { $0 != "\n" }.replacing("\"", with: "")
    for reading in [
      Reading(Array(text.utf8), name: "http://h/x.csv?y", base: base),
      Reading(Array(text.utf8), name: "x.tsv.gz", base: base),
      Reading(Array(text.utf8), base: base, isTable: true),
      Reading(Array(text.utf8), base: base, layout: recorded),
    ] {
      #expect(reading.error?.code == .shape && reading.items.isEmpty, "\(reading)")
      let reason = reading.error?.reason
      #expect(reason?.contains("column of") == true)
      if !text.hasPrefix("\"") {
        #expect(reason?.contains(row.prefix { $0 != "\t" }) == true, "\(reason ?? "")")
      }
    }
    // A text of which nothing says that it is a table may have relative URLs with commas.
    if !text.hasPrefix("\"") { #expect(Reading(Array(text.utf8), base: base).format == .text) }
    #expect(Reading(Array(text.utf8), format: .text, name: "x.csv", base: base).error == nil)
  }

  @Test(
    "A list of URLs in place of a table is read as one",
    arguments: [
      "http://h/1.png\nhttp://h/2.png\n", "/1.png\n/2.png\n", "1.png\tA title\n2.png\n",
      "# nothing\n", "",
      "http://h/a,b.png\nhttp://h/c.png\n", "/p/1.png\n/p/2,3.png\n/p/4.png\n",
    ])
  func listInPlaceOfTable(_ text: String) throws {
    let base = try HTTPURL("http://h/x")
    for reading in [
      Reading(Array(text.utf8), name: "x.csv", base: base),
      Reading(Array(text.utf8), base: base, isTable: true),
    ] {
      #expect(reading.error == nil && reading.format == .text, "\(reading)")
      #expect(reading.problemCount == 0)
    }
    // Absolute URLs are those of the column that the table had.
    let recorded = Reading("url,name\nhttp://h/1.png,a\n").layout
    let later = Reading(Array(text.utf8), base: base, layout: recorded)
    #expect(later.error == nil, "\(later)")
  }

  @Test("An input file of aria2 in place of a table is read as such")
  func aria2InPlaceOfTable() {
    let text = "ftp://h/1.png\n  out=a.png\nhttp://h/2.png\n  out=b.png\n"
    #expect(Reading(Array(text.utf8), name: "x.csv").format == .aria2)
  }
}
