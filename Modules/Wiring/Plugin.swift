public import Models

/// Registers the adapters of a module in the catalogue.
public protocol Plugin {
  static func register(in catalogue: inout Catalogue)

  /// The C libraries that the adapter uses, for `doctor`.
  static var libraries: [LibraryVersion] { get }
}

extension Plugin {
  public static var libraries: [LibraryVersion] { [] }
}

extension Port where Service == Settings {
  /// The port of the settings from which adapters are created.
  public static var settings: Port<Settings> { Port("settings") }
}
