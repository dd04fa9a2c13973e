public import Models

/// What the first bytes of a source say that it is.
public enum ManifestRecognition: Equatable, Sendable {
  /// A list: `json` (the parser tells JSON Lines and series from it by what follows) or `text`.
  case list(ManifestFormat)
  /// An archive: of lists, or a resource by itself; its entries tell.
  case archive(ResourceFormat)
  /// An image or a PDF.
  case resource(ResourceFormat)
  /// HTML.
  case webPage
  /// Text in another encoding than UTF-8, by name.
  case encoding(String)
  /// None of these.
  case unknown

  /// - Parameters:
  ///   - head: the first bytes, ``Models/ResourceFormat/sniffLength`` of them where there are so
  ///     many. Nothing at all is an empty text list.
  ///   - whole: what the complete file is as a resource, where that is known: of archives and of
  ///     markup with a long prolog the first bytes alone say too little.
  public static func recognise(
    head: [UInt8], of whole: ResourceFormat? = nil
  ) -> ManifestRecognition {
    switch whole {
    // The beginning of a self-extracting archive may be the text of a script.
    case let format? where format.kind == .archive: return .archive(format)
    case .svg: return .resource(.svg)
    case .html: return .webPage
    default: return recognise(head)
    }
  }

  private static func recognise(_ head: [UInt8]) -> ManifestRecognition {
    if head.isEmpty { return .list(.text) }
    // Before the magic numbers: a list may well contain one of those that stand anywhere.
    if let first = firstCharacter(head), "[{\"".utf8.contains(first), !head.contains(0) {
      return .list(.json)
    }
    let format = ResourceFormat(sniffing: head)
    switch format {
    case .html: return .webPage
    case .json: return .list(.json)
    case .gzip: return .archive(.gzip)
    case .text where firstCharacter(head) == UInt8(ascii: "<"): return .unknown
    case .text, .unknown:
      if let name = encoding(head) { return .encoding(name) }
      return format == .text ? .list(.text) : withStrayNULs(head) ?? .unknown
    default:
      return format.kind == .archive ? .archive(format) : .resource(format)
    }
  }

  /// A list or a web page in which a few NUL bytes stand, as programs leave them that write strings with
  /// their ends: the readers name the places. Text that is no list but for them stays unknown.
  private static func withStrayNULs(_ head: [UInt8]) -> ManifestRecognition? {
    let text = head.filter { $0 != 0 }
    guard text.count < head.count, (head.count - text.count) * 8 <= head.count else { return nil }
    switch recognise(text) {
    case .list(.text) where !namesURL(text): return nil
    case .list(let form): return .list(form)
    case .webPage: return .webPage
    default: return nil
    }
  }

  /// Whether the first line that is no comment begins with a web address.
  private static func namesURL(_ text: [UInt8]) -> Bool {
    let lines = String(decoding: text, as: UTF8.self).lowercased().split(
      whereSeparator: \.isNewline)
    let first = lines.lazy.map { $0.drop { $0.isWhitespace || $0 == "\u{feff}" } }
      .first { !$0.isEmpty && !$0.hasPrefix("#") }
    return first.map { $0.hasPrefix("http://") || $0.hasPrefix("https://") } ?? false
  }

  private static func firstCharacter(_ head: [UInt8]) -> UInt8? {
    let body = head.withoutByteOrderMark
    return body.first { $0 != 0x20 && !(0x09...0x0d).contains($0) }
  }

  /// UTF-16 and UTF-32 by their byte order mark, else by where the NULs of ASCII text would be.
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
