/// The images that a page shows, compared with those that programs make of them for social networks.
struct ShownImages {
  private let urls: Set<String>
  private let identifiers: Set<URLShape.Bytes>

  init(_ urls: [String]) {
    self.urls = Set(urls.map { $0.lowercased() })
    identifiers = urls.reduce(into: []) { $0.formUnion(URLShape($1).identifiers) }
  }

  /// Whether a program makes the image with a URL of a shown one: its query has the URL of the shown one,
  /// or the identifier of it.
  func haveSource(of url: String) -> Bool {
    let shape = URLShape(url)
    if let inner = shape.innerURL { return urls.contains(inner) }
    guard !shape.isImageFile else { return false }
    return shape.parameters.contains { identifiers.contains($0.value) }
  }
}
