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

  /// - Parameter head: the first bytes, ``Models/ResourceFormat/sniffLength`` of them where there
  ///   are so many. Nothing at all is an empty text list.
  public static func recognise(head: [UInt8]) -> ManifestRecognition {
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
      return format == .text ? .list(.text) : .unknown
    default:
      return format.kind == .archive ? .archive(format) : .resource(format)
    }
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
