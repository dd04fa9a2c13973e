public import Models

/// The pictures that are wanted, and what it takes to decode them.
public struct PictureOrder: Sendable, Equatable {
  /// The first one first; whatever else is being decoded is not wanted any more.
  public var keys: [PictureKey]
  /// Of the encrypted documents among them. They hold for this order alone.
  public var passwords: [ResourceID: DocumentPassword]

  /// - Parameter passwords: those of other documents are left out.
  public init(
    _ keys: [PictureKey] = [], passwords: [ResourceID: DocumentPassword] = [:]
  ) {
    self.keys = keys
    let ids = Set(keys.map(\.resource))
    self.passwords = passwords.filter { ids.contains($0.key) }
  }
}
