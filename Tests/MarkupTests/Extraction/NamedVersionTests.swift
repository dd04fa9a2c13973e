import Testing

@testable import MarkupExtraction

@Suite("Versions of an image that its elements name") struct NamedVersionTests {
  @Test(
    "The size in a query is recognized",
    arguments: [
      ("https://h/a.jpg?downsize=600:*", 600), ("https://h/a.jpg?fill=*:400", 400),
      ("https://h/a.jpg?to=300x200&q=80", 300), ("https://h/a.jpg?w=680&dpr=2", 1_360),
      ("https://h/a.jpg?w=680&dpr=1.5", 1_020), ("https://h/a.jpg?w=680&dpr=99", 680),
      ("https://h/a.jpg?w=9000&dpr=8", 20_000),
      ("https://h/a.jpg?dpr=2", nil), ("https://h/a.jpg?ratio=16:9", nil),
      ("https://h/a.jpg?crop=1200:630", nil), ("https://h/a.jpg?at=*:*", nil),
      ("https://h/a.jpg?t=", nil), ("https://h/a.jpg?w=680&dpr=nan", 680),
    ] as [(String, Int?)])
  func pixels(_ url: String, _ expected: Int?) { #expect(ImageVersion(url).pixels == expected) }

  @Test("URLs that differ in a size of the query are of one image")
  func keys() {
    let keys = ["", "?downsize=600:*", "?downsize=*:900", "?to=300x200"].map {
      ImageVersion("https://h/a/harbour.jpg" + $0).key
    }
    #expect(Set(keys).count == 1)
    #expect(
      ImageVersion("https://h/i.php?id=1:2").key != ImageVersion("https://h/i.php?id=1:3").key)
  }

  @Test(
    "Of the versions in attributes the largest is taken",
    arguments: [
      (
        "<picture><source media='(max-width: 40rem)' srcset='x.jpg?s=600:*'>"
          + "<img src='x.jpg?downsize=60:*' data-src='x.jpg?downsize=900:*'></picture>",
        "x.jpg?downsize=900:*"
      ),
      (
        "<picture><source data-srcset='x.jpg?w=680&dpr=1 1x, x.jpg?w=680&dpr=2 2x'>"
          + "<img src=data:, data-src='x.jpg?w=680&dpr=1'></picture>", "x.jpg?w=680&dpr=2"
      ),
      // A script replaces the placeholder by a file without an extension.
      ("<img src=/t.gif real_src='http://s.test/mid/0a1b2c&690'>", "http://s.test/mid/0a1b2c&690"),
      ("<img src=/t.jpg other_name='http://s.test/mid/0a1b2c'>", "/t.jpg"),
      ("<img src=/t.jpg real_src='harbour'>", "/t.jpg"),
      // A program makes a version of the original, which another attribute names.
      (
        "<img src=http://o.test/A.png srcset='//p.test/R9x0/?f=http%3A%2F%2Fo.test%2FA.png 9000w'>",
        "http://o.test/A.png"
      ),
      (
        "<img src=/t.png srcset='//p.test/R9x0/?f=http%3A%2F%2Fo.test%2FA.png 9000w'>",
        "//p.test/R9x0/?f=http%3A%2F%2Fo.test%2FA.png"
      ),
    ])
  func attributes(_ html: String, _ expected: String) throws {
    #expect(try Page(html).urls == [expected])
  }

  @Test(
    "A link around an image leads to a larger version, or to a page",
    arguments: [
      ("href=/i/0a1b.full", "/i/0a1b.medium", true), ("href=/i/0a1b.full", "/i/0a1b.140x105", true),
      ("href=/i/0a1b-large", "/i/0a1b-thumb", true), ("href=/i/0a1b-original", "/i/0a1b", true),
      ("href=/i/0a1b.full", "/i/0a1b.jpg", true), ("href=/f/3-jpg/", "/f/3-jpg/?thumbnail=1", true),
      ("href=/f/3-jpg/", "/f/3-jpg/?tiny=1", true),
      ("href=javascript: data-href=/i/1.jpg", "/i/1-90x90.jpg", true),
      ("data-url=/i/1.jpg", "/i/1-90x90.jpg", true),
      // Pages, other images, smaller versions and other hosts.
      ("href=/i/harbour-large", "/i/harbour.jpg", false),
      ("href=/i/0a1b-popup", "/i/0a1b-5wi", false),
      ("href=/i/0a1b.html", "/i/0a1b.jpg", false), ("href=/i/0a1c.full", "/i/0a1b.full", false),
      ("href=/i/0a1b.small", "/i/0a1b.medium", false), ("href=/j/0a1b.full", "/i/0a1b.full", false),
      ("href=//b.test/i/0a1b.full", "//a.test/i/0a1b.full", false),
      ("href=/f/3", "/f/3?id=4", false), ("href=/f/3/3.full", "/f/3/", false),
      ("href=/.full", "/0a1b.jpg", false),
      ("href=javascript: data-href=/page", "/i/1-90x90.jpg", false),
    ])
  func links(_ link: String, _ shown: String, _ isVersion: Bool) throws {
    let page = try Page("<p><a \(link)><img src='\(shown)'></a>")
    let target = link.split(separator: "=").last.map(String.init) ?? ""
    #expect(page.urls == [isVersion ? target : shown])
  }

  @Test(
    "Two folders with a width and a height name a version",
    arguments: [
      ("1088/820/0/190109-F-1.jpg", "-1/-1/0/190109-F-1.jpg", true),
      ("300/200/harbour-1.jpg", "0/0/harbour-1.jpg", true),
      ("300/200/harbour-1.jpg", "1200/800/harbour-1.jpg", true),
      ("-1/-1/0/190109-F-1.jpg", "1088/820/0/190109-F-1.jpg", false),
      // Days, numbers of things, a short name, and only one larger side.
      ("2014/05/harbour-1.jpg", "2015/06/harbour-1.jpg", false),
      ("1234/5678/harbour-1.jpg", "1234/5679/harbour-1.jpg", false),
      ("300/200/1.jpg", "1200/800/1.jpg", false),
      ("99999999/200/harbour-1.jpg", "99999999/2019/harbour-1.jpg", false),
    ])
  func folders(_ shown: String, _ linked: String, _ isReplaced: Bool) throws {
    let (shown, linked) = ("https://h.test/i/\(shown)", "https://h.test/i/\(linked)")
    let page = try Page("<img src=\(shown)><p><a href=\(linked)>Download</a>")
    #expect(page.urls == [isReplaced ? linked : shown])
  }

  @Test("An image for social networks that is a version of the only shown one is not another image")
  func socialNetworks() throws {
    for (image, shown, count) in [
      ("//t.test/1@400.jpg", "<img src=/a.jpg data-preview-src=//t.test/1@400.jpg>", 1),
      ("//t.test/1@400.jpg", "<img src=/a.jpg>", 2),
      ("/view.php?work=123456789", "<img src=/123456789_p0.png>", 1),
      ("/view.php?work=123456780", "<img src=/123456789_p0.png>", 2),
      ("//p.test/R9/?f=http%3A%2F%2Fo.test%2FA.png", "<img src=http://o.test/A.png>", 1),
    ] {
      let page = try Page("<meta property=og:image content='\(image)'>" + shown)
      #expect(page.urls.count == count, "\(image) \(shown)")
    }
  }
}
