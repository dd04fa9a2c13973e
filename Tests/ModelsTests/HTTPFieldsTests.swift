import Models
import Testing

@Suite("Header fields")
struct HTTPFieldsTests {
  @Test("Names compare without regard to ASCII case, and to nothing else")
  func names() {
    let fields = HTTPFields(["Content-Type": "image/png", "content-type": "text/html", "X": ""])
    #expect(fields["CONTENT-TYPE"] == "image/png")
    #expect(fields.all("content-Type") == ["image/png", "text/html"])
    #expect(fields["x"] == "")
    #expect(fields["y"] == nil && fields.all("y") == [])
    #expect(HTTPFields.isSame("aZ-1", "Az-1"))
    #expect(!HTTPFields.isSame("\u{e9}", "e\u{301}"))
    #expect(!HTTPFields.isSame("\u{212a}", "k"))
    #expect(!HTTPFields.isSame("[", "{") && !HTTPFields.isSame("@", "`"))
    #expect(!HTTPFields.isSame("a", "ab"))
  }

  @Test("Setting replaces every field of the name, removing takes them all, order stays")
  func changes() {
    var fields = HTTPFields()
    fields.append("a", "1")
    fields.append("b", "2")
    fields.append("A", "3")
    #expect(fields.fields.map(\.value) == ["1", "2", "3"])
    fields.set("a", "4")
    #expect(fields.fields.map(\.value) == ["2", "4"])
    fields.remove("B")
    #expect(fields == HTTPFields(["a": "4"]))
    fields.remove("none")
    #expect(fields.fields.count == 1)
  }

  @Test("Bytes that are not UTF-8 are read as Latin-1, each value separately")
  func bytes() {
    let values: [(String, [UInt8])] = [("X", [0xe9, 0x74]), ("Y", [0xc3, 0xa9]), ("Z", [])]
    var fields = HTTPFields()
    for (name, value) in values {
      fields.append(name: name.utf8.span.bytes, value: value.span.bytes)
    }
    #expect(fields.fields.map(\.value) == ["\u{e9}t", "\u{e9}", ""])
    #expect(fields["x"] == "\u{e9}t" && fields["y"] == "\u{e9}" && fields["z"] == "")
    #expect(fields.count == 3 && !fields.isEmpty && HTTPFields().isEmpty)
  }

  @Test(
    "A look-up finds the first field of a name among names of all lengths and cases, also after removals"
  )
  func lookUps() {
    var generator = SeededGenerator(seed: 7)
    let letters = Array("aAbBzZ-09")
    func name() -> String {
      String(
        (0..<Int.random(in: 0...3, using: &generator)).compactMap { _ in
          letters.randomElement(using: &generator)
        })
    }
    for _ in 0..<300 {
      var fields = HTTPFields()
      var expected: [(name: String, value: String)] = []
      for number in 0..<12 {
        let name = name()
        if Int.random(in: 0...3, using: &generator) == 0 {
          fields.remove(name)
          expected.removeAll { $0.name.lowercased() == name.lowercased() }
        } else {
          fields.append(name, "\(number)")
          expected.append((name, "\(number)"))
        }
      }
      for name in expected.map(\.name) + (0..<20).map({ _ in name() }) {
        let known = expected.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        #expect(fields[name] == known.first && fields.all(name) == known)
        #expect(fields.contains(name) == !known.isEmpty)
        #expect(fields.withValue(of: name) { $0.count } == known.first?.utf8.count)
      }
      #expect(
        fields == HTTPFields(expected.map { HTTPFields.Field(name: $0.name, value: $0.value) }))
    }
  }

  @Test("A folded line is appended to the last value, after a space if it has one")
  func folded() {
    var fields = HTTPFields(["A": "1", "B": ""])
    fields.fold("2".utf8.span.bytes)
    #expect(fields == HTTPFields(["A": "1", "B": "2"]))
    fields.fold("3".utf8.span.bytes)
    #expect(fields["B"] == "2 3" && fields["A"] == "1")
    fields.append("C", "4")
    #expect(fields.fields.map(\.name) == ["A", "B", "C"])
    var none = HTTPFields()
    none.fold("5".utf8.span.bytes)
    #expect(none.isEmpty)
  }

  @Test("Fields are the same if names, values and order are")
  func equality() {
    let fields = HTTPFields(["A": "bc", "d": "e"])
    #expect(fields != HTTPFields(["d": "e", "A": "bc"]))
    #expect(fields != HTTPFields(["Ab": "c", "d": "e"]))
    #expect(fields != HTTPFields(["a": "bc", "d": "e"]))
    #expect(fields == HTTPFields([.init(name: "A", value: "bc"), .init(name: "d", value: "e")]))
  }
}
