import Markup
import MarkupExtraction
import MarkupGumbo
import Testing

@Suite("Events of HTML") struct ParserTests {
  private func events(_ html: String, limits: MarkupLimits = MarkupLimits()) throws -> [MarkupEvent]
  {
    var events: [MarkupEvent] = []
    var text = html
    let result = text.withUTF8 { bytes in
      Result { () throws(MarkupError) in
        try GumboParser().parse(UnsafeRawBufferPointer(bytes), charset: nil, limits: limits) {
          (event) throws(MarkupError) in events.append(event)
        }
      }
    }
    try result.get()
    return events
  }

  private func start(_ name: String, _ attributes: [String: String] = [:]) -> MarkupEvent {
    .start(
      name: name, namespace: "",
      attributes: attributes.sorted { $0.key < $1.key }.map { MarkupAttribute(name: $0, value: $1) }
    )
  }

  @Test("Elements and texts are reported in order, names in lower case and entities decoded")
  func order() throws {
    let events = try events("<P A='1&amp;2'>x &eacute;<BR>y</P><My-Tag>z")
    #expect(
      events == [
        start("html"), start("head"), .end(name: "head"), start("body"), start("p", ["a": "1&2"]),
        .text("x é"),
        start("br"), .end(name: "br"), .text("y"), .end(name: "p"), start("my-tag"), .text("z"),
        .end(name: "my-tag"), .end(name: "body"), .end(name: "html"),
      ])
  }

  @Test(
    "Every start has its end, also of bad and deep markup",
    arguments: [
      "", "<", "<a<b>", "</p></div>", "<b><p>x</b>y</p>", "<table><tr><p>x<td>y", "<a><a><a>",
      "<svg><img><p>",
      "<template><p>x</template>", "<select><option><p>", String(repeating: "<div>", count: 2_000),
      String(repeating: "<b><i>", count: 300) + "</b>", "<p>\u{0}x", "<!-- x", "<![CDATA[x]]>",
      "<script>x<p>",
    ])
  func balance(_ html: String) throws {
    for depth in [1, 3, 512] {
      var open: [String] = []
      var deepest = 0
      for event in try events(html, limits: MarkupLimits(depth: depth)) {
        switch event {
        case .start(let name, _, _):
          open.append(name)
          deepest = max(deepest, open.count)
        case .end(let name): #expect(open.popLast() == name)
        case .text: break
        }
      }
      #expect(open.isEmpty)
      #expect(deepest <= depth + 1)
    }
  }

  @Test("An error of the handler ends the parsing and comes back")
  func handlerError() {
    let own = MarkupError(.visitor, "enough")
    let error = #expect(throws: MarkupError.self) {
      try Array("<p>".utf8).withUnsafeBytes { bytes in
        try GumboParser().parse(bytes, charset: nil, limits: MarkupLimits()) {
          (_) throws(MarkupError) in throw own
        }
      }
    }
    #expect(error == own)
  }
}
