import Markup
import Testing

@Suite("Images of a page") struct PageImageTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let html: String
    let urls: [String]

    init(_ description: String, _ html: String, _ urls: String...) {
      (testDescription, self.html, self.urls) = (description, html, urls)
    }
  }

  static let cases = [
    Case("a source", "<img src=a.jpg>", "a.jpg"),
    Case(
      "the largest of a set", "<img src=a.jpg srcset='b.jpg 640w, c.jpg 1280w, d.jpg 320w'>",
      "c.jpg"),
    Case("the densest of a set", "<img src=a.jpg srcset='b.jpg 2x, c.jpg 1.5x'>", "b.jpg"),
    Case("the first of equal ones", "<img srcset='a.jpg 640w, b.jpg 640w'>", "a.jpg"),
    Case(
      "the largest of a picture",
      "<picture><source srcset='a.webp 800w'><source srcset='b.jpg 1600w'><img src=c.jpg></picture>",
      "b.jpg"),
    Case("a picture without img", "<picture><source srcset='a.webp'></picture>", "a.webp"),
    Case("no source of a video", "<video poster=p.jpg><source src=v.mp4></video>"),
    Case(
      "lazy attributes",
      "<img src=/x/grey.gif data-src=a.jpg><img data-original=b.jpg src=/x/grey.gif><img data-lazy-src=c.jpg>",
      "a.jpg", "b.jpg", "c.jpg"),
    Case(
      "a lazy set", "<img src='data:image/gif;base64,AA' data-srcset='a.jpg 1x, b.jpg 2x'>", "b.jpg"
    ),
    Case(
      "an attribute with the full size", "<img src=a-300x200.jpg data-large_image=a.jpg>", "a.jpg"),
    Case(
      "the larger of two lazy attributes",
      "<img data-photoswipe-src=a_1800x1800.jpg data-src=a_2048x.jpg>", "a_2048x.jpg"),
    Case(
      "the wider of portraits",
      "<img src=/s540x810/a.jpg srcset='/s540x810/a.jpg 540w, /s640x960/a.jpg 640w'>",
      "/s640x960/a.jpg"),
    Case(
      "a template of widths", "<img data-src='a_{width}x.jpg' data-widths='[180, 2048, 900]'>",
      "a_2048x.jpg"),
    Case("no template of a script", "<img src='{{ url }}'><img src='/img/{id}.jpg'>"),
    Case("no data", "<img src='data:image/png;base64,AAAA'>"),
    Case(
      "the link around", "<a href=big.jpg><img src=small.jpg width=80 height=60></a>", "big.jpg"),
    Case(
      "the link with a background in it",
      "<a href=big.jpg><i style='background:url(s.jpg)'></i></a>", "big.jpg"),
    Case("no page about the file", "<a href='/wiki/File:A.jpg'><img src=a.jpg></a>", "a.jpg"),
    Case(
      "the program that sends a larger version",
      "<a href='file.php?id=1&mode=view'><img src='file.php?id=1&t=1'></a>",
      "file.php?id=1&mode=view"),
    Case(
      "another version in the same folder",
      "<a href='/i/A.png/latest?cb=1'><img src='/i/A.png/latest/scale/250?cb=1'></a>",
      "/i/A.png/latest?cb=1"),
    Case(
      "no page of a program", "<a href='view.php?id=1'><img src='file.php?id=1'></a>",
      "file.php?id=1"),
    Case(
      "no page about a file in a repository",
      "<a href='/u/p/blob/main/a.png'><img src='/u/p/raw/main/a.png'></a>", "/u/p/raw/main/a.png"),
    Case(
      "the file of a wiki with folders", "<a href='/_media/x:a.jpg'><img src=b.jpg></a>",
      "/_media/x:a.jpg"),
    Case(
      "the file of a program with a whole URL",
      "<a href='/f/https%3A%2F%2Fh%2Fa.jpg'><img src=b.jpg></a>", "/f/https%3A%2F%2Fh%2Fa.jpg"),
    Case(
      "no page that a script shows", "<a class=lightbox href='/photos/1'><img src=b.jpg></a>",
      "b.jpg"),
    Case(
      "the source for the widest window",
      "<picture><source srcset=m.jpg media='(max-width: 600px)'><source srcset=w.jpg media='(min-width: 900px)'><img src=s.jpg></picture>",
      "w.jpg"),
    Case(
      "no smaller image of another server for social networks",
      "<meta property=og:image content=https://h/crop/a-very-long-name.jpg><img src=/x/a-very-long-name.png>",
      "/x/a-very-long-name.png"),
    Case(
      "no card of the site",
      "<meta property=og:image content=/assets/twitter_card-0a1b2c3d4e.png><img src=a.jpg>", "a.jpg"
    ),
    Case(
      "what a script shows",
      "<a class=js-lbImage href='/attachments/a-jpg.1/'><img src=/t/1.jpg></a>",
      "/attachments/a-jpg.1/"),
    Case("the element around", "<div data-src=big.jpg><img src=small.jpg></div>", "big.jpg"),
    Case("a background", "<div style='background-image:url(\"a.jpg\")'></div>", "a.jpg"),
    Case(
      "a lazy background",
      "<div data-bg='a.jpg'></div><div data-background=\"url('b.jpg')\"></div>", "a.jpg", "b.jpg"),
    Case(
      "noscript once", "<img src='data:,' data-src=a.jpg><noscript><img src=a.jpg></noscript>",
      "a.jpg"),
    Case("noscript alone", "<noscript><img src=a.jpg></noscript>", "a.jpg"),
    Case(
      "each image once", "<img src=a.jpg><img src=./a.jpg><img src=/a/a.jpg><img src=b.jpg>",
      "a.jpg", "b.jpg"),
    Case(
      "the larger of two versions",
      "<img src=a-150x150.jpg><img src=b.jpg><img src=a-1024x768.jpg>", "a-1024x768.jpg", "b.jpg"),
    Case("AMP", "<amp-img src=a.jpg srcset='a.jpg 320w, b.jpg 640w'></amp-img>", "b.jpg"),
    Case("old pages", "<IMG SRC=PICS\\A.GIF><IMG SRC='b.jpg", "PICS/A.GIF"),
    Case(
      "links to images if there are no images", "<a href=a.jpg>one</a> <a href=b.html>x</a>",
      "a.jpg"),
    Case("no links to images if there are images", "<img src=c.jpg><a href=a.jpg>one</a>", "c.jpg"),
    // Data about the page.
    Case(
      "the image for social networks",
      "<meta property=og:image content=https://h/a.jpg><img src=b.jpg>", "b.jpg", "https://h/a.jpg"),
    Case(
      "no smaller version of an image",
      "<meta property=og:image content=https://example.org/a/b-1200x630.jpg><img srcset='b.jpg 2000w'>",
      "b.jpg"),
    Case(
      "the larger version of an image",
      "<meta property=og:image content=https://example.org/a/b-1200x630.jpg><img src=b-300x200.jpg>",
      "https://example.org/a/b-1200x630.jpg"),
    Case(
      "no logo for social networks",
      "<meta property=og:image content=/site-logo.png><img src=a.jpg>", "a.jpg"),
    Case(
      "linked data",
      #"<script type="application/ld+json">{"image":"/x.jpg"}</script><img src=a.jpg>"#, "a.jpg",
      "/x.jpg"),
    Case(
      "what is loaded early",
      "<link rel=preload as=image imagesrcset='a.jpg 1x, b.jpg 2x'><img src=a.jpg>", "b.jpg"),
    Case(
      "nothing else that is loaded early", "<link rel=preload as=font href=a.woff><img src=a.jpg>",
      "a.jpg"),
  ]

  @Test("A page yields", arguments: cases)
  func images(_ page: Case) throws { #expect(try Page(page.html).urls == page.urls) }

  @Test("References are compared by the base of the page")
  func base() throws {
    let html =
      "<base href='//cdn.example/x/'><img src=a.jpg><img src='https://cdn.example/x/a.jpg'><img src='a/b.jpg'>"
    #expect(try Page(html).urls == ["a.jpg", "a/b.jpg"])
    #expect(try Page(html, url: nil).urls.count == 3)
    // Only the first base counts.
    let two = try Page("<base href=/x/><base href=/y/><img src=a.jpg>")
    #expect(two.items.contains(.base("/x/")) && !two.items.contains(.base("/y/")))
  }

  @Test(
    "The title of an entry is that of the figure, or the text of the image",
    arguments: [
      ("<img src=a.jpg alt=' A \n heron '>", "A heron"), ("<img src=a.jpg title=B>", "B"),
      ("<img src=a.jpg>", nil), ("<a href=b.jpg title=C><img src=a.jpg></a>", "C"),
      (
        "<figure><img src=a.jpg alt=x><figcaption>A <b>big</b> bird</figcaption></figure>",
        "A big bird"
      ),
      (
        "<figure><img src=a.jpg alt=x><img src=b.jpg alt=y><figcaption>Two</figcaption></figure>",
        "x"
      ),
      ("<figure><figcaption>Before</figcaption><img src=a.jpg alt=x></figure>", "x"),
    ] as [(String, String?)])
  func titles(_ html: String, _ expected: String?) throws {
    #expect(try Page(html).entries.first?.title == expected)
  }

  @Test("An entry has the policy of the element that names its URL, or that of its image")
  func referrerPolicies() throws {
    let page = try Page(
      """
      <link rel=preload as=image href=p.jpg referrerpolicy=same-origin>
      <img src=a.jpg referrerpolicy=no-referrer><img src=b.jpg>
      <picture><source srcset='c.jpg 800w' referrerpolicy=origin><img src=c-s.jpg referrerpolicy=no-referrer></picture>
      <picture><source srcset='d.jpg 800w'><img src=d-s.jpg referrerpolicy=no-referrer></picture>
      <a href=e.jpg referrerpolicy=unsafe-url><img src=e-s.jpg></a>
      <a href=f.jpg><img src=f-s.jpg referrerpolicy=no-referrer></a>
      <img src=g-800x600.jpg referrerpolicy=no-referrer><a href=g.jpg>Original</a>
      """)
    #expect(
      page.referrerPolicies == [
        "p.jpg": "same-origin", "a.jpg": "no-referrer", "b.jpg": nil, "c.jpg": "origin",
        "d.jpg": "no-referrer", "e.jpg": "unsafe-url", "f.jpg": nil, "g.jpg": "no-referrer",
      ])
    let links = try Page("<a href=a.jpg referrerpolicy=origin>One</a><a href=b.jpg>Two</a>")
    #expect(links.referrerPolicies == ["a.jpg": "origin", "b.jpg": nil])
  }

  @Test(
    "The title of a page is that for social networks, of the document, or of its heading",
    arguments: [
      ("<title>A</title><h1>B</h1>", "A"), ("<h1>B</h1><h1>C</h1>", "B"), ("<p>", nil),
      ("<title> </title>", nil),
      ("<title>A - Site</title><meta property=og:title content=A>", "A"),
    ] as [(String, String?)])
  func pageTitles(_ html: String, _ expected: String?) throws {
    #expect(try Page(html).title == expected)
  }

  @Test(
    "The next page is the first link to it",
    arguments: [
      ("<link rel=next href='?p=2'>", "?p=2"),
      ("<a rel='nofollow Next' href=page-2.html>", "page-2.html"),
      ("<link rel=prev href='?p=2'><a href='?p=2'>next</a>", nil), ("<a rel=next href='#'>", nil),
      ("<link rel=next href='?p=2'><a rel=next href='?p=3'>", "?p=2"),
      ("<link rel=next href=other.html><a rel=next href='?p=2'>", "?p=2"),
    ] as [(String, String?)])
  func nextPages(_ html: String, _ expected: String?) throws {
    #expect(try Page(html).nextPage == expected)
  }

  @Test(
    "The next article or photograph is not a next page",
    arguments: [
      ("/birds/", "/birds/?page=2", true), ("/birds", "/birds/page/2/", true),
      ("/birds/page/2/", "/birds/page/3/", true), ("/birds?page=9", "/birds?page=10", true),
      ("/index.html", "/index2.html", false), ("/birds.html", "/birds-2.html", true),
      ("/birds-2.html", "/birds-3.html", true), ("/birds?start=20", "/birds?start=40", true),
      ("/t?id=7&page=1", "/t?id=7&page=2", true), ("/page1.html", "/page2.html", true),
      ("/t?id=7&page=1", "/t?id=8&page=1", false), ("/?p=123", "/?p=131", false),
      ("/2019/05/herons/", "/2019/06/storks/", false), ("/photo/12", "/photo/13", false),
      ("/birds?page=3", "/birds?page=2", false), ("/birds/", "/birds/", false),
      ("/birds/", "//other.example/birds/?page=2", false),
      ("/birds?page=1", "/birds?page=99999999999999999999", false),
    ])
  func continuations(_ page: String, _ next: String, _ isContinuation: Bool) throws {
    let found = try Page("<a rel=next href='\(next)'>", url: "https://example.org\(page)")
    #expect(found.nextPage == (isContinuation ? next : nil))
  }
}
