public import Models

/// A request for images, with the passwords to decode them.
public struct ImageOrder: Sendable, Equatable {
  /// The requested images by descending priority. The request replaces earlier ones: decoding of other
  /// images stops.
  public var keys: [ImageKey]
  /// The passwords of the requested encrypted documents, valid for this request alone.
  public var passwords: [ResourceID: DocumentPassword]

  /// - Parameter passwords: The passwords by resource. Passwords of resources without a key are dropped.
  public init(
    _ keys: [ImageKey] = [], passwords: [ResourceID: DocumentPassword] = [:]
  ) {
    self.keys = keys
    let ids = Set(keys.map(\.resource))
    self.passwords = passwords.filter { ids.contains($0.key) }
  }
}
