import Models
import Testing

@testable import MarkupExtraction

@Suite("Relations of linked pages") struct PageRelationTests {
  @Test(
    "The URLs of two pages tell their relation",
    arguments: [
      ("/items/12/lamp", "/items/12/lamp#reviews", .itself),
      ("/items/12/lamp", "/", .home), ("/items/12/lamp", "/index.php", .home),
      ("/items/12/lamp", "/de", .home),
      ("/trip/", "/trip/3/", .part), ("/trip", "/trip/3", .part),
      ("/trip/index.html", "/trip/slides/a.html", .part), ("/trip.html", "/trip/a.html", .part),
      ("/", "/anything", .part),
      ("/thumbnails.php?album=7", "/thumbnails.php?album=7&pic=1", .part),
      ("/wiki/Harbour", "/wiki/File:Harbour.jpg", .part),
      ("/items/12/lamp", "/items/57/a-chair", .similar), ("/posts/12345", "/posts/67890", .similar),
      ("/2024/03/02/world/ferry.html", "/2024/03/05/world/boat.html", .similar),
      ("/@ann/a-long-title-0a1b", "/@ben/another-long-title-9f8e", .similar),
      ("/view.php?s=post&id=12", "/view.php?s=post&id=34", .similar),
      ("/picture.php?/12/category/7", "/picture.php?/11/category/7", .similar),
      ("/a-long-title/", "/another-long-title/", .similar),
      ("/blue-lamp.html", "/red-lamp.html", .possiblySimilar),
      ("/lamps/", "/chair/", .possiblySimilar),
      ("/shop/lamps", "/shop/chair-12", .possiblySimilar),
      ("/lamp", "/index.php?route=product&id=12", .other), ("/items/12/lamp", "/brands/x", .other),
      ("/view.php?s=post&id=12", "/view.php?s=user&id=34", .other),
      ("/items/12/lamp", "https://other.test/items/34/lamp", .elsewhere),
      ("/items/12/lamp", "https://shop.example.org/items/34/chair", .similar),
    ] as [(String, String, PageRelation)])
  func relations(_ page: String, _ target: String, _ relation: PageRelation) throws {
    let page = try HTTPURL("https://www.example.org\(page)")
    #expect(
      PageRelation(of: PageParts(try page.resolving(target)), to: PageParts(page)) == relation)
  }

  @Test("An address for messages or calls is no page")
  func contacts() {
    #expect(PageRelation(ofAddress: "mailto:ann@example.org") == .contact)
    #expect(PageRelation(ofAddress: "TEL:+49123") == .contact)
    #expect(PageRelation(ofAddress: "javascript:open()") == nil)
  }
}
