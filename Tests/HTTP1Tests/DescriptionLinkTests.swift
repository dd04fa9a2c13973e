import HTTP1
import Models
import Testing

@Suite struct DescriptionLinkTests {
  private static let type = "type=\"application/metalink4+xml\""

  @Test(
    "The first link to a Metalink document that describes the content is read",
    arguments: [
      (["<f.meta4>; rel=describedby; \(type)"], "f.meta4"),
      (["<http://h/f.meta4>; \(type); rel=\"describedby\""], "http://h/f.meta4"),
      (["<f>; rel=\"alternate DescribedBy\"; type=Application/Metalink4+XML"], "f"),
      (["<f>; rel=describedby; type=\"application/metalink4+xml ; charset=utf-8\""], "f"),
      (["<m>; rel=duplicate; pri=1, <f>; rel=describedby; \(type)"], "f"),
      (
        ["<m>; rel=duplicate", "<f>; rel=describedby; \(type), <g>; rel=describedby; \(type)"], "f"
      ),
      (
        ["<t>; rel=describedby; type=\"application/x-bittorrent\", <f>; rel=describedby; \(type)"],
        "f"
      ),
      (["<>; rel=describedby; \(type)"], nil),
      (["<f>; rel=describedby"], nil),
      (["<f>; rel=describedby; type=\"application/metalink+xml\""], nil),
      (["<f>; rel=describedby; type=\"application/metalink4+xmlx\""], nil),
      (["<f>; rel=describes; \(type)"], nil),
      (["<f>; \(type)"], nil),
      // The link of another context says nothing about the content.
      (["<f>; rel=describedby; \(type); anchor=\"/other\""], nil),
      (["f.meta4; rel=describedby; \(type)"], nil),
      ([""], nil),
      ([], nil),
    ] as [([String], String?)])
  func table(fields: [String], target: String?) {
    var head = HTTPFields()
    for value in fields { head.append("Link", value) }
    #expect(DescriptionLink(head)?.target == target)
  }
}
