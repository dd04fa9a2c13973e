import Models

/// How the user asks to read a source: its format, and the columns of a table.
public struct SourceForm: Sendable, Equatable {
  /// The format; nil if it is recognised by content.
  public var format: ManifestFormat?
  public var columns: ListColumns

  public init(format: ManifestFormat? = nil, columns: ListColumns = ListColumns()) {
    self.format = format
    self.columns = columns
  }

  /// The form as one line of text, such as `csv` or `csv?url=image%20url&sha256=4`; nil if everything is
  /// recognised by content. A program that does not know the columns recognises the format by content.
  public var text: String? {
    let members = [
      ("url", columns.url), ("name", columns.name), ("title", columns.title),
      ("sha256", columns.sha256),
    ].compactMap { name, value in
      value.map { "\(name)=\(PercentEncoding.encodeSegment($0))" }
    }
    guard !members.isEmpty else { return format?.rawValue }
    return (format?.rawValue ?? "") + "?" + members.joined(separator: "&")
  }

  /// Parses the text of a form. Unknown parts are ignored.
  public init(text: String?) {
    self.init()
    let parts = (text ?? "").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    format = parts.first.flatMap { ManifestFormat(rawValue: String($0)) }
    guard parts.count == 2 else { return }
    for part in parts[1].split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2 else { continue }
      let value = PercentEncoding.decode(pair[1])
      switch pair[0] {
      case "url": columns.url = value
      case "name": columns.name = value
      case "title": columns.title = value
      case "sha256": columns.sha256 = value
      default: break
      }
    }
  }
}
