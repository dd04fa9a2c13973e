public import Wiring

/// Where transports that need it keep temporary files; best on the file system of the library.
public struct SpoolFolder: Sendable, Equatable {
  public let path: String

  public init(_ path: String) { self.path = path }
}

extension Port where Service == SpoolFolder {
  public static var spoolFolder: Port<SpoolFolder> { Port("spoolFolder") }
}
