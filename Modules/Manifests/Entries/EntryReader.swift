import JSON
import Models

/// Reads the events of one entry: a string, or an object with `url` and optional `title`, `sha256` or another checksum
/// (`md5`, `sha1`, `sha224`, `sha384`, `sha512`), `headers`, `mirrors` and `bytes`, the size as a hint. Other members
/// are skipped, and so are other checksums than `sha256` that are not in hexadecimal digits; of members with the same
/// name the last one is used.
struct EntryReader: Sendable {
  private enum Field: Equatable {
    case url, title, sha256, headers, mirrors, bytes, other
    case checksum(Checksum.Algorithm)
  }

  private var draft = EntryDraft()
  private var depth = 0
  private var isArray = false
  private var field = Field.other
  private var headerName = ""

  /// - Returns: The entry after its last event, and nil after earlier events.
  mutating func handle(_ event: JSONEvent) -> EntryDraft? {
    switch event {
    case .beginObject, .beginArray:
      enterContainer(event)
      return nil
    case .endObject, .endArray:
      depth &-= 1
      guard depth == 0 else { return nil }
      return complete()
    default:
      break
    }
    if depth == 0 { return Self.scalar(event) }
    if !isArray { member(event) }
    return nil
  }

  /// Returns the entry for a value that is neither an object nor an array.
  static func scalar(_ event: JSONEvent) -> EntryDraft {
    if case .string(let text) = event {
      var draft = EntryDraft()
      draft.url = text
      return draft
    }
    return .faulty("is \(name(event)), not a URL")
  }

  /// Returns the name of a value's type with its article.
  static func name(_ event: JSONEvent) -> String {
    switch event {
    case .beginArray, .endArray: "an array"
    case .beginObject, .endObject: "an object"
    case .bool: "true or false"
    case .null: "null"
    case .number: "a number"
    case .string, .key: "a string"
    }
  }

  private mutating func enterContainer(_ event: JSONEvent) {
    if depth == 0 {
      isArray = event == .beginArray
      if isArray { draft.fail("is an array inside the array, not a URL") }
    } else if depth == 1, !isArray {
      nested(event)
    } else if depth == 2, field == .headers {
      draft.fail("the header \(Excerpt.quote(headerName)) is \(Self.name(event)), not a string")
    }
    depth &+= 1
  }

  private mutating func nested(_ event: JSONEvent) {
    switch field {
    case .url: draft.fail("its \"url\" is \(Self.name(event)), not a string")
    case .sha256: draft.fail("its \"sha256\" is \(Self.name(event)), not a string")
    case .headers:
      draft.headers = HTTPFields()
      if event == .beginArray { draft.fail("its \"headers\" are an array, not an object") }
    case .mirrors:
      draft.removeMirrors()
      // The members of an object are not mirrors.
      if event != .beginArray { field = .other }
    // A title that is not a string does not prevent the download.
    case .title, .bytes, .checksum, .other: break
    }
  }

  private mutating func member(_ event: JSONEvent) {
    switch (depth, event) {
    case (1, .key(let name)):
      field = Self.field(name)
    case (1, .string(let text)):
      assign(text)
    case (1, .null):
      if field == .url { draft.url = nil }
    case (1, .number(let digits)) where field == .bytes:
      draft.byteCount = Int64(digits).flatMap { $0 >= 0 ? $0 : nil }
    case (1, _):
      if [.url, .sha256, .headers].contains(field) {
        draft.fail("its \"\(field)\" is \(Self.name(event)), not a string")
      }
    case (2, .key(let name)):
      headerName = name
    case (2, .string(let value)) where field == .headers:
      // One field more than allowed is kept for the check, so that a list cannot fill the memory.
      if draft.headers.count <= EntryHeaders.maximumCount {
        draft.headers.append(headerName, value)
      }
    case (2, .string(let url)) where field == .mirrors:
      draft.addMirror(url)
    case (2, _) where field == .headers:
      draft.fail("the header \(Excerpt.quote(headerName)) is \(Self.name(event)), not a string")
    default:
      break
    }
  }

  private mutating func assign(_ text: String) {
    switch field {
    case .url: draft.url = text
    case .title: draft.title = text
    case .sha256: draft.checksum = EntryDraft.StatedChecksum(sha256: text)
    case .checksum(let algorithm): draft.addChecksum(algorithm, text)
    case .headers: draft.fail("its \"headers\" are a text, not an object")
    case .mirrors:
      draft.removeMirrors()
      draft.addMirror(text)
    case .bytes, .other: break
    }
  }

  private static func field(_ name: String) -> Field {
    switch name {
    case "url": .url
    case "title": .title
    case "sha256": .sha256
    case "headers": .headers
    case "mirrors": .mirrors
    case "bytes": .bytes
    case "md5": .checksum(.md5)
    case "sha1": .checksum(.sha1)
    case "sha224": .checksum(.sha224)
    case "sha384": .checksum(.sha384)
    case "sha512": .checksum(.sha512)
    default: .other
    }
  }

  private mutating func complete() -> EntryDraft {
    if draft.url == nil { draft.fail("has no \"url\"") }
    let complete = draft
    self = EntryReader()
    return complete
  }
}
