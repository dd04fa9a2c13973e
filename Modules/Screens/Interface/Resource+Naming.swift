import Models

extension Resource {
  /// The name from the manifest, else that of the file, else the end of the URL.
  var displayName: String {
    if let title, !title.isEmpty { return title }
    if let file, let name = file.name.split(separator: "/").last {
      // Without the number that keeps files in order.
      let rest = name.drop { $0.isNumber }
      return rest.first == "-" && rest.count > 1 ? String(rest.dropFirst()) : String(name)
    }
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").last.map(String.init) ?? url
  }

  /// The number by which every program calls a resource, or a page of it: `1:8`, `1:8.3`.
  /// - Parameters:
  ///   - page: from 0; nil means the resource has one at most.
  ///   - record: the record of the resource.
  func displayNumber(_ page: Int?, in record: RecordItem) -> String {
    "\(record.number):\(index)" + (page.map { ".\($0 + 1)" } ?? "")
  }
}
