import Markup
import Testing

@Suite("Sitemaps") struct SitemapTests {
  private static let namespaces =
    "xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:image='http://www.google.com/schemas/sitemap-image/1.1'"

  @Test("An index yields its sitemaps, which belong to the same record")
  func index() throws {
    let page = try Page(
      """
      <sitemapindex \(Self.namespaces)><sitemap><loc> http://h/1.xml.gz </loc><lastmod>2024-01-01</lastmod></sitemap>
      <sitemap><loc>http://h/2.xml</loc></sitemap><sitemap/></sitemapindex>
      """)
    #expect(
      page.items == [
        .rule(.sitemap), .document("http://h/1.xml.gz", .part), .document("http://h/2.xml", .part),
      ])
  }

  @Test("The images of pages are entries with their titles, and pages without images are counted")
  func images() throws {
    let page = try Page(
      """
      <urlset \(Self.namespaces)>
      <url><loc>http://h/1.html</loc><image:image><image:loc>http://h/a.jpg</image:loc><image:title>A</image:title>
      <image:caption>c</image:caption></image:image><image:image><image:loc>http://h/b</image:loc>
      <image:caption>B  b</image:caption></image:image></url>
      <url><loc>http://h/2.html</loc></url><url><loc>http://h/c.PDF?x=1</loc></url><url><loc>http://h/</loc></url>
      <url><image:image><image:loc>http://h/d.jpg</image:loc></image:image><loc>http://h/3.html</loc></url>
      </urlset>
      """)
    #expect(page.urls == ["http://h/a.jpg", "http://h/b", "http://h/c.PDF?x=1", "http://h/d.jpg"])
    #expect(page.entries.map(\.title) == ["A", "B b", nil, nil])
    #expect(
      page.items.last
        == .problem(
          "2 pages have no images in the sitemap; the first: http://h/2.html"))
  }

  @Test("An image that several pages have is one entry, with the title of its first mention")
  func repeated() throws {
    let logo = "<image:image><image:loc>http://h/logo.png</image:loc>"
    let page = try Page(
      """
      <urlset \(Self.namespaces)><url>\(logo)<image:title>A</image:title></image:image>\(logo)</image:image></url>
      <url>\(logo)<image:title>B</image:title></image:image></url><url><loc>http://h/logo.png</loc></url>
      <url><loc>http://h/b.pdf</loc></url><url><loc> http://h/b.pdf </loc></url></urlset>
      """)
    #expect(page.urls == ["http://h/logo.png", "http://h/b.pdf"])
    #expect(page.entries.map(\.title) == ["A", nil])
  }
}
