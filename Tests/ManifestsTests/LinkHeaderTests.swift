import Manifests
import Models
import Testing

@Suite("The Link header")
struct LinkHeaderTests {
  @Test(
    "The target of the first link with rel=next is found",
    arguments: [
      ("<http://h/2>; rel=\"next\"", "http://h/2"),
      ("</2>;rel=next", "/2"),
      ("<?p=1>; rel=prev, <?p=3>; rel=\"next\", <?p=9>; rel=last", "?p=3"),
      ("<a,b;c>; title=\"x, \\\"y\\\"; rel=next\"; rel=\"last  NEXT\"", "a,b;c"),
      (" , ,\t<2> ; REL = \"Next\" ; title*=UTF-8''x", "2"),
      ("<1>; rel=\"first\"; rel=\"next\", <2>; rel=next", "2"),
      ("<1>; rel=next; anchor=\"#x\", <2>; crossorigin; rel=next", "2"),
      ("<>; rel=next", ""),
    ])
  func found(value: String, target: String) {
    #expect(LinkHeader.next(in: HTTPFields(["Link": value])) == target)
  }

  @Test(
    "Anything else gives none, and never traps",
    arguments: [
      "", "<", "<x", "<x>", "x; rel=next", "<x>; rel=\"nextish\"", "<x>; rel", "<x>; rel=", "<x>;",
      "<x>; rel=\"ne", "<x>; title=\"\\", "<x> rel=next", "<x>; rel=prev; rel=next",
    ])
  func none(value: String) {
    #expect(LinkHeader.next(in: HTTPFields(["Link": value])) == nil)
  }

  @Test("All fields of that name are looked at")
  func severalFields() {
    let fields = HTTPFields(["link": "<1>; rel=prev", "Other": "x", "LINK": "<2>; rel=next"])
    #expect(LinkHeader.next(in: fields) == "2")
    #expect(LinkHeader.next(in: HTTPFields()) == nil)
  }
}
