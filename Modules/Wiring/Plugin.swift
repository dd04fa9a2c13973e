public import Models

/// A module's entry in the catalogue: the ten lines that make its adapters known by name.
public protocol Plugin {
  static func register(in catalogue: inout Catalogue)

  /// The C libraries that the adapter stands on, for `doctor`.
  static var libraries: [LibraryVersion] { get }
}

extension Plugin {
  public static var libraries: [LibraryVersion] { [] }
}

extension Port where Service == Settings {
  /// The settings that adapters are made with.
  public static var settings: Port<Settings> { Port("settings") }
}
