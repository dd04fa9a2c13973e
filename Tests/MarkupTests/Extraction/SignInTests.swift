import Markup
import Testing

@Suite("Pages for signing in") struct SignInTests {
  private static let form = "<form action=/x><input name=u><input type=password></form>"

  @Test(
    "A page with hardly more than a form for signing in is refused",
    arguments: [
      form, form + "<img src=hero.jpg><img src=app.jpg>",
      form + "<img src=a.jpg width=300 height=200>",
      form + "<meta property=og:image content=http://h/a.jpg>",
      form + "<a href=/app><img src=a.jpg width=800 height=600></a>",
      form + "<div style='background-image: url(a.jpg); width: 1600px; height: 900px'></div>",
      "<form action=/login><input type=email></form><p>Welcome",
      "<form class=sign-in-form><input name=user></form>",
      form + "<script>\(String(repeating: "x", count: 5_000))</script>",
    ])
  func refusals(_ html: String) {
    let error = #expect(throws: MarkupError.self) { try Page(html) }
    #expect(error?.code == .unsupported)
    #expect(error?.description.hasPrefix("this looks like a page for signing in") == true)
  }

  @Test(
    "A page with contents beside the form is read",
    arguments: [
      form + "<img src=a.jpg><img src=b.jpg><img src=c.jpg>",
      form + "<p>\(String(repeating: "text ", count: 1_000))<img src=a.jpg>",
      form + "<meta property=og:type content=article><img src=a.jpg>",
      form + "<img src=a.jpg width=800 height=600>",
      "<header>" + form + "</header><a href=b.jpg><img src=a.jpg></a>",
      "<form action=/search><input name=q></form><img src=a.jpg>",
    ])
  func contents(_ html: String) throws { #expect(try !Page(html).urls.isEmpty) }

  @Test("A page that is demanded as one is read")
  func demanded() throws {
    #expect(try Page(Self.form + "<img src=a.jpg>", rule: .html).urls == ["a.jpg"])
  }
}
