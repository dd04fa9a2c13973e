import HTTP1
import Models

/// Which part of a file a GET asks for (RFC 9110 §13 and §14).
enum Selection: Equatable {
  case whole
  case part(Range<Int64>)
  case notModified
  case unsatisfiable

  /// - Parameters:
  ///   - entityTag: the file's strong tag.
  ///   - modified: seconds since 1970.
  ///   - honoursIfRange: otherwise a range is taken as if the condition held.
  init(
    _ request: RequestHeadMessage, size: Int64, entityTag: String, modified: Int64,
    honoursIfRange: Bool = true
  ) {
    if Self.isUnchanged(request.fields, entityTag, modified) {
      self = .notModified
      return
    }
    self = .whole
    guard request.method == "GET", let range = request.fields["Range"] else { return }
    if honoursIfRange, let condition = request.fields["If-Range"] {
      guard condition == entityTag || condition == HTTPDate.format(modified) else { return }
    }
    self = Self.range(range, size: size)
  }

  /// If-None-Match, which compares weakly, goes before If-Modified-Since (§13.2.2).
  private static func isUnchanged(
    _ fields: HTTPFields, _ entityTag: String, _ modified: Int64
  ) -> Bool {
    if let tags = fields["If-None-Match"] {
      return tags.split(separator: ",").contains { member in
        let tag = member.trimmingPrefix { $0 == " " }
        return tag == "*" || tag.trimmingPrefix("W/").prefix { $0 != " " } == entityTag
      }
    }
    guard let date = fields["If-Modified-Since"].flatMap({ HTTPDate.parse($0) }) else {
      return false
    }
    return modified <= date
  }

  /// One range of bytes; several, or anything malformed, are answered with the whole (§14.2).
  private static func range(_ value: String, size: Int64) -> Selection {
    guard value.hasPrefix("bytes=") else { return .whole }
    let bounds = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2 else { return .whole }
    if bounds[0].isEmpty {
      guard let length = number(bounds[1]) else { return .whole }
      return length == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - length)..<size)
    }
    guard let first = number(bounds[0]) else { return .whole }
    if bounds[1].isEmpty { return first < size ? .part(first..<size) : .unsatisfiable }
    guard let last = number(bounds[1]), first <= last else { return .whole }
    return first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
  }

  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int64(text) ?? .max
  }
}
