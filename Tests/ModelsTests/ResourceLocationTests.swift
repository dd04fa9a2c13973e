import Testing

@testable import Models

@Suite("Locations of resources")
struct ResourceLocationTests {
  @Test(
    "A location of the web is the URL of its text",
    arguments: [
      "http://h/a.png", "HTTPS://Example.com:443/a b?c#d", "http://bücher.example/", " http://h ",
    ])
  func web(text: String) throws {
    let url = try HTTPURL(text)
    #expect(ResourceLocation(text) == .http(url))
    #expect(ResourceLocation(text).url == url)
  }

  @Test("The mark of an image service distinguishes it from the resource at its URL")
  func imageService() throws {
    let url = try HTTPURL("https://h/iiif/a%2Fb")
    let location = ResourceLocation("https://h/iiif/a%2Fb#iiif")
    #expect(location == .imageService(url))
    #expect(location.url == url && location.name == "a/b")
    #expect(ResourceLocation("https://h/iiif/a%2Fb") == .http(url))
    for text in ["https://h/iiif/a%2Fb#iiif2", "https://h/iiif/a%2Fb#x#", "https://h/iiif/a%2Fb#"] {
      #expect(ResourceLocation(text) == .http(url))
    }
    for text in ["#iiif", "x#iiif", "ftp://h/#iiif"] {
      guard case .invalid = ResourceLocation(text) else {
        Issue.record("\(text) is fetched")
        continue
      }
    }
  }

  @Test(
    "The path of a file of this machine comes back from its text",
    arguments: [
      "/birds/My heron.jpg", "/a/100%.png", "/à/b", "/a%20b", "/a/../b/.", "//a//", "/",
    ])
  func file(path: String) {
    let text = ResourceLocation.fileURL(path: path)
    #expect(text.hasPrefix("file:///"))
    #expect(ResourceLocation(text) == .file(path: path))
    #expect(ResourceLocation(text).url == nil)
  }

  @Test(
    "A text that cannot be fetched keeps the reason",
    arguments: ["", "stdin:00ff", "ftp://h/a", "http://", "http://me@h/", "file:/a", "FILE:///a"])
  func invalid(text: String) {
    let error = #expect(throws: HTTPURLError.self) { try HTTPURL(text) }
    #expect(ResourceLocation(text) == error.map { .invalid($0) })
  }

  @Test("The name is the last component of the path, decoded")
  func name() {
    #expect(ResourceLocation("http://h/a/b%20c.jpg?d=/e").name == "b c.jpg")
    #expect(ResourceLocation("http://h/a/").name == "")
    #expect(ResourceLocation("file:///birds/My%20heron.jpg").name == "My heron.jpg")
    #expect(ResourceLocation("file:///lists/birds/").name == "birds")
    #expect(ResourceLocation("stdin:00ff").name == "")
  }

  @Test("The last component is what splitting the path gives", arguments: 0..<8)
  func lastComponent(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["/", "?", "%", "%2F", "%41", "a", ".", "b.jpg", "=", "&"]
    for _ in 0..<2_000 {
      let target = (0..<Int.random(in: 0...8, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let url = HTTPURL(
        origin: HTTPURL.Origin(scheme: .http, host: "h", port: 80), target: "/" + target)
      let last = url.path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
      #expect(url.lastPathComponent == PercentEncoding.decode(last), "\(target)")
    }
  }
}
