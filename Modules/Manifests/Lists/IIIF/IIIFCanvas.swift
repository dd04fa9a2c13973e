import JSON
import Models

/// Extracts the images of canvases.
enum IIIFCanvas {
  /// Adds the images that are painted on a canvas of version 3: `items[].items[].body`.
  static func addImages(
    ofVersion3 canvas: JSONValue, _ others: inout OtherContent, into collector: inout EntryCollector
  ) {
    let title = canvas["label"].flatMap(IIIFLabel.text)
    var count = 0
    for page in canvas["items"]?.elements ?? [] {
      for annotation in page["items"]?.elements ?? [] where isPainting(annotation) {
        for body in annotation["body"]?.elements ?? [] {
          count &+= 1
          add(body, title: title, &others, into: &collector)
        }
      }
    }
    if count == 0 { others.add(emptyCanvas: canvas[either: "type", or: "@type"]?.text) }
  }

  /// Adds the images of a canvas of version 2: `images[].resource`.
  static func addImages(
    ofVersion2 canvas: JSONValue, _ others: inout OtherContent, into collector: inout EntryCollector
  ) {
    let title = canvas["label"].flatMap(IIIFLabel.text)
    var count = 0
    for annotation in canvas["images"]?.elements ?? [] {
      for resource in annotation["resource"]?.elements ?? [] {
        count &+= 1
        add(resource, title: title, &others, into: &collector)
      }
    }
    if count == 0 { others.add(emptyCanvas: nil) }
  }

  /// An annotation without a motivation is treated as painting, as viewers do.
  private static func isPainting(_ annotation: JSONValue) -> Bool {
    guard let motivations = annotation["motivation"]?.elements else { return true }
    return motivations.contains { $0.text == "painting" || $0.text == "sc:painting" }
  }

  private static func add(
    _ body: JSONValue, title: String?, _ others: inout OtherContent,
    into collector: inout EntryCollector
  ) {
    let content = content(of: body)
    let type = content[either: "type", or: "@type"]?.text
    let service = (content["service"]?.elements ?? []).lazy.compactMap(imageService).first
    guard service != nil || content.text != nil || isImage(content, type) else {
      return others.add(type ?? "unknown type")
    }
    var draft = EntryDraft()
    draft.title = title
    if let service {
      draft.url = base(ofService: service) + ResourceLocation.imageServiceFragment
      // Some services have no description, but deliver the image that the manifest names.
      if let id = content[either: "id", or: "@id"]?.text, isFullImage(id) { draft.addMirror(id) }
    } else {
      draft.url = content.text ?? content[either: "id", or: "@id"]?.text
      if draft.url == nil { draft.fail("has an image without an \"id\"") }
    }
    collector.addEntry(draft)
  }

  /// Returns the content of a body: the first alternative of a choice, and the source of a selection.
  private static func content(of body: JSONValue) -> JSONValue {
    var content = body
    // A choice may contain a selection and the reverse; deeper nesting has no meaning.
    for _ in 0..<4 {
      let next: JSONValue? =
        switch content[either: "type", or: "@type"]?.text {
        case "Choice": content["items"]?.elements.first
        case "oa:Choice": content["default"] ?? content["item"]?.elements.first
        case "SpecificResource": content["source"]
        case "oa:SpecificResource": content["full"]
        default: nil
        }
      guard let next else { break }
      content = next
    }
    return content
  }

  private static func isImage(_ content: JSONValue, _ type: String?) -> Bool {
    if let format = content["format"]?.text { return format.lowercased().hasPrefix("image/") }
    return type == "Image" || type == "dctypes:Image" || type == "dcterms:Image"
  }

  /// Returns the identifier of a service if it is an image service. Version 3 names its type; a service of
  /// version 2 is recognized by its vocabulary or its profile.
  private static func imageService(_ service: JSONValue) -> String? {
    guard let id = service[either: "id", or: "@id"]?.text, !id.isEmpty else { return nil }
    let type = service[either: "type", or: "@type"]?.text ?? ""
    if type.hasPrefix("ImageService") || type == "iiif:ImageProfile" || type == "iiif:Image" {
      return id
    }
    let marks =
      (service["@context"]?.elements ?? []) + (service["profile"]?.elements ?? [])
    return marks.contains { $0.text.map(isImageAPI) ?? false } ? id : nil
  }

  private static func isImageAPI(_ text: String) -> Bool {
    ["iiif.io/api/image/", "library.stanford.edu/iiif/image-api/"].contains { part in
      ["http://", "https://"].contains {
        text.hasPrefix($0 + part) || text.hasPrefix($0 + "www." + part)
      }
    }
  }

  /// Whether a URL is a request for the whole image in its full size (Image API 3.0 §4, 2.1 §4, 1.1 §4). Another
  /// size would replace the image when its service fails for a moment.
  private static func isFullImage(_ url: String) -> Bool {
    let parts = url.utf8.split(separator: UInt8(ascii: "/")).suffix(4).map { String($0) ?? "" }
    guard parts.count == 4, parts[0] == "full", parts[1] == "full" || parts[1] == "max",
      parts[2] == "0"
    else { return false }
    return ["default.", "native."].contains { parts[3].hasPrefix($0) }
  }

  /// Returns the base URI of a service. Some manifests name its description instead.
  private static func base(ofService id: String) -> String {
    var base = id[...]
    if let mark = base.utf8.firstIndex(of: UInt8(ascii: "#")) { base = base[..<mark] }
    if base.hasSuffix("/info.json") { base = base.dropLast("/info.json".count) }
    while base.utf8.last == UInt8(ascii: "/") { base = base.dropLast() }
    return String(base)
  }
}

/// Counts the content of a document that is not an image.
struct OtherContent: Sendable {
  private var counts: [(type: String, count: Int)] = []
  private var emptyCount = 0
  /// The number of contents whose type is not in `counts`, because a document may name any number of types.
  private var restCount = 0

  private static let maximumTypes = 8

  mutating func add(_ type: String) {
    if let index = counts.firstIndex(where: { $0.type == type }) {
      counts[index].count &+= 1
    } else if counts.count < Self.maximumTypes {
      counts.append((type, 1))
    } else {
      restCount &+= 1
    }
  }

  /// - Parameter type: The type of a canvas without content; nil for a canvas of version 2.
  mutating func add(emptyCanvas type: String?) {
    if let type, type != "Canvas", type != "sc:Canvas" { add(type) } else { emptyCount &+= 1 }
  }

  /// The sentence that reports all of it; nil if everything was an image.
  var sentence: String? {
    var parts = counts.map { "\($0.count) of type \(Excerpt.quote($0.type))" }
    if restCount > 0 { parts.append("\(restCount) of other types") }
    var clauses: [String] = []
    if !parts.isEmpty {
      clauses.append("content other than images is left out: \(parts.joined(separator: ", "))")
    }
    if emptyCount > 0 { clauses.append("\(emptyCount) canvases have no image") }
    return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
  }
}
