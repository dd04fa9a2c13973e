public import Models

/// A module's entry in the catalogue: the ten lines that make its adapters known by name.
public protocol Plugin {
  static func register(in catalogue: inout Catalogue)
}

extension Port where Service == Settings {
  /// The settings that adapters are made with.
  public static var settings: Port<Settings> { Port("settings") }
}
