import Testing

@testable import MarkupExtraction

@Suite("Images in data of scripts and attributes") struct ScriptDataTests {
  @Test("An object with a width and a height names an image without an extension")
  func sides() {
    func pages(_ sides: String) -> String {
      let objects = (1...3).map { #"{"src":"https://h.test/page/10000000\#($0)"\#(sides)}"# }
      return "{\"v\":1.0,\"pages\":[\(objects.joined(separator: ","))]}"
    }
    #expect(ScriptImages(pages(#","width":800,"height":1200"#)).series.count == 3)
    #expect(ScriptImages(pages(#","width":800"#)).series.isEmpty)
    #expect(ScriptImages(pages("")).urls.isEmpty)
  }

  @Test("The data of a script may be in an attribute")
  func attribute() throws {
    let objects = (1...3).map { "{'src':'https://h.test/p/10000000\($0)','width':8,'height':9}" }
    let page = try Page(
      "<script type='text/json' data-value=\"{'pages':[\(objects.joined(separator: ","))]}\"></script>"
    )
    #expect(page.urls == (1...3).map { "https://h.test/p/10000000\($0)" })
  }

  @Test(
    "JSON may be in percent-encoding",
    arguments: [
      "[{%22url%22:%22/a/t.jpg%22,%22width%22:256},{%22url%22:%22/a/o.jpg%22,%22width%22:900}]",
      "%5B%7B%22url%22:%22/a/t.jpg%22,%22width%22:256%7D,%7B%22url%22:%22/a/o.jpg%22,%22width%22:900%7D%5D",
    ])
  func encoded(_ text: String) throws {
    #expect(DataImages(text)?.images.map(\.width) == [256, 900])
    #expect(try Page("<img data-sizes='\(text)'>").urls == ["/a/o.jpg"])
  }

  @Test("A series with previews of other pages needs one that the page names as its own")
  func namedPreviews() throws {
    let script = #"<script>x = {"images":["/i/a_001.jpg","/i/a_002.jpg","/i/a_003.jpg"]}</script>"#
    let previews = "<a href=/homes/77><img src=/i/a_001_max_600x400.jpg></a>"
    let named = "<meta property=og:image content=/i/a_001_max_600x400.jpg>"
    let url = "https://homes.test/homes/12"
    let page = try Page("<head>\(named)</head><body>\(script)\(previews)", url: url)
    #expect(page.urls.sorted() == ["/i/a_001.jpg", "/i/a_002.jpg", "/i/a_003.jpg"])
  }

  @Test("The options of a server may have a colour, and an identifier may consist of letters")
  func names() {
    #expect(ImageVersion("https://h.test/a/0a1b2c=s176-c-k-c0x00ffffff-no-rj").pixels == 176)
    #expect(!URLShape("/watch?v=ggpHCwFbmIw").identifiers.isEmpty)
    #expect(URLShape("/harbour/morning").identifiers.isEmpty)
  }
}
