import Markup
import Testing

@testable import MarkupExtraction

@Suite("Relevance of images") struct RelevanceTests {
  /// A page whose images are in elements of their own, which are all in one element.
  private struct Sample {
    var tree = ElementTree()
    var subjects: [ImageRelevance.Subject] = []
    var isAboutThing = false

    init() { _ = tree.add(in: nil) }

    /// Adds images in an element of the page.
    /// - Parameter path: The names of the elements around each.
    mutating func add(
      _ count: Int, path: String, representsPage: Bool = false,
      _ change: (inout ImageContext) -> Void = { _ in }
    ) {
      let parent = tree.add(in: 0)
      for _ in 0..<count {
        var context = ImageContext()
        context.path = path
        context.element = tree.add(in: parent)
        tree.end(context.element)
        change(&context)
        subjects.append(
          ImageRelevance.Subject(context: context, representsPage: representsPage))
      }
      tree.end(parent)
    }

    var omitted: [Int] {
      let relevance = ImageRelevance(subjects, tree, isAboutThing: isAboutThing)
      return subjects.indices.filter { relevance.isOmitted($0) }
    }

    func evidence(_ index: Int) -> Set<ImageEvidence> {
      ImageRelevance(subjects, tree, isAboutThing: isAboutThing).evidence(for: index)
    }
  }

  @Test("Previews of pages of the same template are left out beside images of the page")
  func recommendations() {
    var page = Sample()
    page.add(1, path: "figure")
    page.add(3, path: "li>a") { $0.link = .similar }
    #expect(page.omitted == [1, 2, 3])
  }

  @Test("Previews of other pages that follow the contents are left out")
  func previews() {
    var page = Sample()
    page.add(2, path: "figure")
    page.add(2, path: "li>a") { $0.link = .other }
    #expect(page.omitted == [2, 3])
    #expect(page.evidence(2) == [.linksToOtherPage, .followsContents])
  }

  @Test("A link to another page before the contents alone does not suffice")
  func earlyLink() {
    var page = Sample()
    page.add(1, path: "a") { $0.link = .other }
    page.add(2, path: "figure")
    #expect(page.omitted.isEmpty)
  }

  @Test("The previews of a listing are its contents, also below one banner")
  func listings() {
    for banners in 0...1 {
      var page = Sample()
      page.add(banners, path: "div")
      page.add(4, path: "li>a") { $0.link = .possiblySimilar }
      #expect(page.omitted.isEmpty, "\(banners) banners")
      #expect(page.evidence(banners).contains(.isInListing))
    }
  }

  @Test("A page about one thing, or with an image for social networks, is no listing")
  func things() {
    var page = Sample()
    page.add(1, path: "div")
    page.add(4, path: "li>a") { $0.link = .possiblySimilar }
    page.isAboutThing = true
    #expect(page.omitted == [1, 2, 3, 4])
    page.isAboutThing = false
    page.subjects[0].representsPage = true
    #expect(page.omitted == [1, 2, 3, 4])
    #expect(page.evidence(1).contains(.leadsAwayFromNamedImage))
  }

  @Test("An image in a link to the first page of the site, or to an address, is left out")
  func logos() {
    for link in [PageRelation.home, .contact] {
      var page = Sample()
      page.add(1, path: "a") { $0.link = link }
      page.add(1, path: "figure")
      #expect(page.omitted == [0])
    }
  }

  @Test("A preview of another site is left out, an image of this one in such a link is not")
  func otherSites() {
    var page = Sample()
    page.add(1, path: "figure")
    page.add(2, path: "p>a") { $0.link = .elsewhere }
    page.subjects[2].context.isFromLinkedSite = true
    #expect(page.omitted == [2])
  }

  @Test("Images at a host of images, in links to their pages there, are kept")
  func hosts() throws {
    let embed = "<a href=https://p.test/ann/%><img src=https://live.p.test/1/%_0a.jpg></a>"
    let images = (12_345_670...12_345_672).map { embed.replacing("%", with: "\($0)") }
    #expect(try Page("<img src=a.jpg>" + images.joined()).urls.count == 4)
    // Without an identifier in common, if the page has no other images.
    let other = "<a href=https://p.test/x><img src=https://i.p.test/%.jpg></a>"
    let others = (1...3).map { other.replacing("%", with: "\($0)") }.joined()
    #expect(try Page(others).urls.count == 3)
    #expect(try Page("<img src=a.jpg>" + others).urls == ["a.jpg"])
  }

  @Test("An image whose page has an identifier in common with it is one of the page")
  func identifiers() {
    var page = Sample()
    page.add(3, path: "li>a") {
      $0.link = .other
      $0.sharesIdentifier = true
    }
    page.add(3, path: "div>a") { $0.link = .other }
    #expect(page.omitted == [3, 4, 5])
  }

  @Test("A narrow image that follows the contents is left out, a wide one is not")
  func sides() {
    for (side, isOmitted) in [(160, true), (90, true), (640, false)] {
      var page = Sample()
      page.add(2, path: "figure")
      page.add(1, path: "div") { $0.shownSide = side }
      #expect(page.omitted.isEmpty != isOmitted)
    }
  }

  @Test("Previews in the text of an article are kept, and links to larger versions")
  func text() {
    var page = Sample()
    page.add(2, path: "figure")
    page.add(1, path: "p>a") {
      $0.link = .other
      $0.isInText = true
    }
    page.add(1, path: "td>a") { $0.hasLargerVersion = true }
    #expect(page.omitted.isEmpty)
  }

  @Test("A map and a named banner count against an image that follows the contents")
  func banners() {
    var page = Sample()
    page.add(2, path: "figure")
    page.add(1, path: "div") { $0.isMap = true }
    page.add(1, path: "div") { $0.isNamedBanner = true }
    #expect(page.omitted == [2, 3])
  }

  @Test("A button that the page repeats in links is left out")
  func buttons() {
    var page = Sample()
    page.add(2, path: "a") { $0.isDrawingInLink = true }
    page.add(3, path: "figure")
    #expect(page.omitted.isEmpty)
    for index in 0...1 { page.subjects[index].isRepeated = true }
    #expect(page.omitted == [0, 1])
  }

  @Test("A small preview of another page is left out beside images with larger versions")
  func folders() {
    var page = Sample()
    page.add(1, path: "td>a") {
      $0.link = .part
      $0.shownSide = 100
    }
    page.add(2, path: "li>a")
    #expect(page.omitted.isEmpty)
    for index in 1...2 { page.subjects[index].context.hasLargerVersion = true }
    #expect(page.omitted == [0])
  }

  @Test("A background outside of the main element and of the folder of the main images is left out")
  func covers() {
    var page = Sample()
    page.add(1, path: "div") { $0.isBackground = true }
    page.add(3, path: "main>div") {
      $0.isInMainElement = true
      $0.isBackground = true
    }
    #expect(page.omitted.isEmpty)
    page.subjects[0].folder = [1]
    #expect(page.omitted == [0])
    // Two main images do not tell what their folder is.
    page.subjects[3].folder = [2]
    #expect(page.omitted.isEmpty)
  }

  @Test("A map below the one image that the page names is left out")
  func namedImage() {
    var page = Sample()
    page.add(1, path: "div", representsPage: true)
    page.add(1, path: "p") { $0.isMap = true }
    #expect(page.omitted == [1])
  }

  @Test("Every evidence has a weight, and none alone decides but the strongest")
  func weights() {
    for evidence in ImageEvidence.allCases { #expect(evidence.weight != 0) }
    let decisive = ImageEvidence.allCases.filter { $0.weight <= ImageEvidence.limit }
    #expect(
      Set(decisive) == [
        .linksToHome, .linksToSimilarPage, .comesFromLinkedSite, .linksToContact,
        .isSmallBesideLarger,
      ])
  }

  @Test(
    "A link without contents leads away from the image beside it",
    arguments: [
      ("<a href=/posts/%></a><img src=o%.jpg>", true),
      ("<div><a href=/posts/%> </a></div><img src=o%.jpg>", false),
      ("<a href=/posts/%>text</a><img src=o%.jpg>", false),
      ("<a href=/posts/%></a><div><img src=o%.jpg></div>", true),
    ])
  func overlays(_ html: String, _ isOmitted: Bool) throws {
    let cards = (100...102).map {
      "<li>" + html.replacing("%", with: "\($0)") + "</li>"
    }
    let page = try Page(
      "<main><img src=a.jpg><img src=b.jpg></main>" + cards.joined(),
      url: "https://example.org/posts/99")
    #expect((page.urls.count == 2) == isOmitted)
  }

  @Test("Images in a named navigation are kept if they lead to larger versions")
  func navigation() throws {
    let html = "<div class=slider__nav__frame><a href=%><img src=s.jpg></a></div><img src=b.jpg>"
    #expect(try Page(html.replacing("%", with: "large.jpg")).urls == ["large.jpg", "b.jpg"])
    #expect(try Page(html.replacing("%", with: "page.html")).urls == ["b.jpg"])
  }

  @Test("A span that a script replaces by an image is one")
  func placeholders() throws {
    let html = """
      <noscript><img src="/thumb/a.jpg/220px-a.jpg" width=220></noscript>
      <span class=lazy-image-placeholder style="width:220px;height:100px"
        data-src="/thumb/a.jpg/220px-a.jpg" data-srcset="/thumb/a.jpg/440px-a.jpg 2x"></span>
      """
    #expect(try Page(html).urls == ["/thumb/a.jpg/440px-a.jpg"])
  }

  @Test("The smallest element that holds some others is found")
  func contents() {
    var tree = ElementTree()
    let root = tree.add(in: nil)
    let first = tree.add(in: root)
    let inner = (0..<2).map { _ in
      let number = tree.add(in: first)
      tree.end(number)
      return number
    }
    tree.end(first)
    let second = tree.add(in: root)
    tree.end(second)
    #expect(tree.contents(of: inner)?.contains(second) == false)
    #expect(tree.contents(of: inner)?.contains(first) == true)
    #expect(tree.contents(of: [inner[0], second])?.contains(root) == true)
    #expect(tree.contents(of: []) == nil)
  }
}
