import Foundation
import Models

/// Creates the names of files and folders from indexes and untrusted labels (titles, URLs, names from servers
/// and manifests).
///
/// For every input the name is not empty, at most 200 bytes long, in NFC, and valid on every common file
/// system: it has no separator, no character that Windows reserves, no control, bidirectional or invisible
/// character and no dot or space at either end, and it is not a device name. The joiners U+200C and U+200D remain
/// between characters of scripts and emoji that need them.
public enum SafeName {
  /// The maximum length of a name in bytes of UTF-8.
  public static let maximumLength = 200

  /// Returns the name of a resource's file: `0001-name.jpg`, or `0001.jpg` without a usable label.
  /// - Parameters:
  ///   - index: The position in the record, from 1.
  ///   - width: The number of digits to which the index is padded, so that names sort in order; at most 20.
  ///   - label: The name in the URL, the response or the manifest. An extension equivalent to `fileExtension`
  ///     is removed.
  ///   - fileExtension: The extension of the detected type, without a dot. If that type is a container, an extension of
  ///     the label for a narrower type, such as `epub` for `zip`, replaces it.
  ///   - limit: The maximum length in bytes, for a file system that accepts only shorter names. Index and
  ///     extension are never shortened.
  public static func file(
    index: Int, width: Int, label: Substring, fileExtension: String, limit: Int = maximumLength
  ) -> String {
    let number = index.magnitude
    let digits = max(min(20, width), number.decimalDigits)
    let container = normalizedExtension(fileExtension)
    let type = narrowerExtension(label, of: container) ?? container
    let suffix = type.isEmpty ? 0 : 1 + type.utf8.count
    let budget = min(limit, maximumLength) - digits - 1 - suffix
    let stem = truncated(withoutExtension(sanitized(label), type: type), to: budget)
    return String(utf8Capacity: digits + 1 + stem.utf8.count + suffix) { name in
      name.append(decimal: number, width: digits)
      if !stem.isEmpty {
        name.append(UInt8(ascii: "-"))
        name.append(stem)
      }
      if !type.isEmpty {
        name.append(dot)
        name.append(type)
      }
    }
  }

  /// Returns the name of a record's folder; `untitled` without a usable title. The name never begins with a
  /// dot, so it never equals the library's own `.imgdl`.
  /// - Parameter limit: The maximum length in bytes, for a file system that accepts only shorter names.
  public static func folder(_ title: String, limit: Int = maximumLength) -> String {
    let limit = min(limit, maximumLength)
    let name = truncated(sanitized(title[...]), to: limit)
    if name.isEmpty { return "untitled" }
    return isDevice(name) ? "_" + truncated(name, to: limit - 1) : String(name)
  }

  /// Returns the name of a file within `limit` bytes: the end of the label before the extension is cut. Index
  /// and extension stay, so that names of one record stay different and in order.
  public static func shortened(_ name: String, to limit: Int) -> String {
    guard name.utf8.count > limit else { return name }
    let end = name.utf8.lastIndex(of: dot) ?? name.endIndex
    let suffix = name[end...]
    let stem = name[..<end]
    let index = stem.prefix { $0.isASCII && $0.isNumber }
    let rest = truncated(
      stem[index.endIndex...], to: limit - index.utf8.count - suffix.utf8.count)
    return rest == "-" ? "\(index)\(suffix)" : "\(index)\(rest)\(suffix)"
  }

  /// Returns a key that is equal for two names that a case-insensitive file system treats as the same name.
  ///
  /// The name is converted to upper case, because some letters become equal only there (ß and SS, σ and ς),
  /// and to lower case before, because ẞ becomes ß only there.
  public static func foldingKey(_ name: String) -> String {
    composed(name.lowercased().uppercased().lowercased())
  }
}

extension SafeName {
  /// Returns the text in NFC, without invalid characters and trimmed; the length and device names are not
  /// checked.
  private static func sanitized(_ text: Substring) -> Substring {
    if isSanitized(text) { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isSpace(scalar) {
        if scalars.last != " " { scalars.append(" ") }
      } else if isReserved(scalar) {
        scalars.append("_")
      } else if isVisible(scalar) || isJoiner(scalar) && scalars.last.map(isJoined) ?? false {
        scalars.append(scalar)
      }
    }
    return trim(composed(String(scalars))[...])
  }

  /// Whether the text is ASCII that needs no change, which is the most frequent case.
  private static func isSanitized(_ text: Substring) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices {
      let byte = bytes[index]
      guard byte > 0x20, byte < 0x7f, !isReserved(Unicode.Scalar(byte)) else { return false }
    }
    return bytes.isEmpty || bytes[0] != dot && bytes[bytes.count - 1] != dot
  }

  private static let dot = UInt8(ascii: ".")

  /// Returns the text in NFC. Foundation orders combining marks before it composes those that represent two
  /// marks (U+0F73), so a second pass may be needed; a third never changes anything.
  public static func composed(_ text: String) -> String {
    if isBelowMarks(text) { return text }
    return text.precomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
  }

  /// Whether all characters are below U+0300, the first combining mark, whose first byte is 0xCC. NFC changes
  /// none of them.
  private static func isBelowMarks(_ text: String) -> Bool {
    let bytes = text.utf8.span
    for index in bytes.indices where bytes[index] >= 0xcc { return false }
    return true
  }

  /// Whether the character is a path separator or reserved by Windows.
  private static func isReserved(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "\\", "<", ">", ":", "\"", "|", "?", "*": true
    default: false
    }
  }

  // ASCII is tested without Unicode's property tables, because nearly every label is ASCII and thousands of
  // names are created per second.

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar == " " || ("\t"..."\r").contains(scalar) : scalar.properties.isWhitespace
  }

  /// Whether the character is visible: not a control, bidirectional, zero-width or similar character.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar >= " " && scalar != "\u{7f}" }
    return switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: false
    default:
      !scalar.properties.isDefaultIgnorableCodePoint
        && !scalar.properties.isNoncharacterCodePoint
    }
  }

  /// Whether the character changes how its neighbours are joined: the zero width non-joiner, which Persian words are
  /// written with, or the zero width joiner of Indic scripts and of emoji.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200c}" || scalar == "\u{200d}"
  }

  /// Whether a joiner may follow the character: it is a letter or a mark of a script whose letters are joined, or a part
  /// of an emoji. Elsewhere, a joiner would only make two names that look alike.
  private static func isJoined(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x0600 else { return false }
    return switch scalar.properties.generalCategory {
    case .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .otherSymbol,
      .modifierSymbol:
      true
    default: scalar.properties.isEmoji
    }
  }

  /// Removes dots and spaces from both ends, and combining marks from the beginning. The function works on
  /// scalars, because a dot with a combining mark is one `Character` but still hides a file.
  private static func trim(_ text: Substring) -> Substring {
    if isSanitized(text) { return text }
    var scalars = text.unicodeScalars
    while let first = scalars.first, isDotOrSpace(first) || isMark(first) { scalars.removeFirst() }
    // A joiner at the end joins nothing.
    while let last = scalars.last, isDotOrSpace(last) || isJoiner(last) { scalars.removeLast() }
    return Substring(scalars)
  }

  private static func isDotOrSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar == " "
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return false }
    return switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .spacingMark: true
    default: false
    }
  }

  /// Returns the longest prefix of whole characters that fits into `budget` bytes, trimmed. A first character that
  /// does not fit, because it has hundreds of combining marks, is cut between them.
  private static func truncated(_ text: Substring, to budget: Int) -> Substring {
    guard text.utf8.count > budget else { return text }
    var end = text.startIndex
    var length = 0
    while end < text.endIndex {
      length += text[end].utf8.count
      if length > budget { break }
      text.formIndex(after: &end)
    }
    return trim(end > text.startIndex ? text[..<end] : beginning(of: text, within: budget))
  }

  private static func beginning(of text: Substring, within budget: Int) -> Substring {
    let scalars = text.unicodeScalars
    var end = scalars.startIndex
    var length = 0
    while end < scalars.endIndex {
      length += UTF8.width(scalars[end])
      if length > budget { break }
      scalars.formIndex(after: &end)
    }
    return Substring(scalars[..<end])
  }

  /// Groups of equivalent extensions; the first of each group is used in names.
  private static let aliases = [
    ["jpg", "jpeg", "jpe", "jfif"], ["tif", "tiff"], ["heic", "heif"], ["html", "htm"],
    ["txt", "text"], ["pnm", "ppm", "pgm", "pbm", "pfm"], ["psd", "psb"],
    ["sgi", "rgb", "rgba", "bw"],
  ]

  /// Returns the extension of a label if it is that of comics, books or documents in a container of the given type.
  /// Programs open such files by their names.
  private static func narrowerExtension(_ label: Substring, of container: String) -> String? {
    let narrower: Set<String>
    switch container {
    case "zip": narrower = zipExtensions
    case "7z": narrower = ["cb7"]
    case "rar": narrower = ["cbr"]
    case "tar": narrower = ["cbt"]
    case "pdf": narrower = ["ai"]
    default: return nil
    }
    guard let place = label.utf8.lastIndex(of: dot) else { return nil }
    let old = label[label.utf8.index(after: place)...]
    guard old.utf8.count <= 4 else { return nil }
    let lower = old.lowercased()
    return narrower.contains(lower) ? lower : nil
  }

  private static let zipExtensions: Set<String> = [
    "cbz", "epub", "docx", "docm", "dotx", "xlsx", "xlsm", "pptx", "pptm", "ppsx", "odt", "ods",
    "odp", "odg", "kra", "ora", "xps", "oxps", "key", "3mf", "kmz",
  ]

  private static func withoutExtension(_ label: Substring, type: String) -> Substring {
    // Most labels end with exactly this extension, which makes the search for an alias unnecessary.
    if let stem = stem(of: label.utf8.span, before: type.utf8.span) {
      let isTrimmed = stem > 0 && isLetterOrDigit(label.utf8.span[stem - 1])
      let name = label[..<label.utf8.index(label.startIndex, offsetBy: stem)]
      return isTrimmed ? name : trim(name)
    }
    guard let dot = label.utf8.lastIndex(of: dot) else { return label }
    let old = label[label.utf8.index(after: dot)...]
    let same = aliases.first { $0.contains(type) } ?? [type]
    return same.contains(old.lowercased()) ? trim(label[..<dot]) : label
  }

  /// Returns the number of bytes of the label before a dot and the extension `type` at its end; nil if the
  /// label does not end with them.
  private static func stem(of label: Span<UInt8>, before type: Span<UInt8>) -> Int? {
    let stem = label.count - type.count - 1
    guard stem >= 0, label[stem] == dot else { return nil }
    for index in type.indices where label[stem + 1 + index] != type[index] { return nil }
    return stem
  }

  /// Returns the lower-case letters and digits of the extension, at most 16 of them. The extensions of
  /// `ResourceFormat` are returned unchanged.
  private static func normalizedExtension(_ fileExtension: String) -> String {
    if fileExtension.utf8.count <= 16, fileExtension.utf8.allSatisfy(isLetterOrDigit) {
      return fileExtension
    }
    let letters = fileExtension.lowercased().unicodeScalars.filter { scalar in
      ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    return String(String.UnicodeScalarView(letters.prefix(16)))
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
  }

  /// Whether Windows reserves the name for a device, with or without an extension.
  private static func isDevice(_ name: Substring) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    let base = String(stem.reversed().drop { $0 == " " }.reversed())
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(base) { return true }
    guard base.count == 4, base.hasPrefix("COM") || base.hasPrefix("LPT") else { return false }
    return base.last.map { "0123456789¹²³".contains($0) } ?? false
  }
}
