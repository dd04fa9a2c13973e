import Testing

@testable import MarkupExtraction

@Suite("Larger versions in links elsewhere on the page") struct LinkedVersionTests {
  @Test(
    "A link to a larger version anywhere on the page replaces the shown image",
    arguments: [
      ("web-large/DP-1.jpg", "original/DP-1.jpg", true),
      ("medium/harbour.jpg", "large/harbour.jpg", true),
      ("sample/0a1b2c/harbour.jpg", "image/0a1b2c/harbour.png", true),
      ("small/harbour.jpg", "files/harbour.jpg", true),
      ("harbour-300x200.jpg", "harbour.jpg", true),
      ("harbour-300x200.jpg", "harbour-1200x800.jpg", true),
      ("x/full/pct:25/0/default.jpg", "x/full/pct:100/0/default.jpg", true),
      // A smaller version, another image, a folder that names no size, and a name that is short.
      ("large/harbour.jpg", "medium/harbour.jpg", false),
      ("original/harbour.jpg", "thumb/harbour.jpg", false),
      ("small/harbour.jpg", "large/river.jpg", false),
      ("summer/IMG_0001.jpg", "winter/IMG_0001.jpg", false),
      ("small/1/harbour.jpg", "large/2/harbour.jpg", false),
      ("mobile-large/1.jpg", "original/1.jpg", false),
      ("x/full/pct:50/0/default.jpg", "x/full/pct:25/0/default.jpg", false),
      ("x/full/pct:50/0/default.jpg", "y/full/pct:100/0/default.jpg", false),
    ])
  func links(_ shown: String, _ linked: String, _ isReplaced: Bool) throws {
    let (shown, linked) = ("https://h.test/i/\(shown)", "https://h.test/i/\(linked)")
    let link = "<a href=\(linked)>Download</a>"
    let expected = [isReplaced ? linked : shown]
    #expect(try Page("<img src=\(shown)><p>\(link)").urls == expected)
    #expect(try Page("\(link)<p><img src=\(shown)>").urls == expected)
    let option = "<select><option value=\(linked)>JPEG</select>"
    #expect(try Page("<img src=\(shown)>\(option)").urls == expected)
  }

  @Test("Of several linked versions the largest is taken, once for all shown ones")
  func largest() throws {
    let links = ["small", "large", "original", "medium"].map { "<a href=/\($0)/harbour.jpg>x</a>" }
    let html = "<img src=/thumb/harbour.jpg><img src=/medium/harbour.jpg>" + links.joined()
    #expect(try Page(html).urls == ["/original/harbour.jpg"])
  }

  @Test("A version on another host is another image")
  func hosts() throws {
    let html = "<img src=https://a.test/small/harbour.jpg>"
    let link = "<a href=https://b.test/large/harbour.jpg>x</a>"
    #expect(try Page(html + link).urls == ["https://a.test/small/harbour.jpg"])
  }

  @Test("Attributes whose words run together name the full size")
  func attributes() {
    for name in ["data-originalimage", "data-fullimage", "data-largephoto"] {
      #expect(DataAttribute(name)?.kind == .full, "\(name)")
    }
    #expect(DataAttribute("data-image")?.kind == .shown)
    #expect(DataAttribute("data-heroimage") == nil)
  }
}
