public import Models

/// Derives the titles of records from the names of lists.
public enum ManifestTitle {
  /// The maximum number of Unicode scalars of a title, with the ellipsis at the end of a longer one.
  public static let maximumLength = 500

  private static let endings = [
    ".json", ".jsonl", ".ndjson", ".json5", ".txt", ".text", ".lst", ".list", ".urls",
    ".csv", ".tsv", ".aria2",
  ]
  /// The endings of compressed lists, behind those of lists.
  private static let compressions = [".gz", ".zst"]

  /// Returns the percent-decoded name without folders, without the extension of a list and without control
  /// and direction characters; never empty.
  ///
  /// - Parameter name: A path, a path inside an archive, or a URL.
  public static func title(forFileName name: String) -> String {
    if let url = try? HTTPURL(name) { return title(for: url) }
    return title(decoded: PercentEncoding.decode(name))
  }

  /// Returns the title of a list at a URL: its last path segment, or its host if that segment is empty.
  public static func title(for url: HTTPURL) -> String {
    let name = url.lastPathComponent
    return title(decoded: name.isEmpty ? url.host : name)
  }

  private static func title(decoded name: String) -> String {
    let segments = name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    var base = segments.last.flatMap { String($0) } ?? name
    if let list = withoutEnding(base, endings) {
      base = list
    } else if let list = withoutEnding(base, compressions).flatMap({ withoutEnding($0, endings) }) {
      base = list
    }
    return cleaned(base) ?? cleaned(name) ?? "untitled"
  }

  /// Returns a title from a list without control and direction characters and surrounding white space, at
  /// most ``maximumLength`` long; nil if it is empty. A longer title is cut between two characters, and has an ellipsis
  /// at its end.
  static func cleaned(_ text: String) -> String? {
    if isClean(text) { return text.isEmpty ? nil : text }
    var output = String.UnicodeScalarView()
    var (spaces, length) = (0, 0)
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace {
        spaces &+= 1
      } else if !Excerpt.mustEscape(scalar) {
        // A line break or a run of spaces becomes one space; at the beginning and the end it is removed.
        if spaces > 0, length > 0 {
          output.append(" ")
          length &+= 1
        }
        spaces = 0
        output.append(scalar)
        length &+= 1
        if length > maximumLength { return shortened(String(output)) }
      }
    }
    return output.isEmpty ? nil : String(output)
  }

  /// Returns the longest beginning of whole characters to which an ellipsis can be added.
  private static func shortened(_ text: String) -> String {
    var end = text.startIndex
    var length = 0
    while end < text.endIndex {
      length &+= text[end].unicodeScalars.count
      if length >= maximumLength { break }
      text.formIndex(after: &end)
    }
    // A character may have any number of combining marks.
    let beginning =
      end > text.startIndex
      ? String(text[..<end]) : String(text.unicodeScalars.prefix(maximumLength &- 1))
    return (beginning.last == " " ? String(beginning.dropLast()) : beginning) + "…"
  }

  /// Whether an ASCII text is a valid title without change, as most are, and needs no Unicode processing.
  private static func isClean(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    var last: UInt8 = 0x20
    for byte in text.utf8 {
      guard byte >= 0x20, byte < 0x7f, byte != 0x20 || last != 0x20 else { return false }
      last = byte
    }
    return text.isEmpty || last != 0x20
  }

  private static func withoutEnding(_ name: String, _ endings: [String]) -> String? {
    endings.first { HTTPFields.isSame(suffix(name, $0), $0) }
      .map { String(name.unicodeScalars.dropLast($0.utf8.count)) }
  }

  private static func suffix(_ text: String, _ ending: String) -> Substring {
    let bytes = text.utf8.suffix(ending.utf8.count)
    return text[bytes.startIndex...]
  }
}
