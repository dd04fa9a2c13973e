public import Wiring

/// The folder for temporary files of transports that need them, preferably on the library's file
/// system.
public struct SpoolFolder: Sendable, Equatable {
  public let path: String

  public init(_ path: String) { self.path = path }
}

extension Port where Service == SpoolFolder {
  public static var spoolFolder: Port<SpoolFolder> { Port("spoolFolder") }
}
