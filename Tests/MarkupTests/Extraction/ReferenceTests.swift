import Testing

@testable import MarkupExtraction

@Suite("References") struct ReferenceTests {
  @Test(
    "A reference is cleaned as browsers do it",
    arguments: [
      ("a.jpg", "a.jpg"), ("  a.jpg\n", "a.jpg"), ("\n\t\thttps://h/a.jpg\r\n", "https://h/a.jpg"),
      ("a\n\tb.jpg", "ab.jpg"), ("pics\\a.jpg", "pics/a.jpg"), ("//h/a.jpg", "//h/a.jpg"),
      ("HTTP://h/a.jpg", "HTTP://h/a.jpg"), ("?id=1", "?id=1"), ("a b.jpg", "a b.jpg"),
      ("./a:b.jpg", "./a:b.jpg"), ("/x:y", "/x:y"), (":a", ":a"),
    ])
  func cleaned(_ text: String, _ expected: String) { #expect(Reference.cleaned(text) == expected) }

  @Test(
    "What is no file on a server is not a reference",
    arguments: [
      "", " ", "#", "#top", "data:image/gif;base64,R0lGOD", "javascript:void(0)", "about:blank",
      "blob:x",
      "mailto:a@b", "file:///etc/passwd", "ftp://h/a.jpg", "httpx://h", "{{ image.url }}",
      "<%= url %>",
      "/img/{id}.jpg", "${src}",
    ])
  func refused(_ text: String) { #expect(Reference.cleaned(text) == nil) }

  @Test(
    "The names of classes and files are divided into words",
    arguments: [
      ("", []), ("siteLogo-2x", ["site", "logo", "2", "x"]),
      ("icon18_edit", ["icon", "18", "edit"]),
      ("ABC", ["abc"]), ("__a--B ", ["a", "b"]), ("Größe", ["größe"]), ("日本", ["日本"]),
    ] as [(String, [String])])
  func words(_ text: String, _ expected: [String]) { #expect(Words.split(text) == expected) }

  @Test(
    "White space is collapsed",
    arguments: [("", nil), (" \n\u{a0}", nil), ("  a \n b\u{a0}c ", "a b c")] as [(String, String?)]
  )
  func collapsed(_ text: String, _ expected: String?) { #expect(Words.collapsed(text) == expected) }

  @Test("A site is the last two labels of a host that are not empty")
  func sites() {
    for (host, site) in [
      ("example.org", "example.org"), ("a.b.example.org", "example.org"),
      ("localhost", "localhost"),
      ("", ""), ("127.0.0.1", "0.1"), ("a..org", "a.org"), ("a.b.org.", "b.org"), (".org", "org"),
      ("bücher.example", "bücher.example"),
    ] {
      #expect(PageAddress.site(host) == site, "\(host)")
    }
  }

  @Test("A reference is absolute if it begins with a short scheme or a host")
  func absolute() {
    for text in ["http://h/a", "https://h", "//h/a", "a://", "x::// "] {
      #expect(Reference.isAbsolute(text), "\(text)")
    }
    for text in ["", "/a", "a/b", "a:/b/", "a:b//", "longscheme://h", "日本", ":/ /"] {
      #expect(!Reference.isAbsolute(text), "\(text)")
    }
  }
}
