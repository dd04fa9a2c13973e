import Testing

@testable import MarkupExtraction

@Suite("Images beside the previews of a listing") struct ListingEvidenceTests {
  private let url = "https://example.org/used/index.html"

  private func cards(_ count: Int) -> String {
    (1...count).map { "<li><a href=/cars/x-\($0)/1\($0)><img src=/i/\($0).jpg></a>" }.joined()
  }

  @Test(
    "An image of another kind than the previews is left out",
    arguments: [
      ("<a href=/specials/><img src=/s/x.jpg width=1600 height=400></a>", false),
      ("<a href=/specials/><img src=/s/x-1600x400.jpg></a>", false),
      ("<a href=/join><img src=/promo/x.png width=300></a>", false),
      ("<div style='background-image:url(/h/x.jpg?w=1600&h=300)'>All</div>", false),
      ("<a href=https://ads.test/?a=1><img src=/s/x.jpg width=300 height=250></a>", false),
      ("<a href=/cars/y/19><img src=/big/x.jpg></a>", true),
    ])
  func others(_ image: String, _ isKept: Bool) throws {
    let page = try Page("<div>\(image)</div><main><ul>\(cards(6))</ul></main>", url: url)
    #expect(page.urls.count == (isKept ? 7 : 6), "\(page.urls)")
  }

  @Test("A much larger image than the previews is that of the page")
  func largeImage() throws {
    let own = "<div><img src=/o/1.jpg width=1600 height=1000></div>"
    let previews = (1...5).map { "<li><a href=/\($0)b><img src=/c/\($0).jpg width=400></a>" }
      .joined()
    let page = try Page("\(own)<ul>\(previews)</ul>", url: "https://example.org/harbour")
    #expect(page.urls == ["/o/1.jpg"])
  }

  @Test("Images for browsers without scripts are those of a page without others")
  func withoutScripts() throws {
    let own = (1...3).map { "<noscript><img src=/p/\($0).jpg></noscript>" }.joined()
    let previews = (1...5).map { "<li><a href=/t/\($0)><img src=/c/\($0).jpg></a>" }.joined()
    let page = try Page("<div>\(own)</div><ul>\(previews)</ul>", url: "https://example.org/c/1-2")
    #expect(page.urls == ["/p/1.jpg", "/p/2.jpg", "/p/3.jpg"])
  }

  @Test("The image of an offer at another site is left out of a text")
  func offers() throws {
    let photos = (1...3).map { "<p><img src=/p/\($0).jpg width=1200>" }.joined()
    let offer =
      "<p><a href=https://shop.test/dp/1?tag=x><img src=https://m.test/I/0a1b._SL160_.jpg></a>"
    #expect(try Page("<article>\(photos)\(offer)</article>").urls.count == 3)
    let large = offer.replacing("._SL160_", with: "")
    #expect(try Page("<article>\(photos)\(large)</article>").urls.count == 4)
  }

  @Test("A map, a section with a label and a role of a signature hold no contents")
  func names() throws {
    let photo = "<img src=/p/1.jpg width=800 height=600>"
    for html in [
      "<div class=map><img src=/m/1.png width=300 height=200></div>",
      "<section aria-label='You might also like'><img src=/m/1.jpg></section>",
      "<div data-role=memberSignature><p><img src=/m/1.jpg></p></div>",
    ] {
      #expect(try Page(photo + html).urls == ["/p/1.jpg"], "\(html)")
    }
    let reviews = "<section aria-label='Recommended Reviews'><img src=/m/1.jpg></section>"
    #expect(try Page(photo + reviews).urls.count == 2)
    #expect(try Page("<div class=map><img src=/m/1.png></div>").urls == ["/m/1.png"])
  }

  @Test("A page about one thing has the image that it names, not its recommendations")
  func things() throws {
    let head =
      "<meta property=og:type content=video.other><meta property=og:image content=/v/1.jpg>"
    let previews = (1...6).map { "<li><a href='/watch?v=7\($0)'><img src=/v/9\($0).jpg></a>" }
      .joined()
    let page = try Page(head + "<ul>\(previews)</ul>", url: "https://example.org/watch?v=12")
    #expect(page.urls == ["/v/1.jpg"])
  }
}
