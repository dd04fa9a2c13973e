import Testing

@testable import MarkupExtraction

@Suite("Styles and linked data") struct MarkupDataTests {
  @Test(
    "The image of a style is found",
    arguments: [
      ("background-image: url(a.jpg)", "a.jpg"),
      ("background:#fff url('a b.jpg') center", "a b.jpg"),
      ("color:red;BACKGROUND-IMAGE:URL(\"a.jpg\");width:1px", "a.jpg"),
      ("background-image: url( a.jpg )", "a.jpg "), ("background: url(a\\).jpg", "a\\"),
      ("background-image: linear-gradient(red, blue), url(a.jpg)", "a.jpg"),
      ("ü:1; background-image: url(ä.jpg)", "ä.jpg"),
      ("background: url(a.png) repeat-x", nil), ("background: red", nil),
      ("list-style: url(a.png)", nil),
      ("background-image: url(a.jpg", nil), ("background-image: url('a.jpg)", nil), ("", nil),
      ("background: red; list-style-image: url(a.png)", nil),
    ] as [(String, String?)])
  func styles(_ style: String, _ expected: String?) {
    #expect(BackgroundImage.url(inStyle: style) == expected?.replacing("\\", with: ""))
  }

  @Test(
    "The size of a style is found",
    arguments: [
      ("width: 240px; height:1px", 240), ("WIDTH:12.6px", 13), ("width: 50%", nil),
      ("max-width: 240px", nil),
      ("width:", nil), ("width", nil), ("width:1e99px", nil),
    ] as [(String, Int?)])
  func sizes(_ style: String, _ expected: Int?) {
    #expect(BackgroundImage.pixels("width", inStyle: style) == expected)
  }

  @Test(
    "The images of linked data are found",
    arguments: [
      (#"{"@type":"Article","image":"a.jpg"}"#, ["a.jpg"]),
      (#"{"@type":"Article","image":["a.jpg","b.jpg"]}"#, ["a.jpg", "b.jpg"]),
      (
        #"{"@type":"Recipe","image":{"@type":"ImageObject","url":"https:\/\/h\/a.jpg"}}"#,
        ["https://h/a.jpg"]
      ),
      (#"{"@graph":[{"@type":"ImageObject","contentUrl":"a.jpg","url":"b.jpg"}]}"#, ["a.jpg"]),
      (#"[{"@type":["Thing","Photograph"],"contentUrl":"a.jpg"}]"#, ["a.jpg"]),
      (#"{"@type":"HowTo","step":[{"image":"a.jpg"},{"image":"b.jpg"}]}"#, ["a.jpg", "b.jpg"]),
      // The images of others are not those of the page.
      (
        #"{"publisher":{"logo":{"@type":"ImageObject","url":"a.jpg"}},"author":{"image":"b.jpg"}}"#,
        []
      ),
      (#"{"@type":"Person","image":"a.jpg"}"#, []),
      (#"{"@type":"VideoObject","contentUrl":"a.mp4"}"#, []),
      (#"{"image":"a.jpg""#, []), ("", []), ("not JSON", []), (#"{"image":5}"#, []),
      (#"{"image":"\u00e9\ud83d\ude00\n.jpg"}"#, ["é😀 .jpg"]),
      (#"{"image":"\ud83d"}"#, ["\u{fffd}"]),
    ] as [(String, [String])])
  func linkedData(_ script: String, _ expected: [String]) {
    #expect(LinkedData.images(in: script).map(\.url) == expected)
  }

  @Test("JSON that is nested too deep, or cut anywhere, is no data")
  func badJSON() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(LinkedData.images(in: deep + String(repeating: "]", count: 100_000)).isEmpty)
    let text =
      #"{"@type":"A\u00e9","image":["a.jpg",{"url":"b.jpg","width":640}],"x":[true,null,-1.5e3]}"#
    #expect(LinkedData.images(in: text).map(\.url) == ["a.jpg", "b.jpg"])
    for length in 0..<text.utf8.count {
      #expect(
        LinkedData.images(in: String(decoding: text.utf8.prefix(length), as: UTF8.self)).isEmpty)
    }
  }
}
