public import Models

/// The URLs of a series and its slices: `BASE/series` and `BASE/series/{id}/slice/{name}`.
public struct SeriesAddress: Equatable, Sendable {
  private let origin: HTTPURL.Origin
  private let path: Substring

  /// - Parameter url: BASE or `BASE/series`, with or without a final `/`; a query is dropped.
  public init(_ url: HTTPURL) {
    origin = url.origin
    var path = Self.withoutSlash(url.path)
    if path.hasSuffix("/series") { path = Self.withoutSlash(path.dropLast("/series".count)) }
    self.path = path
  }

  private static func withoutSlash(_ path: Substring) -> Substring {
    var path = path
    while path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
    return path
  }

  /// The URL of the list of slices.
  public var listing: HTTPURL { HTTPURL(origin: origin, target: path + "/series") }

  /// Returns the URL of a slice.
  /// - Parameters:
  ///   - id: The opaque identifier of the series; not empty.
  ///   - name: The opaque name of the slice; not empty.
  public func slice(id: String, name: String) -> HTTPURL {
    let id = PercentEncoding.encodeSegment(id)
    let name = PercentEncoding.encodeSegment(name)
    return HTTPURL(origin: origin, target: "\(path)/series/\(id)/slice/\(name)")
  }
}
