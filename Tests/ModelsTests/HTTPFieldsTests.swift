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
}
