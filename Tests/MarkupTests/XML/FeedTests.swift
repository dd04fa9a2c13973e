import Markup
import Testing

@Suite("Feeds") struct FeedTests {
  /// A feed, and the URLs and titles of its entries.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let feed: String
    let expected: [String]

    init(_ description: String, _ feed: String, _ expected: String...) {
      (testDescription, self.feed, self.expected) = (description, feed, expected)
    }

    /// An item of an RSS feed with Media RSS.
    init(item description: String, _ item: String, _ expected: String...) {
      testDescription = description
      feed = """
        <rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom">
        <channel><title>T</title><item>\(item)</item></channel></rss>
        """
      self.expected = expected
    }
  }

  static let cases = [
    Case(
      item: "enclosures keep their order", "<enclosure url='b.jpg'/><enclosure url='a.png'/>",
      "b.jpg",
      "a.png"),
    Case(item: "an item without anything", "<title>x</title><link>http://h/x</link>"),
    Case(
      item: "a type that is no image, but an extension that is",
      "<enclosure url='a.jpg' type='text/html'/>", "a.jpg"),
    Case(
      item: "a type without an extension", "<enclosure url='x?id=1' type='image/webp'/>", "x?id=1"),
    Case(
      item: "PDF and comics", "<enclosure url='a.pdf'/><enclosure url='b.cbz'/>", "a.pdf", "b.cbz"),
    Case(
      item: "the same enclosure twice", "<enclosure url='a.jpg'/><enclosure url='a.jpg'/>", "a.jpg"),
    Case(
      item: "the largest of a group",
      """
      <media:group><media:content url='s.jpg' width='10' height='10'/>
      <media:content url='l.jpg' width='100' height='90'/><media:content url='m.jpg' width='50'/></media:group>
      """, "l.jpg"),
    Case(
      item: "the largest of a group by its bytes",
      "<media:group><media:content url='s.jpg' fileSize='1'/><media:content url='l.jpg' fileSize='9'/></media:group>",
      "l.jpg"),
    Case(
      item: "two groups are two images",
      "<media:group><media:content url='a.jpg'/></media:group><media:group><media:content url='b.jpg'/></media:group>",
      "a.jpg", "b.jpg"),
    Case(
      item: "contents outside of groups are images of their own",
      "<media:content url='a.jpg' medium='image'/><media:content url='b.jpg' medium='image'/>",
      "a.jpg",
      "b.jpg"),
    Case(
      item: "contents that differ in their queries are one image",
      "<media:content url='a.jpg?w=1' width='140'/><media:content url='a.jpg?w=2' width='460'/>",
      "a.jpg?w=2"),
    Case(
      item: "a video is left out, its thumbnail stays",
      "<media:content url='a' medium='video'><media:thumbnail url='t.jpg'/></media:content>",
      "t.jpg"),
    Case(
      item: "the largest thumbnail",
      "<media:thumbnail url='s.jpg' width='1'/><media:thumbnail url='t.jpg' width='2'/>", "t.jpg"),
    Case(
      item: "a thumbnail beside a content",
      "<media:thumbnail url='t.jpg'/><media:content url='a.jpg'/>",
      "a.jpg"),
    Case(
      item: "the title of a content",
      "<title>I</title><media:content url='a.jpg'><media:title>M</media:title></media:content>",
      "a.jpg M"),
    Case(
      item: "the title of an item wins over that of Media RSS",
      "<media:title>M</media:title><title>I</title><enclosure url='a.jpg'/>", "a.jpg I"),
    Case(
      item: "the title of something in an item",
      "<source><title>S</title></source><title>I</title><enclosure url='a.jpg'/>", "a.jpg I"),
    Case(
      item: "a link that is an enclosure",
      "<atom:link rel='enclosure' href='a.jpg'/><link>http://h</link>",
      "a.jpg"),
    Case(
      "Media RSS without its namespace",
      "<rss><channel><item><media:content url='a.jpg'/><media:title>M</media:title></item></channel></rss>",
      "a.jpg M"),
    Case(
      "Atom",
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title type="html">A &lt;b&gt;b&lt;/b&gt;
      &amp;amp; c</title><link href="http://h/1.html"/><link rel="enclosure" type="image/png" length="5" href="a.png"/>
      </entry><entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">X <b>y</b></div></title>
      <content type="image/jpeg" src="b.jpg"/></entry></feed>
      """, "a.png A b & c", "b.jpg X y"),
    Case(
      "texts that are not HTML",
      """
      <feed xmlns="http://www.w3.org/2005/Atom"><entry><title>&lt;b&gt; &amp;amp;</title>
      <link rel="enclosure" href="a.png"/></entry></feed>
      """, "a.png <b> &amp;"),
    Case(
      item: "escaped twice", "<title>A &amp;amp; B &amp;#8364;</title><enclosure url='a.jpg'/>",
      "a.jpg A & B €"),
    Case(
      "xml:base",
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://g/x/"><entry xml:base="y/"><link rel="enclosure"
      href="a.png"/></entry><entry><link rel="enclosure" href="b.png"/></entry></feed>
      """, "http://g/x/y/a.png", "http://g/x/b.png"),
    Case(
      "RSS 1.0",
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
      xmlns:media="http://search.yahoo.com/mrss/"><channel><title>T</title></channel>
      <item><title>I</title><media:content url="a.jpg"/></item></rdf:RDF>
      """, "a.jpg I"),
    Case(
      "the logo of a channel is no entry",
      "<rss><channel><image><url>logo.png</url><title>L</title></image><enclosure url='x.jpg'/></channel></rss>"
    ),
  ]

  @Test("The images of the items are found", arguments: cases)
  func entries(_ feed: Case) throws {
    let page = try Page(feed.feed)
    #expect(page.rule == .feed)
    let found = page.entries.map { entry in entry.title.map { "\(entry.url) \($0)" } ?? entry.url }
    #expect(found == feed.expected)
  }

  @Test("The title is that of the feed, not that of its logo or of an item")
  func title() throws {
    #expect(
      try Page(
        "<rss><channel><image><title>L</title></image><title> A\n b </title><item><title>I</title></item></channel></rss>"
      ).title == "A b")
    #expect(
      try Page("<rss><channel><item><title>I</title></item><title>T</title></channel></rss>").title
        == nil)
  }

  @Test("A feed with thousands of next pages continues at the first one")
  func manyNextPages() throws {
    let links = (1...5_000).map { "<link rel=\"next\" href=\"?p=\($0)\"/>" }.joined()
    let feed = "<feed xmlns=\"http://www.w3.org/2005/Atom\">\(links)</feed>"
    #expect(try Page(feed).nextPage == "?p=1")
  }

  @Test("The next page is that of the feed")
  func nextPage() throws {
    let feed = """
      <feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="?p=1"/><link rel="next" href="?p=2"/>
      <entry><link rel="next" href="other"/></entry></feed>
      """
    #expect(try Page(feed).nextPage == "?p=2")
  }

  @Test("Attachments of other kinds are one problem with their number")
  func omissions() throws {
    let feed = """
      <rss><channel><item><enclosure url="a.mp3" type="audio/mpeg"/></item><item><enclosure url="b.mp3"/></item>
      <item><enclosure url="c.jpg"/></item></channel></rss>
      """
    let page = try Page(feed)
    #expect(page.urls == ["c.jpg"])
    #expect(
      page.items.last
        == .problem("2 attachments are not images, PDFs or archives; the first: a.mp3"))
  }
}
