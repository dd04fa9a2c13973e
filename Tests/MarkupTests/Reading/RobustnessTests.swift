import Glibc
import Markup
import MarkupSandbox
import RenderMessages
import SystemCalls
import TestSupport
import Testing

@Suite("Hostile markup") struct RobustnessTests {
  static let page = """
    <!DOCTYPE html><html><head><title>A &amp; B</title><meta property="og:image" content="https://h/o.jpg">
    <script type="application/ld+json">{"@type":"Article","image":["/l.jpg",{"url":"m.jpg"}]}</script>
    <link rel="preload" as="image" imagesrcset="p.jpg 1x, q.jpg 2x"><base href="/x/"></head><body class="home">
    <header><img src="logo.png" width="10" height="10"></header><main><article><h1>Title</h1>
    <figure><a href="big.jpg"><img src="s.jpg" srcset="t.jpg 640w, u.jpg 1280w" alt="x &eacute;"></a><figcaption>c</figcaption></figure>
    <picture><source srcset="v.webp 800w"><img data-src="w.jpg" src="data:image/gif;base64,AA=="></picture>
    <div style="background-image:url('y.jpg');width:100px"></div><noscript><img src="z.jpg"></noscript>
    <table><tr><td><a href="?C=N">n</a><td>03-Feb-2024 04:05 12</table><pre><a href="f.jpg">f</a> 04:05 9</pre>
    </article></main><footer><img src="foot.jpg"></footer></body></html>
    """

  /// Reads a document in a worker; errors other than those of documents fail the test.
  private func read(
    _ bytes: [UInt8], _ reader: any MarkupReader = MarkupBackend.confined.reader,
    _ request: MarkupRequest = MarkupRequest(url: "https://h/x/")
  ) throws -> (count: Int, error: MarkupError?) {
    let folder = try TemporaryFolder()
    let file = try FileSystem.open(try folder.write("page.html", bytes))
    var count = 0
    do throws(MarkupError) {
      try reader.read(file, request) { (batch) throws(MarkupError) in count += batch.count }
      return (count, nil)
    } catch {
      return (count, error)
    }
  }

  @Test("A page can end at every byte")
  func truncated() throws {
    let bytes = Array(Self.page.utf8)
    let whole = try read(bytes)
    #expect(whole.error == nil && whole.count > 8)
    for length in 0..<bytes.count {
      let (count, error) = try read(Array(bytes.prefix(length)))
      #expect(error == nil && count >= 1, "\(length): \(error?.description ?? "")")
    }
  }

  @Test("Random changes of a page are read")
  func mutations() throws {
    var generator = SeededGenerator(seed: 11)
    let original = Array(Self.page.utf8)
    for round in 0..<1_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.removeSubrange(index..<min(bytes.count, index + 10))
        default:
          let other = Int.random(in: 0..<original.count, using: &generator)
          bytes.insert(contentsOf: original[other..<min(original.count, other + 30)], at: index)
        }
      }
      let rule: MarkupRule? = [nil, .html, .listing][round % 3]
      let (_, error) = try read(
        bytes, MarkupBackend.confined.reader, MarkupRequest(rule: rule, url: "https://h/x/"))
      #expect(error == nil || error?.code == .unsupported, "\(round): \(error?.description ?? "")")
    }
  }

  @Test("A million images are read")
  func manyImages() throws {
    let page = (0..<1_000_000).map { "<img src=\($0)-a.jpg>" }.joined()
    let reader = SandboxedMarkupReader(
      workers: ReadingWorkers(.markup(seconds: 600)))
    let (count, error) = try read(Array(page.utf8), reader)
    #expect(error == nil && count == 1_000_001, "\(error?.description ?? "")")
  }

  @Test("A million nested elements without block structure are read")
  func deepNesting() throws {
    let page = String(repeating: "<span>", count: 1_000_000) + "<img src=a.jpg>"
    let (count, error) = try read(Array(page.utf8))
    #expect(error == nil && count == 2, "\(error?.description ?? "")")
  }

  @Test(
    "Nested blocks, each of which gumbo would compare with all that are open, are refused at once",
    arguments: [
      [("<div>", 1_000_000)], [("<span><div>", 300_000)],
      [("<script></script><!-- </div> --><ul><li>", 300_000)], [("<b>", 50_000), ("<p>", 50_000)],
    ])
  func deepBlocks(parts: [(text: String, count: Int)]) throws {
    let page = parts.map { String(repeating: $0.text, count: $0.count) }.joined()
    let (_, error) = try read(Array(page.utf8))
    #expect(
      error == MarkupError(.limit, "the elements of the document are nested too deeply to be read"))
  }

  @Test(
    "Tags with many attributes, each of which gumbo would compare with all before it, are refused at once",
    arguments: [
      "<img a# a# a# a# a# >", "<script a#='>' b#=\"'>\" c#=d>", "</p a#/b#/c#=/d#>", "<p a#=b",
    ])
  func manyAttributes(tag: String) throws {
    // The tag with its attributes a hundred thousand times.
    let end = tag.last == ">" ? ">" : ""
    let name = tag.prefix { $0 != " " }
    let attributes = tag.dropFirst(name.count).dropLast(end.count)
    let page =
      String(name)
      + (0..<100_000).map { attributes.replacing("#", with: "\($0)") }.joined() + end
    let (_, error) = try read(Array(page.utf8))
    #expect(
      error == MarkupError(.limit, "the tags of the document have too many attributes to be read"))
  }

  @Test("A page with many attributes in all, or long values of them, is read")
  func usualAttributes() throws {
    for tag in [
      "<p a b c='d' e=\"f > g\" h = i/>", "<svg><path d=\"M 0 0 L 1 1 2 2 3 3\"/></svg>",
      "<p title='\(String(repeating: "x > ", count: 100_000))'>", "<b a=>",
    ] {
      let count = max(1, 400_000 / tag.utf8.count)
      let page = String(repeating: tag, count: count) + "<img src=a.jpg>"
      let (found, error) = try read(Array(page.utf8))
      #expect(error == nil && found == 2, "\(tag.prefix(40)): \(error?.description ?? "")")
    }
  }

  @Test("A long page of blocks that are closed, or need not be, is read")
  func closedBlocks() throws {
    for block in [
      "<div><b>x</b></div>", "<li>x", "<tr><td><p>x", "<div><svg><path d='M0'/></svg></div>",
      "<script>'<div>'</script><hr>", "<!-- <div> --><p>x",
    ] {
      let page = String(repeating: block, count: 40_000) + "<img src=a.jpg>"
      let (count, error) = try read(Array(page.utf8))
      #expect(error == nil && count == 2, "\(block): \(error?.description ?? "")")
    }
  }

  @Test("A web page of more bytes than memory suffices for is refused at once")
  func largePage() throws {
    let page = [UInt8](repeating: 0x20, count: MarkupLimits.pageBytes) + Array("<html>".utf8)
    let (_, error) = try read(page, MarkupBackend.confined.reader, MarkupRequest(rule: .html))
    #expect(error?.code == .limit)
    #expect(error?.description.contains("33554432 are supported (no setting") == true)
  }

  @Test("A page that takes too much memory costs one document")
  func expensive() throws {
    // Each paragraph opens all of the unclosed elements again.
    let fonts = (0..<1_000).map { "<font size=\($0)>" }.joined()
    let (_, error) = try read(
      Array(("<p>" + fonts + String(repeating: "<p>x", count: 40_000)).utf8))
    #expect(error == .outOfMemory)
    #expect(try read(Array("<img src=a.jpg>".utf8)).count == 2)
  }
}
