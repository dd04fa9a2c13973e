import Manifests
import Models
import Testing

@Suite("A series")
struct SeriesTests {
  let base: HTTPURL

  init() throws { base = try HTTPURL("http://h:8080/api/series?x=1") }

  @Test("Slices keep their order, and ids are opaque")
  func slices() {
    for format in [nil, ManifestFormat.series] {
      let reading = Reading(
        #"{"id": "CT/1 ü", "count": {"id": 1}, "slices": ["10", "2", "a/b", "..", "ü?"]}"#,
        format: format, base: base)
      #expect(reading.error == nil)
      #expect(reading.format == .series)
      #expect(reading.items.first == .series(id: "CT/1 ü"))
      let prefix = "http://h:8080/api/series/CT%2F1%20%C3%BC/slice/"
      #expect(
        reading.urls == ["10", "2", "a%2Fb", "%2E%2E", "%C3%BC%3F"].map { prefix + $0 })
      #expect(reading.entries.map(\.title) == ["10", "2", "a/b", "..", "ü?"])
    }
  }

  @Test(
    "A series that states an error instead of slices is refused",
    arguments: [
      (#"{"error": "no such scan", "id": "s", "slices": []}"#, true),
      (#"{"id": "s", "slices": [], "errors": [{"text": "no such scan"}]}"#, true),
      (#"{"id": "s", "slices": [], "error": null, "errors": []}"#, false),
      (#"{"id": "s", "slices": ["1"], "error": "no such scan"}"#, false),
    ])
  func statedError(text: String, isRefused: Bool) {
    let reason = Reading(text, base: base).error?.reason
    #expect((reason != nil) == isRefused)
    if isRefused { #expect(reason?.contains("no such scan") == true, "\(reason ?? "")") }
  }

  @Test("An id behind the slices serves as well, up to a limit")
  func idLast() {
    let reading = Reading(#"{"slices": ["b", 5, "a"], "id": "s"}"#, base: base)
    #expect(reading.urls.map { String($0.suffix(1)) } == ["b", "a"])
    #expect(reading.entries.map(\.index) == [0, 2])
    #expect(reading.problems.map(\.index) == [1])
    let limits = ManifestLimits(pendingSlices: 2)
    let held = Reading(#"{"slices": ["b", 5, "a"], "id": "s"}"#, base: base, limits: limits)
    #expect(held.error?.code == .shape)
  }

  @Test(
    "A bad slice is a problem at its own place",
    arguments: ["7", "null", "[\"x\"]", "{\"a\": \"b\"}", "\"\""])
  func badSlice(json: String) {
    let reading = Reading("{\"id\": \"s\", \"slices\": [\"1\", \(json), \"3\"]}", base: base)
    #expect(reading.entries.map(\.index) == [0, 2])
    #expect(reading.problems.map(\.index) == [1])
  }

  @Test(
    "The error of a text that is not a series names the reason",
    arguments: [
      (#"{"slices": ["a"]}"#, "has no \"id\""), (#"{"id": "s"}"#, "has no \"slices\""),
      (#"{"id": 5, "slices": []}"#, "\"id\" is a number"), (#"["a"]"#, "is an array"),
      (#"{"id": "s", "slices": "a"}"#, "\"slices\" are a string"),
      (#"{"id": "s", "slices": {}}"#, "\"slices\" are an object"),
      (#"{"id": "", "slices": ["a"]}"#, "empty"), (#"{"id": ["s"], "slices": []}"#, "an array"),
    ])
  func shape(text: String, reason: String) {
    let error = Reading(text, format: .series, base: base).error
    #expect(error?.code == .shape)
    #expect(error?.reason.contains(reason) == true)
    #expect(error?.file == "list")
  }

  @Test("A series from a file has no address to fetch slices from")
  func noAddress() {
    #expect(Reading(#"{"id": "s", "slices": ["a"]}"#).error?.code == .noAddress)
  }

  @Test(
    "The address is BASE or BASE/series",
    arguments: [
      "http://h/api", "http://h/api/", "http://h/api/series", "http://h/api/series/",
      "http://h/api/series?q=series",
    ])
  func address(text: String) throws {
    let address = SeriesAddress(try HTTPURL(text))
    #expect(address.listing.description == "http://h/api/series")
    #expect(address.slice(id: "a", name: "b").description == "http://h/api/series/a/slice/b")
    let root = SeriesAddress(try HTTPURL("http://h/series"))
    #expect(root.listing.description == "http://h/series")
    #expect(root.slice(id: ".", name: "1").description == "http://h/series/%2E/slice/1")
  }
}
