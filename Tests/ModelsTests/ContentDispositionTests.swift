import Models
import Testing

@Suite("Content-Disposition") struct ContentDispositionTests {
  static let names: [(String, String?)] = [
    ("attachment; filename=a.png", "a.png"), ("attachment; filename=\"a b.png\"", "a b.png"),
    ("inline;FILENAME=\"a\\\"b.png\"", "a\"b.png"), ("attachment; filename = a.png ; x=y", "a.png"),
    ("attachment; filename=\"b.png\"; filename*=UTF-8''%e2%82%ac.png", "\u{20ac}.png"),
    ("attachment; filename*=iso-8859-1'en'%A3.png; filename=b.png", "\u{a3}.png"),
    ("attachment; filename*=UTF-8''%ff.png; filename=b.png", "b.png"),
    ("attachment; filename*=koi8-r''%ff.png", nil), ("attachment; filename*=UTF-8''%4", nil),
    ("attachment; filename=\"../../etc/passwd\"", "passwd"),
    ("attachment; filename=\"C:\\\\x\\\\y.png\"", "y.png"), ("attachment; filename=\"..\"", nil),
    ("attachment; filename=\"a;b.png\"", "a;b.png"),
    ("attachment; filename=\"unterminated", "unterminated"),
    ("attachment", nil), ("", nil), ("; ; filename", nil), ("attachment; filename=", nil),
    ("attachment; filename=\(String(repeating: "x", count: 1_025))", nil),
  ]

  @Test("suggests the last component of a file name", arguments: names)
  func name(_ field: String, _ name: String?) {
    #expect(ContentDisposition.fileName(field) == name)
  }
}
