import Manifests
import Models
import Testing

/// IIIF documents whose items come before the members that name their type.
@Suite("The first item of a IIIF document")
struct IIIFFirstItemTests {
  @Test(
    "A document whose items come before its type and vocabulary is recognised by the first one",
    arguments: [
      #"{"type": "Canvas", "id": "http://h/c", "items": [{"items": [{"body": {"id": "http://h/1.jpg", "type": "Image"}}]}]}"#,
      #"{"items": [{"items": [{"body": {"id": "http://h/1.jpg", "type": "Image"}}]}], "type": "Canvas"}"#,
    ])
  func itemsFirst(canvas: String) {
    let text = #"""
      {"id": "http://h/m", "items": [\#(canvas), \#(canvas)], "label": {"en": ["L"]}, "type": "Manifest",
       \#(IIIFTests.context)}
      """#
    for chunks in [[], Array(repeating: 1, count: text.utf8.count)] {
      let reading = Reading(Array(text.utf8), chunks: chunks)
      #expect(reading.error == nil && reading.format == .iiif)
      #expect(reading.urls == ["http://h/1.jpg", "http://h/1.jpg"])
      #expect(IIIFTests.titles(reading) == ["L"])
    }
    let manifests = Reading(
      #"{"items": [{"id": "http://h/m1", "type": "Manifest"}], "type": "Collection"}"#)
    #expect(IIIFTests.documents(manifests) == ["http://h/m1"])
  }

  @Test("Items of other lists and vocabularies stay entries")
  func otherItems() {
    for items in [
      #"[{"url": "http://h/1.jpg", "type": "Canvas"}]"#, #"["http://h/1.jpg"]"#,
      #"[{"type": "image", "url": "http://h/1.jpg"}]"#,
    ] {
      let reading = Reading("{\"items\": \(items)}")
      #expect(reading.urls == ["http://h/1.jpg"] && reading.format == .json, "\(items)")
    }
    #expect(Reading(#"{"items": []}"#).format == .json)
    let other = Reading(
      #"{"@context": "https://www.w3.org/ns/activitystreams", "items": [{"type": "Collection", "url": "http://h/1"}]}"#
    )
    #expect(other.format == .json && other.urls == ["http://h/1"])
  }

  @Test("A reference that no request can name is a problem")
  func longReference() {
    let long = String(repeating: "a", count: HTTPURL.maximumLength + 1)
    let reading = Reading(
      #"{\#(IIIFTests.context), "type": "Collection", "items": [{"id": "http://h/\#(long)", "type": "Manifest"}]}"#
    )
    #expect(IIIFTests.documents(reading).isEmpty)
    #expect(reading.problems.map(\.reason) == [#"its "id" is longer than 65536 bytes"#])
  }
}
