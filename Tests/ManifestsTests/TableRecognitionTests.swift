import Manifests
import Models
import Testing

@Suite("Recognition of tables, text lists and input files of aria2")
struct TableRecognitionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let text: String
    let format: ManifestFormat
    var urls: [String]

    var testDescription: String { text.debugDescription }

    init(_ text: String, _ format: ManifestFormat, _ urls: [String] = ["http://h/1", "http://h/2"])
    {
      self.text = text
      self.format = format
      self.urls = urls
    }
  }

  private static let images = ["http://h/1.jpg", "http://h/2.jpg"]

  static let tables = [
    Case("url\nhttp://h/1\nhttp://h/2\n", .tsv),
    Case("url,name\nhttp://h/1,a\nhttp://h/2,b\n", .csv),
    Case("URL,TEXT\r\nhttp://h/1,a\r\nhttp://h/2,b\r\n", .csv),
    Case("\u{feff}id;Image URL;Name\r1;http://h/1;a\r2;http://h/2;b", .csv),
    Case("id\timage_url\n1\thttp://h/1\n2\thttp://h/2\n", .tsv),
    Case("\"url\",\"name\"\n\"http://h/1\",\"a\"\n\"http://h/2\",\"b\"\n", .csv),
    Case("\"id\",\"photo\"\n\"1\",\"http://h/1\"\n\"2\",\"http://h/2\"\n", .csv),
    // No column has a usual name, but the second row has a URL.
    Case("id,where\n1,http://h/1\n2,http://h/2\n", .csv),
    Case("id\twhere\n1\thttp://h/1\n2\thttp://h/2\n", .tsv),
    Case("where,what\nhttp://h/1,\"a, b\"\nhttp://h/2,c\n", .csv),
    Case("where,what\nhttp://h/1,two words\nhttp://h/2,more words\n", .csv),
    Case("where,what\nhttp://h/1,a\nhttp://h/2,b\n", .csv),
    Case("large,small\nhttp://h/1,http://s/1\nhttp://h/2,http://s/2\n", .csv),
    Case("where\twhat\nhttp://h/1\ta\nhttp://h/2\tb\n", .tsv),
    // There is no header.
    Case("1,http://h/1\n2,http://h/2\n", .csv),
    Case("1\thttp://h/1\n2\thttp://h/2\n", .tsv),
    Case("a;http://h/1;x\nb;http://h/2;y\n", .csv),
    Case("http://h/1,\"a\"\nhttp://h/2,\"b\"\n", .csv),
    Case("http://h/1,\"a\"", .csv, ["http://h/1"]),
    Case("http://h/1,a photo\nhttp://h/2,another photo\n", .csv),
    Case("http://h/1.jpg,one\nhttp://h/2.jpg,two\n", .csv, images),
    // Comments, and the line that spreadsheet programs write.
    Case("# birds\nurl,name\nhttp://h/1,a\n#x\nhttp://h/2,b\n", .csv),
    Case("#url,name\nhttp://h/1,a\nhttp://h/2,b\n", .csv),
    Case("sep=;\nurl;name\nhttp://h/1;a\nhttp://h/2;b\n", .csv),
    // One bad row does not make a table a text.
    Case(
      "1,http://h/1\n2\n"
        + (0..<8).map { "\($0),http://h/2\n" }.joined(), .csv,
      ["http://h/1"] + Array(repeating: "http://h/2", count: 8)),
    // A page is not an image.
    Case("link,image_url\nhttp://p/1,http://h/1\nhttp://p/2,http://h/2\n", .csv),
    Case("page,pic\nhttp://p/1,http://h/1.jpg\nhttp://p/2,http://h/2.jpg\n", .csv, images),
    Case("image_url\tpage_url\nhttp://h/1\thttp://p/1\nhttp://h/2\thttp://p/2\n", .tsv),
    // The column with the usual name has no URLs.
    Case("image,where\na.jpg,http://h/1\nb.jpg,http://h/2\n", .csv),
  ]

  @Test("A table is read as a table", arguments: tables)
  func table(_ item: Case) {
    let reading = Reading(item.text)
    #expect(reading.error == nil)
    #expect(reading.format == item.format)
    #expect(reading.urls == item.urls)
  }

  static let texts = [
    Case("http://h/1\nhttp://h/2", .text),
    Case("http://h/a,b.jpg\nhttp://h/c,d.jpg", .text, ["http://h/a,b.jpg", "http://h/c,d.jpg"]),
    Case("http://h/a;b=1\nhttp://h/c;b=2", .text, ["http://h/a;b=1", "http://h/c;b=2"]),
    Case(
      "http://h/w_300,h_200/1.jpg\nhttp://h/w_300,h_200/2.jpg", .text,
      ["http://h/w_300,h_200/1.jpg", "http://h/w_300,h_200/2.jpg"]),
    Case("http://h/?x=1,2\nhttp://h/?x=3,4", .text, ["http://h/?x=1,2", "http://h/?x=3,4"]),
    Case("http://h/??a.jpg,b.jpg\nhttp://h/2", .text, ["http://h/??a.jpg,b.jpg", "http://h/2"]),
    Case("http://h/1.jpg,x", .text, ["http://h/1.jpg,x"]),
    Case("http://h/1\tTitle\nhttp://h/2\tTitle, too\n", .text),
    Case("http://h/1\tTitle\tmore\nhttp://h/2\tTitle\tmore\n", .text),
    Case("# url,name\nhttp://h/1\nhttp://h/2\n", .text),
    Case("\thttp://h/1\n\thttp://h/2\n", .text),
    Case("  http://h/1\n  http://h/2\n", .text),
    Case("http://h/1\n  http://h/2\n", .text),
    Case("My birds, 2024\nhttp://h/a,b\nhttp://h/c,d\n", .text, ["http://h/a,b", "http://h/c,d"]),
    Case("Birds, cats\nhttp://h/a,b\nhttp://h/c,d\n", .text, ["http://h/a,b", "http://h/c,d"]),
    Case("words\nhttp://h/1\nhttp://h/2\n", .text),
    Case("", .text, []),
    Case("# nothing\n\n", .text, []),
  ]

  @Test("A text list is not a table, for any URLs in it", arguments: texts)
  func text(_ item: Case) {
    let reading = Reading(item.text)
    #expect(reading.error == nil)
    #expect(reading.format == item.format)
    #expect(reading.urls == item.urls)
  }

  static let aria2 = [
    Case("http://h/1\n  out=a.jpg\nhttp://h/2\n", .aria2),
    Case("http://h/1\n\tgid=1\nhttp://h/2", .aria2),
    Case("# c\n\nhttp://h/1\r\n dir=/x\r\n out=y\r\nhttp://h/2\r\n", .aria2),
    Case("http://h/1\thttp://m/1\nhttp://h/2\n", .aria2),
    Case("ftp://h/1\thttp://h/1\nhttp://h/2\n", .aria2),
    Case("http://h/1\n unknown=1\n header=A: b, c\nhttp://h/2", .aria2),
  ]

  @Test("An input file of aria2 is recognised by its options or its mirrors", arguments: aria2)
  func inputFile(_ item: Case) {
    let reading = Reading(item.text)
    #expect(reading.error == nil)
    #expect(reading.format == .aria2)
    #expect(reading.urls == item.urls)
  }

  @Test("Text in quotation marks is still JSON Lines")
  func jsonLines() {
    let reading = Reading("\"http://h/1\"\n\"http://h/2\"\n")
    #expect(reading.format == .jsonLines)
    #expect(reading.urls == ["http://h/1", "http://h/2"])
    #expect(Reading("\"http://h/1").error?.code == .truncated)
  }

  @Test("A demanded format is used even if another one would be recognised")
  func demanded() {
    let list = "http://h/1,a\nhttp://h/2,b\n"
    #expect(Reading(list).format == .text)
    #expect(Reading(list, format: .csv).urls == ["http://h/1", "http://h/2"])
    #expect(Reading(list, format: .csv).format == .csv)
    #expect(Reading("url,name\nhttp://h/1,a", format: .text).urls == ["http://h/1,a"])
    #expect(Reading("http://h/1\ta", format: .tsv).entries.map(\.title) == ["a"])
    #expect(Reading("http://h/1\nhttp://h/2", format: .aria2).urls == ["http://h/1", "http://h/2"])
    #expect(Reading("", format: .csv).error == nil)
    #expect(Reading("no\nurl", format: .csv).error?.code == .shape)
  }
}
