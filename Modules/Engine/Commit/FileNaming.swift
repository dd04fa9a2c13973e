import Models
import Naming

/// Names originals below their record's folder, such as `0001-name.jpg`.
enum FileNaming {
  /// The number of files per folder; larger records use subfolders of this size.
  static let folderSize = 10_000

  /// Returns the name of a resource's original, relative to the folder of its record.
  /// - Parameters:
  ///   - location: The location of the resource; its name is the label of a resource without a title.
  ///   - total: The number of resources in the record, which decides the width of the index.
  ///   - suggested: The name that the server suggests, which is used if neither the list nor the URL has one.
  ///   - limit: The length in bytes that the file system accepts.
  static func name(
    _ resource: Resource, at location: ResourceLocation, format: ResourceFormat, total: Int,
    suggested: String? = nil, limit: Int = SafeName.maximumLength
  ) -> String {
    let width = max(4, total.magnitude.decimalDigits)
    let label = label(of: resource, at: location, suggested)
    let suffix = suffix(of: label, format)
    let name = SafeName.file(
      index: resource.index, width: width, label: label, fileExtension: suffix, limit: limit)
    guard total > folderSize else { return name }
    let first = (resource.index - 1) / folderSize * folderSize + 1
    return "\(pad(first, width))-\(pad(first + folderSize - 1, width))/\(name)"
  }

  private static func label(
    of resource: Resource, at location: ResourceLocation, _ suggested: String?
  ) -> Substring {
    if let title = resource.title { return title[...] }
    let own = location.name
    // The last component of the URL of a script, such as `dl.php?id=7`, is no name of its file.
    guard let suggested, WholeBodyCheck.mayBePage(String(own)) else { return own }
    return suggested[...]
  }

  /// Returns a name, relative to the folder of a record, whose last component has at most `limit` bytes.
  static func shortened(_ name: String, to limit: Int) -> String {
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return SafeName.shortened(name, to: limit)
    }
    return name[...slash]
      + SafeName.shortened(String(name[name.utf8.index(after: slash)...]), to: limit)
  }

  /// Returns the extension of the detected format. A text or a file of unknown format gets the extension of
  /// its label, because the file may be a table or an image in an unsupported format. A text never gets the
  /// extension of a known image, document or archive format.
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
