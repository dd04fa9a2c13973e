import Models
import Testing

@Suite("Templates of names")
struct NameTemplateTests {
  private func label(_ text: String, title: String? = "Dawn") throws -> String {
    try NameTemplate(text).label(
      index: 7, title: title, url: HTTPURL("https://host.example/a/b%20c.tar.gz?x=1"),
      record: "Birds")
  }

  @Test("fields and texts come in their order; a number in front is every file's already")
  func fields() throws {
    #expect(try label("{title}") == "Dawn")
    #expect(try label("{title}", title: nil) == "b c.tar")
    #expect(
      try label("{record} {name} {host} {index} {index:04}") == "Birds b c.tar host.example 7 0007")
    #expect(try label("{filename} {path}") == "b c.tar.gz a")
    #expect(try label("{index:04}-{title}") == "Dawn")
    #expect(try label("{index}{title}") == "Dawn")
    #expect(try label("{{{title}}}") == "{Dawn}")
    #expect(try label("plain") == "plain")
  }

  static let refused = [
    ("", "empty"), ("{", "no }"), ("}", "no {"), ("{title", "no }"), ("a}b", "no {"),
    (
      "{foo}",
      "{foo} is not a field; the fields are {index}, {title}, {name}, {filename}, {path}, {host}, {record}"
    ),
    ("{}", "is not a field"), ("{title:04}", "only {index} has a width"), ("{index:}", "width"),
    ("{index:0}", "width"), ("{index:99}", "width"), ("{index:x}", "width"),
    ("{index}", "contains only the number"),
    ("{index:04}-", "contains only the number"), (String(repeating: "x", count: 201), "longer"),
  ]

  @Test("what is no template is refused with the cause", arguments: refused)
  func bad(_ text: String, _ cause: String) {
    do {
      _ = try NameTemplate(text)
      Issue.record("taken")
    } catch {
      #expect(error.description.contains(cause), "\(error)")
    }
  }
}
