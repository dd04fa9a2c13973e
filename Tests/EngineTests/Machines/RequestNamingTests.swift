import Models
import Testing

@testable import Engine

@Suite struct RequestNamingTests {
  private let texts = [
    "http://h/a.png", "HTTP://H:80/%61.png", "https://h/a.png", "http://h:8080/a.png",
    "file:///birds/a.png", "stdin:00ff", "http://",
  ]

  @Test("A request is named with the location of its text and its server")
  func location() {
    var naming = RequestNaming(common: HTTPFields())
    let names = texts.map { naming.name($0, HTTPFields(), isPublic: true) }
    #expect(names.map(\.location) == texts.map { ResourceLocation($0) })
    #expect(
      names.map(\.host.text)
        == ["http://h", "http://h", "https://h", "http://h:8080", "", "", ""])
    #expect(names[0].request == names[1].request)
    #expect(Set(names.map(\.request)).count == texts.count - 1)
  }

  @Test("A URL and its text name the same request")
  func typed() throws {
    let fields = HTTPFields(["Accept": "image/*"])
    for isPublic in [true, false] {
      var (texts, urls) = (RequestNaming(common: fields), RequestNaming(common: fields))
      for text in self.texts.prefix(4) {
        let name = urls.name(try HTTPURL(text), fields, isPublic: isPublic)
        #expect(name.request == texts.name(text, fields, isPublic: isPublic).request)
      }
    }
  }

  /// Rows of partial files and of answers have these keys.
  @Test("The keys of requests stay what stores already have")
  func stable() {
    var naming = RequestNaming(common: HTTPFields(["Cookie": "a=b"]))
    let fields = HTTPFields(["Accept": "image/*"])
    #expect(
      naming.name("https://h/%7ea.png?x", fields, isPublic: true).request.description
        == "073e4a263bfa7d46c109d4c69ebab574")
    #expect(
      naming.name("file:///birds/a.png", fields, isPublic: false).request.description
        == "6bab426a22625eb0221c4b596ea62fea")
  }
}
