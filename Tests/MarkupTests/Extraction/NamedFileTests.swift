import Testing

@testable import MarkupExtraction

@Suite("Image files that a page names elsewhere") struct NamedFileTests {
  @Test("The strings of a script are read with their names and brackets")
  func scripts() {
    let found = ScriptImages(
      #"var a = {images: ["https:\/\/h.test\/1.jpg", 'https://h.test/2.jpg', "\u002f3.png"], t: "x.jpg"};"#
    )
    #expect(found.urls == ["https://h.test/1.jpg", "https://h.test/2.jpg", "/3.png"])
    #expect(found.series.isEmpty)
    let objects = (1...3).map { #"{"thumb":"/t/\#($0).jpg","full":"/f/\#($0).jpg","tags":["a"]}"# }
    let data = ScriptImages("[" + objects.joined(separator: ",") + "]")
    #expect(data.series == ["/f/1.jpg", "/f/2.jpg", "/f/3.jpg"])
    #expect(data.larger["/t/2.jpg"] == "/f/2.jpg")
  }

  @Test("A series of other things, and files in several folders, are none")
  func series() {
    let files = #"["/a/1.jpg","/a/2.jpg","/a/3.jpg"]"#
    #expect(ScriptImages(#"{"pages":\#(files)}"#).series.count == 3)
    #expect(ScriptImages(#"{"related":\#(files)}"#).series.isEmpty)
    #expect(ScriptImages(#"["/one/1.jpg","/two/2.jpg","/six/3.jpg"]"#).series.isEmpty)
  }

  @Test("Any text is a script")
  func anyText() {
    for text in ["", "\"", "'\\", "\"\\u00", "[[[.", "]}.", "\"a.jpg", "{\"a.jpg\":", "'\n.'"] {
      _ = ScriptImages(text)
    }
    #expect(ScriptImages(String(repeating: "[", count: 1_000) + "\"/a.jpg\".").urls.isEmpty)
  }

  @Test("A page that shows none of its images has those of a script, and not its recommendations")
  func onlyInScript() throws {
    let script =
      #"<script>var x = {"pages": ["/c/1/001.jpg", "/c/1/002.jpg", "/c/1/003.jpg"]}</script>"#
    func card(_ number: Int) -> String {
      "<li><a href=/t/\(number)><img src=/covers/\(number).jpg></a>"
    }
    #expect(try Page(script + card(1) + card(2)).urls.count == 3)
    // As many previews as files are these files in smaller versions.
    #expect(try Page(script + card(1) + card(2) + card(3)).urls.first == "/covers/1.jpg")
  }

  @Test("The rest of a series follows the images of it that the page shows")
  func restOfSeries() throws {
    let script = #"<script>[{"url":"/g/a.jpg"},{"url":"/g/b.jpg"},{"url":"/g/c.jpg"}]</script>"#
    #expect(try Page("<img src=/g/a.jpg>" + script).urls == ["/g/a.jpg", "/g/b.jpg", "/g/c.jpg"])
    #expect(try Page("<img src=/g/x.jpg>" + script).urls == ["/g/x.jpg"])
  }

  @Test(
    "Scripts, attributes and microdata name larger versions of shown images",
    arguments: [
      #"<img src=/i/m.jpg><script>[{"thumb":"/i/m.jpg","full":"/o/1.jpg"}]</script>"#,
      #"<img src=/o/1-300x200.jpg><script type=application/json>{"src":"/o/1.jpg"}</script>"#,
      #"<img src=/o/1-300x200.jpg><meta itemprop=image content=/o/1.jpg>"#,
      #"<img src=data:, data-sizes='[{"url":"/o/1-9.jpg","width":256},{"url":"/o/1.jpg","width":900}]'>"#,
      #"<img src=/o/1-300x200.jpg data-dynamic='{"/o/1.jpg":[900,600],"/o/1-2.jpg":[300,200]}'>"#,
      #"<div data-original=/o/1.jpg style="background-image:url(/o/1-20x20.jpg)"></div>"#,
      #"<div style="--slide: url(/o/1.jpg)"></div>"#, "<photo-tile src=/o/1.jpg></photo-tile>",
      "<div data-src=/o/1.jpg></div>", #"<div data-images='["/o/1.jpg"]'></div>"#,
      "<svg><image href=/o/1.jpg></image></svg>",
      "<a href=#x data-img=/o/1.jpg><img src=/t/1.jpg></a>",
    ])
  func names(_ html: String) throws { #expect(try Page(html).urls == ["/o/1.jpg"]) }

  @Test("Elements that choose, count or play have no images of their own")
  func others() throws {
    let html = "<img src=/a.jpg>"
    for element in [
      "<button data-src=/b.jpg></button>", "<option data-src=/b.jpg>",
      "<amp-pixel src=/b.jpg></amp-pixel>",
      "<div data-src=/b.html></div>", "<video data-src=/b.jpg></video>",
    ] {
      #expect(try Page(html + element).urls == ["/a.jpg"], "\(element)")
    }
  }

  @Test(
    "A link beside the image leads to a larger version",
    arguments: [
      ("/f/31234-jpg/?thumbnail=1", "/f/31234-jpg/"),
      ("/files/1234567k.jpg", "/files/1234567l.jpg"),
      ("/lw685/art/harbour.png?as=webp", "/full/art/harbour.png"),
    ])
  func links(_ shown: String, _ linked: String) throws {
    let page = try Page("<span><img src='\(shown)'></span><a href='\(linked)'>Full size</a>")
    #expect(page.urls == [linked])
  }
}
