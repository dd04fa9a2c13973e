import Models
import Naming

/// Names originals below their record's folder, such as `0001-name.jpg`.
enum FileNaming {
  /// The number of files per folder; larger records use subfolders of this size.
  static let folderSize = 10_000

  /// - Parameter total: The number of resources in the record, which decides the width of the index.
  static func name(_ resource: Resource, format: ResourceFormat, total: Int) -> String {
    let width = max(4, total.magnitude.decimalDigits)
    let label = resource.title.map { $0[...] } ?? label(resource.url)
    let suffix = suffix(of: label, format)
    let name = SafeName.file(
      index: resource.index, width: width, label: label, fileExtension: suffix)
    guard total > folderSize else { return name }
    let first = (resource.index - 1) / folderSize * folderSize + 1
    return "\(pad(first, width))-\(pad(first + folderSize - 1, width))/\(name)"
  }

  private static func label(_ url: String) -> Substring {
    if url.hasPrefix(LocalFile.scheme) {
      return LocalFile.path(url).split(separator: "/").last ?? ""
    }
    return plainLabel(url) ?? (try? HTTPURL(url))?.lastPathComponent[...] ?? ""
  }

  /// Returns the last path component without parsing the URL; nil if the URL needs parsing.
  private static func plainLabel(_ url: String) -> Substring? {
    let bytes = url.utf8.span
    var slash = 0
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: "/"): slash = index
      // An encoding, query or fragment, or an invalid URL.
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "\\"): return nil
      case 0x21...0x7e: break
      default: return nil
      }
    }
    // The last slash must be behind those of `https://` and the host.
    guard slash >= 8 else { return nil }
    let label = bytes.extracting((slash + 1)...)
    if label.count <= 2, label.indices.allSatisfy({ label[$0] == UInt8(ascii: ".") }) {
      return label.isEmpty ? "" : nil
    }
    return url[url.utf8.index(url.startIndex, offsetBy: slash + 1)...]
  }

  /// Returns the extension of the recognised format. For an unknown format or text it is the label's: such
  /// a file may be a table, or a picture of a format unknown here. A text never gets the extension of a
  /// known picture, document or archive.
  private static func suffix(of label: Substring, _ format: ResourceFormat) -> String {
    guard format == .unknown || format == .text, let suffix = suffix(of: label) else {
      return format.fileExtension
    }
    let isPromise = ResourceFormat.allCases.contains {
      $0.kind != .other && $0.fileExtension == suffix
    }
    return format == .text && isPromise ? format.fileExtension : suffix
  }

  /// Returns the extension of a label if it is short and alphanumeric.
  private static func suffix(of label: Substring) -> String? {
    let parts = label.split(separator: ".")
    guard parts.count > 1, let last = parts.last, (1...8).contains(last.utf8.count),
      last.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) })
    else { return nil }
    return last.lowercased()
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
