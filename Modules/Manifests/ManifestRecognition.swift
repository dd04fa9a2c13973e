public import Markup
public import Models

/// The kind of a source, detected from its first bytes.
public enum ManifestRecognition: Equatable, Sendable {
  /// A list of the form `text`, or `json`, which includes JSON Lines and series until they are parsed.
  case list(ManifestFormat)
  /// An archive, whose entries determine whether it contains lists or is itself a resource.
  case archive(ResourceFormat)
  /// Data that is compressed with Zstandard, whose content determines what it is.
  case zstd
  /// An image or a PDF.
  case resource(ResourceFormat)
  /// An HTML page.
  case webPage
  /// A document of XML; the rule is nil if its first element comes later than the first bytes.
  case xml(MarkupRule?)
  /// A document of markup that is not read, with the name of its first element.
  case otherMarkup(String)
  /// Text in an encoding other than UTF-8 that is not read, with the name of the encoding. A list may also be in UTF-16.
  case encoding(String)
  /// The content is none of the known kinds.
  case unknown

  /// Detects the kind of a source.
  /// - Parameters:
  ///   - head: The first ``Models/ResourceFormat/sniffLength`` bytes, or all bytes of a shorter source.
  ///     Empty bytes are an empty text list.
  ///   - whole: The format of the complete file, if it is known, because the first bytes are not sufficient
  ///     for archives and markup with a long prolog.
  public static func recognise(
    head: [UInt8], of whole: ResourceFormat? = nil
  ) -> ManifestRecognition {
    switch whole {
    // A self-extracting archive may begin with the text of a script.
    case let format? where format.kind == .archive: return .archive(format)
    // A feed may quote the first elements of a web page or an SVG.
    case .html where XMLVocabulary(head)?.rule != nil, .svg where XMLVocabulary(head)?.rule != nil:
      return recognise(head)
    case .svg: return .resource(.svg)
    case .html: return .webPage
    default: return recognise(head)
    }
  }

  private static func recognise(_ head: [UInt8]) -> ManifestRecognition {
    if head.isEmpty { return .list(.text) }
    // JSON is detected before magic numbers, since a list may contain a magic number that is valid anywhere.
    if let first = firstCharacter(head), "[{\"".utf8.contains(first), !head.contains(0) {
      return .list(.json)
    }
    // RFC 8878 §3.1.1.
    if head.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) { return .zstd }
    let format = ResourceFormat(sniffing: head)
    if let vocabulary = XMLVocabulary(head), vocabulary.rule != nil || format == .text {
      return .xml(vocabulary.rule)
    }
    switch format {
    case .html: return .webPage
    case .json: return .list(.json)
    case .gzip: return .archive(.gzip)
    case .text where firstCharacter(head) == UInt8(ascii: "<"): return beginningWithBracket(head)
    case .text, .unknown:
      if let name = encoding(head) { return wideText(head) ?? .encoding(name) }
      return format == .text ? .list(.text) : withStrayControls(head) ?? .unknown
    default:
      return format.kind == .archive ? .archive(format) : .resource(format)
    }
  }

  /// Recognizes a list or a web page in UTF-16, as Windows PowerShell writes them; nil for other content.
  private static func wideText(_ head: [UInt8]) -> ManifestRecognition? {
    guard var decoder = UTF16Decoder(head) else { return nil }
    let kind = recognise(decoder.decode(head.span.bytes))
    switch kind {
    case .list, .webPage: return kind
    default: return nil
    }
  }

  /// The elements with which parts of web pages begin, and files of bookmarks.
  private static let pageElements: Set<String> = [
    "a", "article", "aside", "b", "base", "blockquote", "br", "center", "div", "dl", "dt", "em",
    "figure", "font", "footer", "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "i", "iframe", "img", "li", "link", "main", "meta", "nav", "noscript", "ol", "p",
    "picture", "pre", "script", "section", "small", "span", "strong", "style", "table", "tbody",
    "td", "template", "title", "tr", "u", "ul", "video",
  ]

  /// Recognizes a text whose first character is a "<": a list of URLs in angle brackets, as in mails and Markdown (RFC
  /// 3986, appendix C), a part of a web page, or other markup.
  private static func beginningWithBracket(_ head: [UInt8]) -> ManifestRecognition {
    let body = head.withoutByteOrderMark.drop { $0 == 0x20 || (0x09...0x0d).contains($0) }
    let text = String(decoding: body.prefix(64), as: UTF8.self)
    if BracketedURL.begins(text) { return .list(.text) }
    let prolog = MarkupProlog(head)
    if prolog.documentType?.lowercased().hasPrefix("netscape-bookmark") ?? false { return .webPage }
    guard let root = prolog.root, root.utf8.first.map(isNameStart) ?? false else { return .unknown }
    return pageElements.contains(root.lowercased()) ? .webPage : .otherMarkup(root)
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte | 0x20) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  /// Recognizes a list or web page with a few NUL bytes or other control characters, as written by programs that
  /// include the terminators of strings or the marks of other programs; the readers report those that matter, with
  /// their positions. The result is nil for other bytes, such as those of a file of unknown type.
  private static func withStrayControls(_ head: [UInt8]) -> ManifestRecognition? {
    let text = head.filter { !ResourceFormat.isBinaryControl($0) }
    guard text.count < head.count, (head.count - text.count) * 8 <= head.count else { return nil }
    switch recognise(text) {
    // Nearly every file of binary data has a NUL or is no UTF-8.
    case .list(.text) where !namesURL(text) && (head.contains(0) || !isUTF8(text)): return nil
    case .list(let form): return .list(form)
    case .webPage: return .webPage
    default: return nil
    }
  }

  /// Whether the bytes are UTF-8. The last character may be incomplete.
  private static func isUTF8(_ text: [UInt8]) -> Bool {
    (0..<4).contains { String(validating: text.dropLast($0), as: UTF8.self) != nil }
  }

  /// Whether the first line that is not a comment begins with a web address, or one is in the line after it, as behind
  /// the header of a table.
  private static func namesURL(_ text: [UInt8]) -> Bool {
    let lines = String(decoding: text, as: UTF8.self).lowercased().split(
      whereSeparator: \.isNewline)
    let first = lines.lazy.map { $0.drop { $0.isWhitespace || $0 == "\u{feff}" } }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }.prefix(2)
    let schemes = ["http://", "https://"]
    guard let line = first.first else { return false }
    return schemes.contains { line.hasPrefix($0) }
      || first.dropFirst().contains { row in schemes.contains { row.contains($0) } }
  }

  private static func firstCharacter(_ head: [UInt8]) -> UInt8? {
    let body = head.withoutByteOrderMark
    return body.first { $0 != 0x20 && !(0x09...0x0d).contains($0) }
  }

  /// Detects UTF-16 and UTF-32 by the byte order mark, or by the positions of NULs in ASCII text.
  static func encoding(_ head: [UInt8]) -> String? {
    if head.starts(with: [0xff, 0xfe, 0, 0]) || head.starts(with: [0, 0, 0xfe, 0xff]) {
      return "UTF-32"
    }
    if head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) { return "UTF-16" }
    let nuls = head.prefix(head.count < 8 ? 4 : 8).map { $0 == 0 }
    guard nuls.count >= 4 else { return nil }
    for (pattern, name) in [
      ([true, true, true, false], "UTF-32"), ([false, true, true, true], "UTF-32"),
      ([true, false, true, false], "UTF-16"), ([false, true, false, true], "UTF-16"),
    ] where nuls.indices.allSatisfy({ nuls[$0] == pattern[$0 % 4] }) {
      return name
    }
    return nil
  }
}
