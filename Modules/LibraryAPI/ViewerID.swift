/// Identifies a viewer, such as a window, while its visible range changes.
public struct ViewerID: Hashable, Sendable {
  public let rawValue: UInt64
  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
