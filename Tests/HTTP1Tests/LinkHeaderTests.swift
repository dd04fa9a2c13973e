import HTTP1
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

  @Test("All fields of that name are parsed")
  func severalFields() {
    let fields = HTTPFields(["link": "<1>; rel=prev", "Other": "x", "LINK": "<2>; rel=next"])
    #expect(LinkHeader.next(in: fields) == "2")
    #expect(LinkHeader.next(in: HTTPFields()) == nil)
  }

  @Test("Relations and parameters are read, and the first `rel` holds")
  func parameters() {
    let links = LinkHeader.links(
      in: HTTPFields([
        "Link": "<a>; REL=\"Duplicate  x\"; rel=next; Pri=1;pri=2; geo=\"g\\\"b\"; pref, <b>"
      ]))
    #expect(links.map(\.target) == ["a", "b"])
    #expect(links[0].relations == ["duplicate", "x"] && links[1].relations == [])
    #expect(links[0]["pri"] == "1" && links[0]["geo"] == "g\"b" && links[0]["pref"] == "")
    #expect(links[0]["depth"] == nil)
  }

  @Test("Links, parameters and bytes are bounded")
  func bounds() {
    let many = String(repeating: "<x>; rel=a,", count: 1_000)
    #expect(LinkHeader.links(in: HTTPFields(["Link": many])).count == LinkHeader.linkLimit)
    let wide = "<x>; rel=a" + String(repeating: "; p=1", count: 100) + "; rel=b, <y>"
    let links = LinkHeader.links(in: HTTPFields(["Link": wide]))
    #expect(links.map(\.parameters.count) == [LinkHeader.parameterLimit, 0])
    let long = "<" + String(repeating: "x", count: LinkHeader.byteLimit) + ">"
    #expect(LinkHeader.links(in: HTTPFields(["Link": long, "link": "<y>"])) == [])
  }

  @Test("Damaged fields never trap", arguments: 0..<8)
  func damaged(seed: UInt64) {
    var random = Seeded(state: seed)
    let text =
      "<http://h/1>; rel=\"duplicate\"; pri=1; geo=\"de\", </2>; rel=describedby; type=\"a\\\"b\""
    let spice = Array("<>;,=\"\\ \tx*1".utf8) + [0, 0x7f, 0x80, 0xff]
    for _ in 0..<500 {
      var bytes = Array(text.utf8)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        let byte = spice[Int.random(in: 0..<spice.count, using: &random)]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = byte
        case 1: bytes.insert(byte, at: index)
        default: bytes.removeSubrange(index..<min(bytes.count - 1, index + 5))
        }
      }
      var fields = HTTPFields(["Link": String(decoding: bytes, as: UTF8.self)])
      #expect(LinkHeader.links(in: fields).count <= LinkHeader.linkLimit)
      fields.append("ETag", "\"v\"")
      #expect(DuplicateLinks(fields)?.targets.count ?? 0 <= DuplicateLinks.limit)
    }
  }
}
