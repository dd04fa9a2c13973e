import Models

/// The base URLs that `xml:base` sets for an element and those in it (XML Base).
struct XMLBases: Sendable {
  private static let namespace = "http://www.w3.org/XML/1998/namespace"

  private let document: HTTPURL?
  private var bases: [(depth: Int, url: HTTPURL)] = []

  init(url: String?) { document = url.flatMap { try? HTTPURL($0) } }

  mutating func enter(_ depth: Int, _ attributes: [MarkupAttribute]) {
    let attribute = attributes.first { $0.name == "base" && $0.namespace == Self.namespace }
    guard let value = attribute?.value else { return }
    let outer = bases.last?.url ?? document
    let url = outer.map { try? $0.resolving(value) } ?? (try? HTTPURL(value))
    if let url { bases.append((depth, url)) }
  }

  mutating func leave(_ depth: Int) {
    if bases.last?.depth == depth { bases.removeLast() }
  }

  /// Returns the reference as an absolute URL if an `xml:base` applies to it, and else unchanged.
  func resolve(_ reference: String?) -> String? {
    guard let reference, let base = bases.last?.url else { return reference }
    return (try? base.resolving(reference))?.description ?? reference
  }
}
