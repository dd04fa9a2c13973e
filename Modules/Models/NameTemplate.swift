/// A template for the part of a file's name that follows its number: `{title}`, `{host}-{index:04}`.
///
/// The result is a label, never a path: like every name from a server or a list, it is sanitized by
/// `SafeName`.
public struct NameTemplate: Sendable, Equatable {
  public enum Field: String, Sendable, CaseIterable {
    /// The number of the resource in its record, from 1.
    case index
    /// The title from the list, or `name` if there is none.
    case title
    /// The last component of the URL's path without its extension.
    case name
    /// The last component of the URL's path.
    case filename
    /// The folders of the URL's path, joined by hyphens, since a name has no folders.
    case path
    case host
    /// The title of the record.
    case record
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    /// A field; a number is padded with zeros to `width` digits.
    case field(Field, width: Int)
  }

  /// The template as the user wrote it.
  public let text: String
  private var parts: [Part] = []

  /// The longest template, in bytes.
  public static let maximumLength = 200

  /// Parses a template; `{{` and `}}` stand for braces. A number at the beginning is dropped, because every
  /// file name already begins with it.
  public init(_ text: String) throws(NameTemplateError) {
    self.text = text
    guard !text.isEmpty else { throw NameTemplateError("it is empty") }
    guard text.utf8.count <= Self.maximumLength else {
      throw NameTemplateError("it is longer than \(Self.maximumLength) bytes")
    }
    var rest = text[...]
    var literal = ""
    while let character = rest.popFirst() {
      guard character == "{" || character == "}" else {
        literal.append(character)
        continue
      }
      if rest.first == character {
        literal.append(rest.removeFirst())
        continue
      }
      guard character == "{" else { throw NameTemplateError("a } has no { before it") }
      guard let end = rest.firstIndex(of: "}") else {
        throw NameTemplateError("a { has no } after it")
      }
      if !literal.isEmpty { parts.append(.text(literal)) }
      literal = ""
      parts.append(try Self.field(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    if !literal.isEmpty { parts.append(.text(literal)) }
    dropLeadingNumber()
    guard !parts.isEmpty else {
      throw NameTemplateError(
        "it contains only the number, with which every file name begins anyway")
    }
  }

  private static func field(_ text: Substring) throws(NameTemplateError) -> Part {
    let pieces = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let field = Field(rawValue: String(pieces[0])) else {
      let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
      throw NameTemplateError("{\(text)} is not a field; the fields are \(names)")
    }
    guard pieces.count > 1 else { return .field(field, width: 0) }
    guard field == .index, let width = Int(pieces[1]), (1...20).contains(width) else {
      throw NameTemplateError("{\(text)}: only {index} has a width, from 1 to 20, as {index:04}")
    }
    return .field(field, width: width)
  }

  private mutating func dropLeadingNumber() {
    guard case .field(.index, _)? = parts.first else { return }
    parts.removeFirst()
    guard case .text(let text)? = parts.first else { return }
    let rest = text.drop { "-_. ".contains($0) }
    if rest.isEmpty { parts.removeFirst() } else { parts[0] = .text(String(rest)) }
  }

  /// Returns the label of a resource.
  /// - Parameters:
  ///   - index: The number of the resource in its record, from 1.
  ///   - title: The title from the list, or nil if there is none.
  ///   - record: The record's title.
  public func label(index: Int, title: String?, url: HTTPURL, record: String) -> String {
    var label = ""
    for part in parts {
      switch part {
      case .text(let text): label += text
      case .field(.index, let width):
        let digits = "\(index)"
        label += String(repeating: "0", count: max(0, width - digits.count)) + digits
      case .field(.title, _): label += title ?? Self.name(url)
      case .field(.name, _): label += Self.name(url)
      case .field(.filename, _): label += url.lastPathComponent
      case .field(.path, _): label += Self.folders(url)
      case .field(.host, _): label += url.host
      case .field(.record, _): label += record
      }
    }
    return label
  }

  private static func folders(_ url: HTTPURL) -> String {
    url.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .filter { !$0.isEmpty }
      .map { PercentEncoding.decode(String($0)) }.joined(separator: "-")
  }

  private static func name(_ url: HTTPURL) -> String {
    let last = url.lastPathComponent
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }
}

/// The reason why a text is not a valid name template.
public struct NameTemplateError: Error, Equatable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
