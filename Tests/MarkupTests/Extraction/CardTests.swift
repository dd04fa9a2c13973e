import Testing

@testable import MarkupExtraction

@Suite("Cards of other pages, and what a page names as its own") struct CardTests {
  private let url = "https://example.org/news/2025/5/3/harbour"
  private let photo = "<figure><img src=/up/a.jpg></figure>"

  @Test(
    "The only image of a card whose heading leads to a page like this one is left out",
    arguments: [
      ("<article>%<h3><a href=/news/2025/5/3/old-town-7>T</a></h3></article>", false),
      ("<li>%<a href=/news/2025/5/3/old-town-7><h3>T</h3></a></li>", false),
      // Text beside the image, several images, and links elsewhere.
      ("<div>%<h3><a href=/news/2025/5/3/old-town-7>T</a></h3></div>", true),
      ("<article>%%<h3><a href=/news/2025/5/3/old-town-7>T</a></h3></article>", true),
      ("<article>%<h3><a href=/shop/a>T</a></h3></article>", true),
    ])
  func cards(_ card: String, _ isKept: Bool) throws {
    let cards = (1...3).map { number in
      card.replacing("%%", with: "<img src=/up/x\(number).jpg><img src=/up/y\(number).jpg>")
        .replacing("%", with: "<div><img src=/up/c\(number).jpg></div>")
    }
    let page = try Page(
      "<main><h1>T</h1><div>\(photo)</div>\(cards.joined())</main>", url: url)
    #expect((page.urls.count > 1) == isKept)
    #expect(page.urls.contains("/up/a.jpg"))
  }

  @Test("A figure in a link to another page is a preview, one with such a link is not")
  func figures() throws {
    let previews = (1...3).map {
      "<li><a href=/other/\($0)><figure><img src=/up/c\($0).jpg></figure></a></li>"
    }
    let page = try Page(
      "<main><article>\(photo)\(photo.replacing("a.jpg", with: "b.jpg"))</article>"
        + "<section><ul>\(previews.joined())</ul></section></main>", url: url)
    #expect(page.urls == ["/up/a.jpg", "/up/b.jpg"])
  }

  @Test("The foot of one of several numbered things is not that of the page")
  func feet() {
    #expect(ElementNames("msg_123_footer attachments").ofDescendants == .none)
    #expect(ElementNames("site_footer").ofDescendants == .byPlace)
    #expect(ElementNames("msg_123_signature").ofDescendants == .byPlace)
  }

  @Test("A source for small windows is not larger than the image for others")
  func windows() throws {
    let source = "<source media='(max-width: 660px)' srcset=/720/b.webp>"
    let page = try Page("<picture>\(source)<img src=/sample/a.jpg width=850></picture>")
    #expect(page.urls == ["/sample/a.jpg"])
    let wide = try Page(
      "<picture>\(source.replacing("max", with: "min"))<img src=/sample/a.jpg width=850></picture>")
    #expect(wide.urls == ["/720/b.webp"])
  }

  @Test("A link with the digest of a shown image names its original in the contents only")
  func digests() throws {
    let digest = "a794b99f932d4a4acd63529f9d2e87b0"
    let image = "<div><img src=/sample/a7/tag_sample-\(digest).jpg></div>"
    let link = "<a href=/original/a7/tag__\(digest).png>Original</a>"
    let url = "https://board.test/posts/1"
    let page = try Page(
      image.replacing("src=", with: "src=https://c.board.test")
        + link
        .replacing("href=", with: "href=https://c.board.test"), url: url)
    #expect(page.urls == ["https://c.board.test/original/a7/tag__\(digest).png"])
  }

  @Test("A short number is the name of a page, two letters are a language")
  func firstPages() throws {
    let cards = (1...4).map { "<div><a href=/1\($0)><img src=/c/\($0).jpg></a></div>" }
    let page = try Page(
      "<article><p><img src=/a/x.jpg></article>" + cards.joined(), url: "https://talk.test/42")
    #expect(page.urls == ["/a/x.jpg"])
  }
}
