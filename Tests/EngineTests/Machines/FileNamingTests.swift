import Models
import Testing

@testable import Engine

@Suite struct FileNamingTests {
  private func name(
    _ index: Int, _ url: String, title: String? = nil, format: ResourceFormat = .jpeg,
    total: Int = 10
  ) -> String {
    FileNaming.name(
      Resource(id: ResourceID(1), record: RecordID(1), index: index, url: url, title: title),
      at: ResourceLocation(url), format: format, total: total)
  }

  @Test("A name is the place in the list, a label and the extension of the content")
  func plain() {
    #expect(name(7, "http://h/birds/heron.png?size=2") == "0007-heron.png.jpg")
    #expect(name(7, "http://h/birds/heron.jpeg") == "0007-heron.jpg")
    #expect(name(7, "http://h/") == "0007.jpg")
  }

  @Test(
    "A label is the last component of the URL's path",
    arguments: [
      "http://h", "https://h", "http://h/", "https://h/a/", "http://h/a/b.jpg", "https://h/a/..",
      "http://h/a/.", "http://h/a/...", "http://h/x.jpg?y=/z", "http://h/x.jpg#/z",
      "http://h/a%2Fb",
      "http://[::1]:80/a", "http://h/à.jpg", "http://h//", "http://h/.hidden",
    ])
  func label(_ url: String) throws {
    let slow = try HTTPURL(url).lastPathComponent
    #expect(name(1, url) == name(1, "http://h/other", title: slow))
  }

  @Test("A title of the list is the label")
  func title() { #expect(name(1, "http://h/x.jpg", title: "Grey heron") == "0001-Grey heron.jpg") }

  @Test("What is not known keeps a plain extension of its own")
  func unknownFormat() {
    #expect(name(1, "http://h/scan.dcm", format: .unknown) == "0001-scan.dcm")
    #expect(name(1, "http://h/scan", format: .unknown) == "0001-scan.bin")
    #expect(name(1, "http://h/a.b%2Fc", format: .unknown).hasSuffix(".bin"))
  }

  @Test("A text keeps the extension of its name, unless that is one of a picture")
  func text() {
    #expect(name(1, "http://h/scan.ppm", format: .text) == "0001-scan.ppm")
    #expect(name(1, "http://h/birds.csv", format: .text) == "0001-birds.csv")
    #expect(name(1, "http://h/scan", format: .text) == "0001-scan.txt")
    #expect(name(1, "http://h/x", title: "scan.png", format: .text) == "0001-scan.png.txt")
  }

  @Test("The number is as wide as the list needs, and large lists have folders of 10,000")
  func width() {
    #expect(name(3, "http://h/a.jpg", total: 10_000) == "00003-a.jpg")
    #expect(name(10_000, "http://h/a.jpg", total: 20_001) == "00001-10000/10000-a.jpg")
    #expect(name(10_001, "http://h/a.jpg", total: 20_001) == "10001-20000/10001-a.jpg")
    #expect(name(1, "http://h/a.jpg", total: 1_000_000) == "0000001-0010000/0000001-a.jpg")
  }

  @Test("No name leads out of its folder")
  func hostile() {
    for label in ["../../etc/passwd", "..", ".", "/", "a/b", "%2e%2e%2fx", "\u{0}", "a\u{202e}b"] {
      let result = name(1, "http://h/" + label.filter { $0 != "\u{0}" }, title: label)
      #expect(!result.contains("/") && result.hasPrefix("0001"), "\(label) → \(result)")
    }
  }

  @Test("A file of this machine is called by its own name")
  func local() { #expect(name(1, "file:///home/me/My%20heron.jpg") == "0001-My heron.jpg") }
}
