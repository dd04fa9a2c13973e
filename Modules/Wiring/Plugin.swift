public import Models

/// A module's registration of its adapters in the catalogue.
public protocol Plugin {
  static func register(in catalogue: inout Catalogue)

  /// The C libraries that the adapters use, which the command `doctor` lists.
  static var libraries: [LibraryVersion] { get }
}

extension Plugin {
  public static var libraries: [LibraryVersion] { [] }
}

extension Port where Service == Settings {
  /// The port of the settings from which adapters are created.
  public static var settings: Port<Settings> { Port("settings") }
}
