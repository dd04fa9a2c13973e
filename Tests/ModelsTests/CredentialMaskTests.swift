import Models
import Testing

@Suite("Credentials in URLs")
struct CredentialMaskTests {
  static let masked = [
    ("http://user:secret@host/a.png", "http://***@host/a.png"),
    ("https://user@host", "https://***@host"),
    ("http://:secret@host/", "http://***@host/"),
    ("ftp://user:secret@host/", "ftp://***@host/"),
    ("//user:secret@host/a", "//***@host/a"),
    ("http://user:se@cret@host/", "http://***@host/"),
    ("http://user:se/cret@host/", "http://***@host/"),
    ("http://user:se\"cret@host/", "http://***@host/"),
    ("http://user:secret@[::1]:8080/", "http://***@[::1]:8080/"),
    ("http://us%40er:secret@host?x#y", "http://***@host?x#y"),
    ("redirect to \"http://a:b@host/\": no", "redirect to \"http://***@host/\": no"),
    ("http://a:b@c/ http://d:e@f/", "http://***@c/ http://***@f/"),
    ("--proxy=http://a:b@c:3128", "--proxy=http://***@c:3128"),
    ("https://h/?next=http://a:b@c/", "https://h/?next=http://***@c/"),
    ("/srv/me/http:/a:b@c/d: no such file", "/srv/me/http:/***@c/d: no such file"),
    ("http://ü:ß@host/é", "http://***@host/é"),
    ("http://user:se cret@host/", "http://***@host/"),
    ("https:user:secret@host/", "https:***@host/"),
    ("http:/user:secret@host/", "http:/***@host/"),
    ("HTTP:\\\\user:secret@host/", "HTTP:\\\\***@host/"),
    ("redirect to \"http:\\\\a:b@host/\": no", "redirect to \"http:\\\\***@host/\": no"),
    ("user:secret@host", "***@host"), ("user:secret@host/a.png: no", "***@host/a.png: no"),
    ("no file \"user:secret@host\"", "no file \"***@host\""),
  ]

  @Test("are hidden wherever they stand", arguments: masked)
  func hidden(_ text: String, _ shown: String) {
    #expect(CredentialMask.masked(text) == shown)
    #expect(CredentialMask.masked(shown) == shown)
  }

  static let kept = [
    "", "a", "@", "//", "http://", "http://host/@user/a.png", "http://host:80/@user",
    "https://host/a//b@c.jpg", "http://host/?mail=a@b", "http://[::1]:80/a@b", "a@b.example",
    "http://host:8080/x y@z", "http://host:8080 or me@host", "see: me@host", "a:b c@d",
    "12:30 @home",
    "write to me@host, or see http://host/", "http://host#a@b",
  ]

  @Test("are hidden in time however many URLs a text has")
  func linear() {
    let many = "@" + String(repeating: "x://a:80/", count: 20_000)
    #expect(CredentialMask.masked(many) == many)
    let bare = String(repeating: "a:b,", count: 40_000) + "/@h"
    #expect(CredentialMask.masked(bare) == bare)
    let nested = String(repeating: "x://", count: 20_000) + "a@b"
    #expect(CredentialMask.masked(nested).hasSuffix("***@b"))
  }

  @Test("are all that is hidden", arguments: kept)
  func rest(_ text: String) { #expect(CredentialMask.masked(text) == text) }
}

@Suite("CSV for spreadsheets")
struct CSVTextTests {
  static let formulas = [
    "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "-", "=HYPERLINK(\"http://x\")",
  ]

  @Test(
    "a text that begins like a formula gets an apostrophe, unless it is wanted raw",
    arguments: formulas)
  func formula(_ text: String) {
    let quoted = "'" + text
    let cell = CSVText.cell(text)
    #expect(
      cell == quoted || cell == "\"" + quoted.replacing("\"", with: "\"\"") + "\"")
    #expect(!CSVText.cell(text, isRaw: true).contains("'"))
  }

  @Test("other texts stay; commas, quotation marks and line ends are quoted (RFC 4180)")
  func plain() {
    for text in ["", "a", "a=1", "1-2", "é", "'", "https://host/a.png"] {
      #expect(CSVText.cell(text) == text)
    }
    #expect(CSVText.cell("a,b") == "\"a,b\"")
    #expect(CSVText.cell("a\"b") == "\"a\"\"b\"")
    #expect(CSVText.cell("a\nb") == "\"a\nb\"")
    #expect(CSVText.cell("=a,b") == "\"'=a,b\"")
  }
}
