import Manifests
import Models
import Testing

@Suite("IIIF manifests and collections")
struct IIIFTests {
  static let context = #""@context": "http://iiif.io/api/presentation/3/context.json""#
  static let context2 = #""@context": "http://iiif.io/api/presentation/2/context.json""#

  /// A canvas of version 3 with these bodies.
  static func canvas(_ label: String, _ bodies: String...) -> String {
    let annotations = bodies.map {
      #"{"type": "Annotation", "motivation": "painting", "body": \#($0)}"#
    }
    return #"""
      {"id": "http://h/c", "type": "Canvas", "height": 20, "width": 10, "label": \#(label),
       "metadata": [{"label": {"en": ["ignored"]}, "value": {"en": ["x"]}}],
       "items": [{"type": "AnnotationPage", "items": [\#(annotations.joined(separator: ","))]}],
       "annotations": [{"type": "AnnotationPage", "items": [{"body": {"type": "Image", "id": "http://h/no"}}]}]}
      """#
  }

  static func body(_ service: String) -> String {
    #"{"id": "http://h/b.jpg", "type": "Image", "format": "image/jpeg", "service": \#(service)}"#
  }

  static func manifest(_ canvases: String..., label: String = #"{"en": ["A book"]}"#) -> String {
    #"""
    {\#(context), "id": "http://h/m", "type": "Manifest", "label": \#(label),
     "items": [\#(canvases.joined(separator: ","))], "structures": [{"items": [{"type": "Canvas"}]}]}
    """#
  }

  static func titles(_ reading: Reading) -> [String] {
    reading.items.compactMap { if case .title(let title) = $0 { title } else { nil } }
  }

  static func documents(_ reading: Reading) -> [String] {
    reading.items.compactMap {
      if case .document(let url, let link) = $0, link == .record { url } else { nil }
    }
  }

  @Test(
    "An image service becomes the entry, in every way that names one",
    arguments: [
      (#"[{"id": "https://i/1", "type": "ImageService3", "profile": "level2"}]"#, "https://i/1"),
      (#"[{"@id": "https://i/1", "@type": "ImageService2"}]"#, "https://i/1"),
      (#"{"@id": "https://i/1/", "type": "ImageService2"}"#, "https://i/1"),
      (
        #"{"@id": "https://i/1/info.json", "profile": "http://iiif.io/api/image/2/level1.json"}"#,
        "https://i/1"
      ),
      (
        #"{"@id": "https://i/1", "@context": "https://iiif.io/api/image/2/context.json"}"#,
        "https://i/1"
      ),
      (
        #"{"@id": "https://i/1", "profile": ["http://library.stanford.edu/iiif/image-api/1.1/conformance.html#level1"]}"#,
        "https://i/1"
      ),
      (
        #"[{"@id": "http://h/login", "profile": "http://iiif.io/api/auth/1/login"}, {"id": "https://i/a%2Fb#x", "type": "ImageService3"}]"#,
        "https://i/a%2Fb"
      ),
      (
        #"{"@id": "http://h/iipsrv.fcgi?IIIF=a.tif", "type": "ImageService2"}"#,
        "http://h/iipsrv.fcgi?IIIF=a.tif"
      ),
    ])
  func services(service: String, base: String) {
    let reading = Reading(Self.manifest(Self.canvas(#"{"none": ["1r"]}"#, Self.body(service))))
    #expect(reading.error == nil && reading.format == .iiif)
    #expect(reading.entries.map(\.address) == [base + "#iiif"])
    #expect(reading.urls == [base])
    #expect(reading.entries.map(\.title) == ["1r"])
    #expect(Self.titles(reading) == ["A book"])
    #expect(reading.problemCount == 0)
  }

  @Test(
    "A body that is a request for the whole image of its service is a mirror of the service",
    arguments: [
      ("https://i/1/full/full/0/default.jpg", true), ("http://o/2/full/max/0/default.png", true),
      ("http://o/2/full/full/0/native.jpg", true), ("http://o/2/full/800,/0/default.jpg", false),
      ("http://o/2/0,0,9,9/max/0/default.jpg", false), ("http://o/full/max/90/default.jpg", false),
      ("http://o/full/max/0/gray.jpg", false), ("http://h/b.jpg", false),
    ])
  func bodyRequests(id: String, isMirror: Bool) {
    let body =
      #"{"id": "\#(id)", "type": "Image", "service": {"id": "https://i/1", "type": "ImageService3"}}"#
    let reading = Reading(Self.manifest(Self.canvas("null", body)))
    #expect(reading.entries.map(\.address) == ["https://i/1#iiif"])
    #expect(reading.entries.map(\.mirrors) == [isMirror ? [id] : []])
  }

  @Test(
    "A body without an image service is the entry",
    arguments: [
      Self.body("[]"), #"{"id": "http://h/b.jpg", "type": "Image"}"#, #""http://h/b.jpg""#,
      Self.body(#"{"@id": "http://h/login", "profile": "http://iiif.io/api/auth/1/login"}"#),
      #"{"type": "Choice", "items": [{"id": "http://h/b.jpg", "type": "Image"}, {"id": "http://h/2", "type": "Image"}]}"#,
      #"{"type": "SpecificResource", "source": {"id": "http://h/b.jpg", "type": "Image"}}"#,
      #"{"type": "Choice", "items": [{"type": "SpecificResource", "source": "http://h/b.jpg"}]}"#,
      #"{"id": "http://h/b.jpg", "type": "Thing", "format": "image/tiff"}"#,
    ])
  func plainBodies(body: String) {
    let reading = Reading(Self.manifest(Self.canvas("null", body)))
    #expect(reading.entries.map(\.address) == ["http://h/b.jpg"])
    #expect(reading.problemCount == 0 && reading.entries.first?.title == nil)
  }

  @Test("Canvases keep their order, and a canvas of several images gives several entries")
  func order() {
    func image(_ number: Int) -> String { #"{"id": "http://h/\#(number)", "type": "Image"}"# }
    let reading = Reading(
      Self.manifest(
        Self.canvas(#""a""#, image(1), image(2)), Self.canvas(#""b""#, image(3)),
        Self.canvas(#""c""#, image(1))))
    #expect(reading.urls == [1, 2, 3, 1].map { "http://h/\($0)" })
    #expect(reading.entries.map(\.title) == ["a", "a", "b", "c"])
    #expect(reading.entries.map(\.index) == [0, 1, 2, 3])
  }

  @Test(
    "Labels of all kinds",
    arguments: [
      (#"{"none": ["1"]}"#, "1"), (#"{"de": ["Blatt"], "en": ["Leaf"]}"#, "Leaf"),
      (#"{"de": ["Blatt"], "fr": ["feuille"]}"#, "Blatt"), (#"{"en-GB": ["Leaf"]}"#, "Leaf"),
      (#"{"de": "Blatt"}"#, "Blatt"), (#"{"en": [], "de": ["", "Blatt"]}"#, "Blatt"),
      (#""plain""#, "plain"), ("7", "7"), (#"["one", "two"]"#, "one"),
      (#"{"@value": "v", "@language": "de"}"#, "v"),
      (#"[{"@value": "Blatt", "@language": "de"}, {"@value": "Leaf", "@language": "en"}]"#, "Leaf"),
      (#"[{"@value": "Blatt", "@language": "de"}, "Leaf"]"#, "Leaf"), (#""a\u0000\n b""#, "a b"),
      ("{}", nil), ("[]", nil), ("null", nil), (#"{"en": [{"x": 1}]}"#, nil), ("true", nil),
    ] as [(String, String?)])
  func labels(label: String, title: String?) {
    let reading = Reading(
      Self.manifest(Self.canvas(label, #""http://h/1""#), label: label))
    #expect(reading.entries.map(\.title) == [title])
    #expect(Self.titles(reading) == (title.map { [$0] } ?? []))
  }

  @Test("A manifest of version 2: the images of the first sequence")
  func version2() {
    let reading = Reading(
      #"""
      {\#(Self.context2), "@id": "http://h/m", "@type": "sc:Manifest", "label": ["Ein Buch"],
       "sequences": [
        {"@type": "sc:Sequence", "label": "x", "canvases": [
          {"@id": "http://h/c1", "@type": "sc:Canvas", "label": "1r", "images": [
            {"@type": "oa:Annotation", "motivation": "sc:painting", "resource":
              {"@id": "http://h/1.jpg", "@type": "dctypes:Image", "service":
                {"@context": "http://iiif.io/api/image/2/context.json", "@id": "http://i/1"}}}]},
          {"@type": "sc:Canvas", "label": {"@value": "1v"}, "images": [{"resource":
            {"@type": "oa:Choice", "default": {"@id": "http://h/2.jpg", "@type": "dctypes:Image"},
             "item": [{"@id": "http://h/no", "@type": "dctypes:Image"}]}}]},
          {"@type": "sc:Canvas", "label": "2r", "images": [{"resource":
            {"@type": "oa:SpecificResource", "full": {"@id": "/3.jpg", "@type": "dctypes:Image"}}}]},
          {"@type": "sc:Canvas", "label": "2v", "images": []}]},
        {"@type": "sc:Sequence", "canvases": [{"label": "again", "images": []}]}],
       "structures": [{"@type": "sc:Range", "canvases": ["http://h/c1"]}]}
      """#, base: try? HTTPURL("http://h/m"))
    #expect(reading.error == nil && reading.format == .iiif)
    #expect(
      reading.entries.map(\.address) == ["http://i/1#iiif", "http://h/2.jpg", "http://h/3.jpg"])
    #expect(reading.entries.map(\.title) == ["1r", "1v", "2r"])
    #expect(Self.titles(reading) == ["Ein Buch"])
    #expect(reading.problems.map(\.reason) == ["1 canvases have no image"])
  }

  @Test("Members of collections become documents with records of their own")
  func collections() {
    let three = Reading(
      #"""
      {\#(Self.context), "type": "Collection", "label": {"en": ["All"]}, "items": [
       {"id": "http://h/m1", "type": "Manifest", "label": {"en": ["One"]}},
       {"id": "sub/c1", "type": "Collection"}, {"type": "Manifest"}, {"id": "", "type": "Manifest"}]}
      """#)
    #expect(Self.documents(three) == ["http://h/m1", "sub/c1"])
    #expect(three.problems.map(\.reason) == [#"has no "id""#, #"has no "id""#])
    #expect(Self.titles(three) == ["All"])
    let two = Reading(
      #"""
      {\#(Self.context2), "@type": "sc:Collection", "label": "All",
       "collections": [{"@id": "http://h/c", "@type": "sc:Collection", "manifests": [{"@id": "http://h/no"}]}],
       "manifests": ["http://h/m1", {"@id": "http://h/m2", "label": "Two"}],
       "members": [{"@id": "http://h/m3", "@type": "sc:Manifest"}]}
      """#)
    #expect(Self.documents(two) == ["http://h/c", "http://h/m1", "http://h/m2", "http://h/m3"])
    #expect(two.entries.isEmpty && two.problems.isEmpty)
  }

  @Test(
    "Pages of collections of version 2",
    arguments: [
      (#""first": "http://h/p1", "total": 2"#, ["http://h/p1"]),
      (#""first": {"@id": "http://h/p1"}"#, ["http://h/p1"]),
      (#""manifests": [], "next": "p2""#, ["p2"]),
      (#""next": {"@id": "p2"}, "manifests": [{"@id": "http://h/m"}], "first": "p1""#, ["p2"]),
      (#""manifests": [], "next": null"#, []),
    ])
  func pages(members: String, pages: [String]) {
    let reading = Reading(#"{\#(Self.context2), "@type": "sc:Collection", \#(members)}"#)
    #expect(reading.nextPages == pages)
    #expect(reading.error == nil)
  }

  @Test("Content other than images is one problem, with its counts")
  func otherContent() {
    let video = #"{"id": "http://h/v", "type": "Video", "format": "video/mp4"}"#
    let reading = Reading(
      Self.manifest(
        Self.canvas("null", video), Self.canvas("null", video, #"{"type": "Sound", "id": "x"}"#),
        Self.canvas("null"), Self.canvas("null", #""http://h/1.jpg""#),
        Self.canvas("null", #"{"type": "TextualBody", "value": "a"}"#)))
    #expect(reading.urls == ["http://h/1.jpg"])
    #expect(reading.problemCount == 1)
    let reason = reading.problems.first?.reason ?? ""
    #expect(
      reason
        == #"content other than images is left out: 2 of type "Video", 1 of type "Sound", "#
        + #"1 of type "TextualBody"; 1 canvases have no image"#)
  }

  @Test(
    "An unusable image costs its entry only",
    arguments: [
      (#"{"type": "Image"}"#, "without an \"id\""),
      (Self.body(#"{"id": "ftp://i/1", "type": "ImageService3"}"#), "scheme \"ftp\""),
      (Self.body(#"{"id": "file:///etc/passwd", "type": "ImageService3"}"#), "scheme \"file\""),
      (Self.body(#"{"id": "javascript:x", "type": "ImageService3"}"#), "scheme \"javascript\""),
      (Self.body(#"{"id": "i/1", "type": "ImageService3"}"#), "is relative"),
      (Self.body(#"{"id": "http://u:secret@h/1", "type": "ImageService3"}"#), "user name"),
      (#"{"type": "Image", "id": "data:image/png;base64,AA"}"#, "scheme \"data\""),
    ])
  func unusable(body: String, reason: String) {
    let reading = Reading(
      Self.manifest(Self.canvas("null", body), Self.canvas("null", #""http://h/1.jpg""#)))
    #expect(reading.urls == ["http://h/1.jpg"])
    #expect(reading.problems.map(\.index) == [0])
    #expect(reading.problems.first?.reason.contains(reason) == true, "\(reading.problems)")
    #expect(reading.problems.first?.reason.contains("secret") != true)
  }

  @Test(
    "Documents are recognized by vocabulary or type",
    arguments: [
      (#"{"@context": "http://iiif.io/api/presentation/3/context.json", "items": []}"#, true),
      (
        #"{"@context": ["http://www.w3.org/ns/anno.jsonld", "https://iiif.io/api/presentation/3/context.json"], "items": []}"#,
        true
      ),
      (#"{"id": "x", "type": "Manifest", "items": []}"#, true),
      (#"{"@id": "x", "@type": "sc:Manifest", "sequences": []}"#, true),
      (#"{"@type": "sc:Collection", "manifests": []}"#, true),
      (#"{"label": "x", "type": "Collection", "items": []}"#, true),
      (
        #"{"@context": "https://www.w3.org/ns/activitystreams", "type": "Collection", "items": []}"#,
        false
      ),
      (#"{"type": "FeatureCollection", "items": []}"#, false),
      (#"{"items": ["http://h/1"], "type": "Manifest"}"#, false),
      (#"{"type": {"x": "Manifest"}, "items": []}"#, false),
      (#"{"type": ["Manifest"], "items": []}"#, false),
      (
        #"{"meta": {"@context": "http://iiif.io/api/presentation/3/context.json"}, "items": []}"#,
        false
      ),
    ])
  func recognition(text: String, isIIIF: Bool) {
    let reading = Reading(text)
    #expect((reading.format == .iiif) == isIIIF)
    #expect(Reading(text, format: .json).format == .json)
  }

  @Test("A demanded manifest needs no vocabulary, and must be one")
  func demanded() {
    let plain = #"{"items": [\#(Self.canvas("null", #""http://h/1""#))]}"#
    #expect(Reading(plain, format: .iiif).urls == ["http://h/1"])
    for text in ["[]", "{}", "7", #"{"items": {}}"#, #"{"label": "x"}"#] {
      #expect(Reading(text, format: .iiif).error?.code == .shape, "\(text)")
    }
    #expect(Reading(#"{"type": "Manifest"}"#).error?.code == .shape)
    #expect(Reading(#"{"type": "Manifest", "items": []} []"#).error?.code == .notJSON)
  }

  @Test("A label before the mark of the document is kept if it is a text")
  func lateRecognition() {
    let body = Self.canvas("null", #""http://h/1""#)
    #expect(
      Self.titles(Reading(#"{"label": "Early", "type": "Manifest", "items": [\#(body)]}"#)) == [
        "Early"
      ])
  }

  @Test("A label after the canvases is read before them, within a limit")
  func lateLabel() {
    let text = #"""
      {\#(Self.context), "items": [\#(Self.canvas("null", #""http://h/1""#)),
       \#(Self.canvas("null", #""ftp://h/2""#))], "label": {"en": ["Late"]}, "type": "Manifest"}
      """#
    let late = Reading(text)
    #expect(late.items.first == .title("Late") && late.items.count == 3)
    #expect(late.urls == ["http://h/1"] && late.problemCount == 1)
    // An error in the document loses no entry.
    let cut = Reading(String(text.prefix(text.count - 40)))
    #expect(cut.error?.code == .truncated && cut.items == Array(late.items.dropFirst()))
    let canvases = Array(repeating: Self.canvas("null", #""http://h/1""#), count: 2_000)
    let long = Reading(
      #"{\#(Self.context), "items": [\#(canvases.joined(separator: ","))], "label": "Late"}"#)
    #expect(Self.titles(long).isEmpty && long.entries.count == 2_000)
  }

  static let documents: [String] = [
    manifest(
      canvas(
        #"{"en": ["é\ud83d\ude00"]}"#, body(#"[{"id": "https://i/1", "type": "ImageService3"}]"#)),
      canvas("null", #"{"type": "Video"}"#), canvas(#""b""#, #"{"type": "Image"}"#)),
    #"""
    {\#(context2), "label": [{"@value": "x"}], "sequences": [{"canvases": [{"label": "1", "images": [
     {"resource": {"@id": "http://h/1", "@type": "dctypes:Image"}}]}, {}, 7]}, {}], "next": {"@id": "n"}}
    """#,
    #"{\#(context), "type": "Collection", "items": [{"id": "a", "type": "Manifest"}], "x": [[{}]]}"#,
  ]

  @Test(
    "However a manifest is cut, and however it is damaged, it never traps", arguments: documents)
  func robustness(text: String) {
    let bytes = Array(text.utf8)
    let whole = Reading(bytes)
    #expect(whole.error == nil && !whole.items.isEmpty)
    for cut in 0...bytes.count {
      #expect(Reading(bytes, chunks: [cut]) == whole)
      #expect(Reading(Array(bytes.prefix(cut)), format: .iiif).error != nil || cut == bytes.count)
    }
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[place] = "[]{},:\"0".utf8.randomElement(using: &generator) ?? 0
        case 1: damaged.removeSubrange(place..<min(damaged.count, place + 7))
        default: damaged.insert(contentsOf: damaged.suffix(30), at: place)
        }
        if damaged.isEmpty { damaged = [0x7b] }
      }
      let reading = Reading(damaged, format: .iiif)
      #expect(reading.entryCount == reading.entries.count)
      let cuts = (0..<damaged.count).map { _ in Int.random(in: 0...9, using: &generator) }
      #expect(Reading(damaged, format: .iiif, chunks: cuts) == reading)
    }
  }

  @Test("Limits: canvases, depth, and the size of one canvas")
  func limits() {
    let canvas = Self.canvas("null", #""http://h/1.jpg""#)
    let many = Reading(
      #"{\#(Self.context), "items": [\#(Array(repeating: canvas, count: 30).joined(separator: ","))]}"#,
      limits: ManifestLimits(entries: 20))
    #expect(many.error?.code == .tooMany && many.entries.count == 20)
    let deep = #"{\#(Self.context), "items": [\#(String(repeating: #"{"items":["#, count: 100))"#
    #expect(Reading(deep).error?.code == .tooDeep)
    let wide = Self.canvas("null", "[\(String(repeating: "{},", count: 30_000)){}]")
    let reading = Reading(Self.manifest(wide, canvas))
    #expect(reading.urls == ["http://h/1.jpg"])
    #expect(reading.problems.first?.reason.contains("more than 20000 values") == true)
    // What is not needed of a canvas does not count.
    let annotated = canvas.replacing(
      #""annotations": ["#, with: #""annotations": [\#(String(repeating: "{},", count: 30_000))"#)
    #expect(Reading(Self.manifest(annotated)).urls == ["http://h/1.jpg"])
  }

  @Test("Many canvases are read one at a time, but for those of the first bytes")
  func streaming() throws {
    var parser = ManifestParser(name: "large.json")
    var items: [ManifestItem] = []
    var largest = 0
    try parser.receive(
      Array("{\(Self.context), \"label\": \"x\", \"items\": [".utf8).span.bytes, into: &items)
    let canvas = Array((Self.canvas(#""x""#, #""http://h/1.jpg""#) + ",").utf8)
    for _ in 0..<5_000 {
      try parser.receive(canvas.span.bytes, into: &items)
      largest = max(largest, items.count)
      items.removeAll(keepingCapacity: true)
    }
    try parser.receive(Array("{}]}".utf8).span.bytes, into: &items)
    try parser.finish(into: &items)
    #expect(parser.entryCount == 5_000 && largest <= ResourceFormat.sniffLength / canvas.count + 2)
  }

  @Test("The mark of an image service is kept in other lists")
  func marks() {
    #expect(
      Reading(#"["http://h/i#iiif", "http://h/i#other", "HTTP://H/j#iiif"]"#).entries.map(\.address)
        == ["http://h/i#iiif", "http://h/i", "http://h/j#iiif"])
    #expect(Reading("http://h/i#iiif\tTitle\n").entries.map(\.address) == ["http://h/i#iiif"])
  }
}
