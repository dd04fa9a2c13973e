import JSON
import Models

/// A message of gallery-dl, from the events after its opening bracket: `[2, {…}]` begins a folder,
/// `[3, "url", {…}]` is a file, `[6, "url", {…}]` another page, `[-1, {"error": …, "message": …}]` an error. Versions
/// before 1.30 write an error as the name of its class and its text: `["HttpError", "'404 Not Found' for …"]`.
struct GalleryMessage: Sendable {
  enum Kind: Sendable {
    case error, folder, file, page
    /// A message that concerns no entry.
    case other

    init(_ number: String) {
      switch number {
      case "-1": self = .error
      case "2": self = .folder
      case "3": self = .file
      case "6": self = .page
      default: self = .other
      }
    }
  }

  private(set) var kind = Kind.other
  private(set) var draft = EntryDraft()
  /// The texts of the members that are used.
  private(set) var values: [String: String] = [:]
  /// The number of elements that have begun.
  private var element = 0
  private var depth = 0
  private var name = ""
  private var headerName = ""

  private static let members: Set<String> = [
    "filename", "extension", "num", "title", "album", "gallery", "category", "subcategory", "error",
    "message", "_http_method",
  ]

  /// - Returns: true for the closing bracket of the message.
  mutating func handle(_ event: JSONEvent) -> Bool {
    switch event {
    case .beginArray, .beginObject:
      if depth == 0 { element &+= 1 }
      depth &+= 1
    case .endArray, .endObject:
      guard depth > 0 else { return true }
      depth &-= 1
    case .key(let text):
      if depth == 1 { name = text }
      if depth == 2 { headerName = text }
    default:
      scalar(event)
    }
    return false
  }

  private mutating func scalar(_ event: JSONEvent) {
    switch (depth, event) {
    case (0, .number(let number)) where element == 0:
      kind = Kind(number)
    case (0, .string(let text)) where element == 0:
      kind = .error
      values["error"] = text
    case (0, .string(let text)) where element == 1:
      if kind == .error { values["message"] = text } else { draft.url = text }
    case (1, .string(let text)), (1, .number(let text)):
      if Self.members.contains(name) { values[name] = text }
    case (2, .string(let text)) where name == "_http_headers":
      draft.addHeader(headerName, text)
    case (2, .string(let text)) where name == "_fallback":
      draft.addMirror(text)
    default: break
    }
    if depth == 0 { element &+= 1 }
  }

  private func value(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The title of a folder: that of the work, or else the site and the kind of page.
  var title: String? {
    if let title = value("title") ?? value("album") ?? value("gallery") { return title }
    let parts = [value("category"), value("subcategory")].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// The file's entry before validation.
  var entry: EntryDraft {
    var draft = draft
    if let stem = value("filename") ?? value("num") {
      draft.name = stem + (value("extension").map { "." + $0 } ?? "")
    }
    draft.title = value("title")
    if draft.url == nil { draft.fail("has no URL") }
    if let method = values["_http_method"], method.uppercased() != "GET" {
      draft.fail("needs the request method \(Excerpt.quote(method)), which a list cannot have")
    }
    return draft
  }

  /// The error that gallery-dl reports, or its own failure, which `add --via gallery-dl` appends to its messages.
  var failure: String {
    if value("error") == "gallery-dl", let message = value("message") {
      return "gallery-dl \(message)"
    }
    let parts = [value("error"), value("message")].compactMap { $0 }
    return "gallery-dl reports " + (parts.isEmpty ? "an error" : parts.joined(separator: ": "))
  }
}

/// Converts the messages of gallery-dl to entries. Folders of the same title are one record, as gallery-dl writes
/// all files with the same folder into it.
struct GalleryMessages: Sendable {
  /// The title of the current record; nil before the first one.
  private var record: String?
  private var message: GalleryMessage?
  /// The number of open arrays and objects of an element that is not a message.
  private var skipped = 0

  /// Handles the events after the opening bracket of the array of messages.
  ///
  /// - Returns: true for the closing bracket of the array.
  mutating func handle(_ event: JSONEvent, into collector: inout EntryCollector) -> Bool {
    if message != nil {
      if message?.handle(event) == true, let complete = message {
        message = nil
        add(complete, line: nil, to: &collector)
      }
      return false
    }
    switch event {
    case .endArray where skipped == 0: return true
    case .beginArray where skipped == 0: message = GalleryMessage()
    case .endArray, .endObject: skipped &-= 1
    case .beginArray, .beginObject:
      if skipped == 0 { addForeign(event, to: &collector) }
      skipped &+= 1
    default:
      if skipped == 0 { addForeign(event, to: &collector) }
    }
    return false
  }

  private func addForeign(_ event: JSONEvent, to collector: inout EntryCollector) {
    collector.addProblem("is \(EntryReader.name(event)), not a message of gallery-dl")
  }

  mutating func add(_ message: GalleryMessage, line: Int?, to collector: inout EntryCollector) {
    switch message.kind {
    case .folder:
      guard let title = message.title.flatMap(ManifestTitle.cleaned), title != record else {
        return
      }
      record = title
      collector.items.append(.record(title: title))
    case .file:
      collector.addEntry(message.entry, line: line)
    case .page:
      collector.addProblem(
        "\(Excerpt.quote(url: message.draft.url ?? "")) is a page that gallery-dl has not resolved; "
          + "add its images with gallery-dl -J", line: line)
    case .error: collector.addProblem(message.failure, line: line)
    case .other: break
    }
  }
}
