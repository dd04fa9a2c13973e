import JSON

/// Distinguishes `{"name": url}` from other objects. Servers send objects of texts for errors, too, also with the status
/// 200, and their texts would otherwise be taken for relative URLs.
enum NameMapRecognition {
  /// Returns why an object with these members is no map of names; nil if it is one.
  /// - Parameter stated: The error that the members, also those inside of their values, state.
  static func refusal(of members: [ObjectProbe.Member], _ stated: StatedError) -> String? {
    if isErrorMessage(members) {
      return "is an error message, not a list: " + excerpt(of: members, stated)
    }
    if let reason = listRefusal(members) { return reason }
    for member in members {
      guard case .string(let text) = member.value, !isURLLike(text) else { continue }
      return "is an object, but no list: its \(Excerpt.quote(member.name)) is "
        + "\(Excerpt.quote(text)), not a URL"
    }
    return nil
  }

  /// Returns why an object has no list although it has a member for it; nil if it has no such member.
  private static func listRefusal(_ members: [ObjectProbe.Member]) -> String? {
    for member in members where ObjectProbe.lists.contains(member.name) {
      if case .string = member.value { continue }
      return "has no list: its \(Excerpt.quote(member.name)) is \(EntryReader.name(member.value))"
    }
    return nil
  }

  /// Whether a text can be the URL of an entry: an absolute one, or a relative one that is a path or the name of a file
  /// with an extension.
  static func isURLLike(_ text: String) -> Bool {
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }) else {
      return false
    }
    let start = text.prefix(8).lowercased()
    // The spaces of an absolute URL are encoded, as in the other forms of a list.
    if start.hasPrefix("http://") || start.hasPrefix("https://") { return true }
    guard !text.utf8.contains(UInt8(ascii: " ")) else { return false }
    let path = text.prefix { $0 != "?" && $0 != "#" }
    return path.utf8.contains(UInt8(ascii: "/")) || hasExtension(path)
  }

  /// Whether a file name ends with a dot and up to five letters and digits. A number such as `1.0` does not.
  private static func hasExtension(_ name: Substring) -> Bool {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else {
      return false
    }
    let suffix = name[dot...].utf8.dropFirst()
    return (1...5).contains(suffix.count)
      && suffix.allSatisfy { isDigit($0) || isLetter($0) } && suffix.contains(where: isLetter)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

  /// The members in which APIs state that there is an error.
  private static let errorNames: Set<String> = ["error", "errors", "message"]

  /// Whether the members are those of a problem document (RFC 9457), or state an error beside which there is no URL.
  private static func isErrorMessage(_ members: [ObjectProbe.Member]) -> Bool {
    let names = Set(members.map(\.name))
    let hasStatus = members.contains { member in
      if member.name == "status", case .number = member.value { true } else { false }
    }
    if hasStatus, names.contains("type") || names.contains("title") { return true }
    guard !errorNames.isDisjoint(with: names) else { return false }
    let texts = members.compactMap { member -> (name: String, text: String)? in
      if case .string(let text) = member.value { (member.name, text) } else { nil }
    }
    // The value of a member that states an error is a sentence or a code; a URL is the image of that name.
    if texts.contains(where: { errorNames.contains($0.name) && !isURLLike($0.text) }) {
      return true
    }
    return !texts.contains { !errorNames.contains($0.name) && isURLLike($0.text) }
  }

  /// The largest number of members in an excerpt.
  private static let excerptLength = 4

  private static func excerpt(of members: [ObjectProbe.Member], _ stated: StatedError) -> String {
    // The text of an error may be inside of an object.
    let isNested = members.contains { errorNames.contains($0.name) && !$0.value.isScalar }
    if isNested, let excerpt = stated.excerpt { return excerpt }
    let texts = members.compactMap { member -> String? in
      let name = Excerpt.quote(member.name)
      return switch member.value {
      case .string(let text): "\(name): \(Excerpt.quote(text, limit: Excerpt.errorLength))"
      case .number(let digits): "\(name): \(digits)"
      default: nil
      }
    }
    guard !texts.isEmpty else { return Excerpt.quote(members.first?.name ?? "") }
    return texts.prefix(excerptLength).joined(separator: ", ")
      + (texts.count > excerptLength ? ", …" : "")
  }
}
