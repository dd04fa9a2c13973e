import Models

extension Resource {
  /// The title from the manifest, else the name of the file, else the last component of the URL.
  var displayName: String {
    if let title, !title.isEmpty { return title }
    if let file, let name = file.name.split(separator: "/").last {
      // The number at the start of a file's name serves only for sorting, so it is omitted.
      let rest = name.drop { $0.isNumber }
      return rest.first == "-" && rest.count > 1 ? String(rest.dropFirst()) : String(name)
    }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").last.map(String.init) ?? url
  }

  /// Returns the number by which all programs name a resource or a page of it, such as `1:8` or `1:8.3`.
  /// - Parameters:
  ///   - page: The number of the page, from 0, or nil to name the resource itself.
  ///   - record: The record of the resource.
  func displayNumber(_ page: Int?, in record: RecordItem) -> String {
    "\(record.number):\(index)" + (page.map { ".\($0 + 1)" } ?? "")
  }
}
