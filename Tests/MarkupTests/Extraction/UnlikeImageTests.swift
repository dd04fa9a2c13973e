import Testing

@testable import MarkupExtraction

@Suite("Images unlike the main ones") struct UnlikeImageTests {
  private func photos(_ count: Int, _ image: String) -> String {
    let items = (1...count).map { image.replacing("%", with: "harbour-\($0)") }
    return "<div>" + items.map { "<div>\($0)</div>" }.joined() + "</div>"
  }

  private let linked = "<a href=/a/%.jpg><img src=/a/thumb/%.jpg></a>"

  @Test(
    "A banner, or a drawing of another folder, before linked photographs is left out",
    arguments: [
      ("<img src=/a/x.jpg width=1100 height=200>", 3, false),
      ("<img src=/a/x.jpg width=1100 height=500>", 3, true),
      ("<img src=/b/x.jpg>", 3, true),
      ("<img src=/two/isle.gif>", 3, false),
      ("<p><img src=/two/isle.gif></p>", 3, false),
      // Drawings among the photographs, and too few photographs.
      ("<img src=/a/isle.gif>", 3, true),
      ("<img src=/two/isle.gif>", 2, true),
      ("<img src=/two/x.jpg width=1100 height=200>", 2, true),
    ])
  func precedingImages(_ image: String, _ count: Int, _ isKept: Bool) throws {
    let page = try Page("<div>\(image)</div>" + photos(count, linked))
    #expect(page.urls.count == count + (isKept ? 1 : 0))
  }

  @Test(
    "An image at another host of the site is less likely one of the contents",
    arguments: [
      ("https://skin.blogs.test/x.jpg width=960 height=300", false),
      ("https://skin.blogs.test/x.jpg width=160", false),
      ("https://skin.blogs.test/x.jpg", true),
      ("https://files2.blogs.test/x.jpg width=160", true),
      ("https://other.test/x.jpg width=160", true),
    ])
  func hosts(_ image: String, _ isKept: Bool) throws {
    let page = try Page(
      "<div><img src=\(image)></div>" + photos(3, "<img src=https://files1.blogs.test/%.jpg>"),
      url: "https://www.blogs.test/1")
    #expect(page.urls.count == (isKept ? 4 : 3))
  }

  @Test("Previews of other listings are left out beside those of the listed things")
  func listings() throws {
    let cards = (100...107).map { "<li><a href=/fr/l/\($0)><img src=/i/\($0).jpg></a>" }.joined()
    let others = (200...202).map {
      "<li><a href=/fr/v/\($0)><img src=/v/\($0).jpg width=120 height=90></a>"
    }.joined()
    let url = "https://example.org/fr/v/199"
    #expect(try Page("<ul>\(cards)</ul><ul>\(others)</ul>", url: url).urls.count == 8)
    #expect(try Page("<ul>\(others)</ul>", url: url).urls.count == 3)
  }

  @Test("A portrait is left out beside larger images of a listing, small images alone are kept")
  func portraits() throws {
    let portrait = "<div><img src=p.jpg width=75 height=75></div>"
    let cards = (1...4).map { "<li><a href=/item/\($0)><img src=\($0).jpg></a>" }.joined()
    #expect(try Page(portrait + "<ul>\(cards)</ul>").urls.count == 4)
    let small = (1...4).map { "<img src=\($0).jpg width=90 height=90>" }.joined()
    #expect(try Page(small).urls.count == 4)
    #expect(try Page(small + "<a href=/item/9><img src=large.jpg></a>").urls.count == 5)
  }

  @Test("A preview that a program made of an image on the linked site is left out")
  func proxies() throws {
    let source = "https://t.test/?src=%22https%3A%2F%2Fother.test%2Fa.jpg%22&type=f"
    for (target, count) in [("https://other.test/", 1), ("https://third.test/", 2)] {
      let html = "<div><img src=b.jpg><a href=\(target)><img src='\(source)'></a></div>"
      #expect(try Page(html).urls.count == count)
    }
  }

  @Test("A button to another site below the only image is left out, a picture of its folder is not")
  func buttons() throws {
    for (name, count) in [("/two/x.jpg", 1), ("/one/x.jpg", 2)] {
      let link = "<div><a href=https://other.test/s><img src=\(name)></a></div>"
      #expect(try Page("<div><img src=/one/1.jpg></div>" + link).urls.count == count)
    }
  }

  @Test("An image for social networks that is none of several on the page is left out")
  func metadata() throws {
    let meta = "<meta property=og:image content=https://i.test/a/cover.jpg>"
    let type = "<meta property=og:type content=article>"
    let images = (1...3).map { "<img src=https://i.test/a/harbour-\($0).jpg>" }
    #expect(try Page(meta + images.joined()).urls.count == 3)
    #expect(try Page(meta + type + images.joined()).urls.count == 4)
    #expect(try Page(meta + images[0...1].joined()).urls.count == 3)
  }

  @Test("An aside with another role and names that negate or are generated are no reason")
  func names() throws {
    let image = "<img src=b.jpg>"
    for html in [
      "<aside role=region>%</aside>", "<div id=pgi17fcff40e7ad_1>%</div>",
    ] {
      #expect(try Page("<img src=a.jpg>" + html.replacing("%", with: image)).urls.count == 2)
    }
    #expect(try Page("<img src=a.jpg><img class=icon-inline-none src=b.jpg>").urls.count == 2)
    #expect(
      try Page("<img src=a.jpg><aside role=note-x></aside><aside>\(image)</aside>").urls == [
        "a.jpg"
      ])
  }

  @Test("The only large image beside buttons is that of the page, also in a link to the next page")
  func viewers() throws {
    let image = "<div><a href=/s/b/3><img src=/h/harbour.jpg %></a></div>"
    let buttons =
      "<div><a href=/g/1/><img src=/b.png></a></div><i><img src=/r.gif><img src=/r.gif></i>"
    for (size, isViewed) in [
      ("width=800 height=1100", true), ("style='height:1100px;width:800px'", true),
      ("width=800 height=300", false), ("", false),
    ] {
      let html = image.replacing("%", with: size) + buttons
      let page = try Page(html, url: "https://h.test/s/a/2")
      #expect((page.urls == ["/h/harbour.jpg"]) == isViewed, "\(size)")
    }
  }

  @Test("Drawings that lead to pages beside photographs are a menu, alone they are the contents")
  func menus() throws {
    let menu = (1...5).map { "<a href=/node/\($0)/tree><img src=/m/\($0).gif></a>" }.joined()
    let url = "https://h.test/node/123456"
    let photo = "<td><img src=/p/1.jpg width=560 height=400></td>"
    let cells = (1...4).map { "<td><a href=/node/9\($0)/image><img src=/p/\($0).jpg></a></td>" }
    for (photos, count) in [(photo, 1), (cells.joined(), 4), ("", 5)] {
      let html = "<table><tr>\(photos)</tr></table><div>\(menu)</div>"
      #expect(try Page(html, url: url).urls.count == count)
    }
  }

  @Test("Buttons, and images of another program, below those of the contents are left out")
  func programs() throws {
    let photos = photos(3, "<p><img src='/view.php?no=%'></p>")
    for (image, count) in [
      ("<i><img src='/sticker.php?no=1234'></i>", 3), ("<i><img src='/view.php?no=1234'></i>", 4),
      ("<i><img src=/up.jpg></i>", 3), ("<button><img src='/view.php?no=1'></button>", 3),
    ] {
      #expect(try Page(photos + "<div>\(image)</div>").urls.count == count, "\(image)")
    }
    let files = self.photos(2, "<p><img src=/f/%.jpg></p>")
    for (image, count) in [
      ("<button><img src=/f/up.jpg></button>", 2), ("<i><img src=/f/up.jpg></i>", 3),
    ] {
      #expect(try Page(files + "<div>\(image)</div>").urls.count == count, "\(image)")
    }
  }

  @Test(
    "An article in a column that is named as a sidebar is contents if the column has the heading")
  func columns() throws {
    let article = "<article><figure><img src=a.jpg></figure></article>"
    let other = "<div class=main-column><img src=b.jpg></div>"
    for (heading, tag, urls) in [
      ("<h1>Harbour</h1>", "div", ["a.jpg", "b.jpg"]), ("", "div", ["b.jpg"]),
      ("<h1>Harbour</h1>", "aside", ["b.jpg"]), ("<a href=/><h1>Site</h1></a>", "div", ["b.jpg"]),
    ] {
      let html = "<\(tag) class=sidebar-1>\(heading)\(article)</\(tag)>\(other)"
      #expect(try Page(html).urls == urls, "\(heading) \(tag)")
    }
  }

  @Test(
    "An element named as one for advertisements has contents if another of its names says so",
    arguments: [
      ("class='ad_area entry-content'", true), ("id=ad_area class=post_content", true),
      ("class=ad_area", false), ("class='ad_area ad-content'", false), ("class=ad-content", false),
      ("class=messageSidebarOrientationLeft", true), ("class=messageSidebar", false),
    ])
  func columnsWithAdvertisements(_ names: String, _ isKept: Bool) throws {
    let page = try Page("<div \(names)><img src=a.jpg></div><div><img src=b.jpg></div>")
    #expect(page.urls == (isKept ? ["a.jpg", "b.jpg"] : ["b.jpg"]))
  }

  @Test("A page whose fragment names the image is one about it")
  func fragments() throws {
    let link = "<a href='/show.html#pid=0a1b2c3d4e5'><img src=/i/0a1b2c3d4e5.jpg></a>"
    let photos = photos(3, "<img src=/a/%.jpg width=800 height=600>")
    #expect(try Page(photos + "<div>\(link)</div>", url: "https://h.test/x/1").urls.count == 4)
    let other = link.replacing("pid=0a1b2c3d4e5", with: "pid=0a1b2c3d4e6")
    #expect(try Page(photos + "<div>\(other)</div>", url: "https://h.test/x/1").urls.count == 3)
  }
}
