/// An event of a parser of markup. Names are in lower case for HTML and as written for XML.
public enum MarkupEvent: Sendable, Equatable {
  /// - Parameter namespace: The URI of the element's XML namespace; empty for HTML or none.
  case start(name: String, namespace: String, attributes: [MarkupAttribute])
  case text(String)
  case end(name: String)
}

/// An attribute of an element; `name` is the local name.
public struct MarkupAttribute: Sendable, Equatable {
  public var name: String
  public var namespace: String
  public var value: String

  public init(name: String, namespace: String = "", value: String) {
    self.name = name
    self.namespace = namespace
    self.value = value
  }
}
