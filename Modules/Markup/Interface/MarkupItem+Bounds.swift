import Models

extension MarkupItem {
  /// The maximum length of a URL in bytes; the same as that of `HTTPURL`.
  public static let maximumURLLength = HTTPURL.maximumLength
  /// The maximum length in bytes of a title, a name, a checksum, a policy or a problem.
  public static let maximumTextLength = 4_096
  /// The maximum number of mirrors of an entry.
  public static let maximumMirrors = 16

  /// The item with texts and lists cut to their maximum, and without values that are out of range. A URL that
  /// is too long makes the item a problem.
  public var bounded: MarkupItem {
    switch self {
    case .rule: return self
    case .base(let url): return Self.overlong(url).map { .problem($0) } ?? self
    case .title(let text): return .title(Self.cut(text))
    case .referrerPolicy(let text): return .referrerPolicy(Self.cut(text))
    case .entry(let entry):
      return Self.overlong(entry.url).map { .problem($0) } ?? .entry(entry.bounded)
    case .document(let url, _):
      return Self.overlong(url).map { .remark("links to a document that \($0)", line: nil) } ?? self
    case .nextPage(let url):
      return Self.overlong(url).map { .remark("names a next page that \($0)", line: nil) } ?? self
    case .problem(let text): return .problem(Self.cut(text))
    case .truncation(let text): return .truncation(Self.cut(text))
    case .remark(let text, let line): return .remark(Self.cut(text), line: line)
    }
  }

  /// Returns the predicate of a sentence about a URL that is too long; nil for another one.
  private static func overlong(_ url: String) -> String? {
    guard url.utf8.count > maximumURLLength else { return nil }
    // Parsers cut longer texts, so that the length itself is not known.
    return
      "has a URL of more than \(maximumURLLength) bytes, the largest length that is supported"
  }

  fileprivate static func cut(_ text: String) -> String {
    guard text.utf8.count > maximumTextLength else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      guard result.utf8.count + 4 <= maximumTextLength else { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

extension MarkupEntry {
  fileprivate var bounded: MarkupEntry {
    var entry = self
    entry.title = title.map(MarkupItem.cut)
    entry.name = name.map(MarkupItem.cut)
    entry.checksum = checksum.map(MarkupItem.cut)
    entry.referrerPolicy = referrerPolicy.map(MarkupItem.cut)
    if let count = byteCount, count < 0 { entry.byteCount = nil }
    entry.mirrors = Array(
      mirrors.lazy.filter { $0.utf8.count <= MarkupItem.maximumURLLength }
        .prefix(MarkupItem.maximumMirrors))
    return entry
  }
}
