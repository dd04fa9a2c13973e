public import Models

/// What a list says, in its order.
public enum ManifestItem: Equatable, Sendable {
  case entry(ManifestEntry)
  case problem(ManifestProblem)
  /// Where the list continues: the text of `next`, to be resolved against the list's own URL.
  case nextPage(String)
  /// The list is a series; its slices follow as entries.
  case series(id: String)
}

/// One resource that a list names.
public struct ManifestEntry: Equatable, Sendable {
  public let url: HTTPURL
  /// Its ``HTTPURL/description``.
  public let address: String
  /// Without control characters, never empty.
  public let title: String?
  /// The content that the list promises.
  public let sha256: Digest?
  /// To be sent with the request; see ``EntryHeaders`` for what is refused.
  public let headers: HTTPFields
  /// The place in the list, counted from 0, bad entries included.
  public let index: Int

  /// - Parameter address: its description, where that is at hand.
  public init(
    url: HTTPURL, address: String? = nil, title: String? = nil, sha256: Digest? = nil,
    headers: HTTPFields = HTTPFields(), index: Int
  ) {
    self.url = url
    self.address = address ?? url.description
    self.title = title
    self.sha256 = sha256
    self.headers = headers
    self.index = index
  }
}

/// An entry that cannot be used; the others continue.
public struct ManifestProblem: Equatable, Sendable, CustomStringConvertible {
  /// The list's name, as given to the parser.
  public let file: String
  /// The place in the list, counted from 0; nil for what is no entry, such as a bad `next`.
  public let index: Int?
  /// The line, counted from 1, in forms that have an entry on each.
  public let line: Int?
  /// One sentence with control characters escaped, at most a few hundred characters long.
  public let reason: String

  public init(file: String, index: Int?, line: Int? = nil, reason: String) {
    self.file = file
    self.index = index
    self.line = line
    self.reason = Excerpt.sentence(reason)
  }

  /// `list.json, entry 3: is a number, not a URL`; the entry is counted from 1 here.
  public var description: String {
    var place = file.isEmpty ? [] : [Excerpt.sentence(file)]
    if let line {
      place.append("line \(line)")
    } else if let index {
      place.append("entry \(index &+ 1)")
    }
    return place.isEmpty ? reason : place.joined(separator: ", ") + ": " + reason
  }
}
