/// Names who looks, so that it can look elsewhere; one a window.
public struct ViewerID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
