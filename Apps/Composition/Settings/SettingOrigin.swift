public import Models

/// The layer from which a setting's value was read.
public enum SettingOrigin: Sendable, Equatable, CustomStringConvertible {
  case builtIn
  case file(String)
  case environment(String)
  case flag(String)

  public var description: String {
    switch self {
    case .builtIn: "built-in"
    case .file(let path): path
    case .environment(let name): "environment \(name)"
    case .flag(let flag): "flag \(flag)"
    }
  }
}

/// Settings, with the layer from which each value was read.
public struct LoadedSettings: Sendable, Equatable {
  public private(set) var settings = Settings()
  private var origins: [String: SettingOrigin] = [:]
  /// Warnings about environment variables that have this project's prefix but name no setting.
  public internal(set) var warnings: [String] = []

  public init() {}

  public func origin(of key: String) -> SettingOrigin { origins[key] ?? .builtIn }

  /// The names of the settings whose values come from the command line.
  public var fromFlags: Set<String> {
    Set(origins.filter { if case .flag = $0.value { true } else { false } }.keys)
  }

  /// Replaces the value of a setting by the value of a layer with higher precedence.
  public mutating func set(
    _ key: String, to value: SettingValue, from origin: SettingOrigin
  ) throws(SettingError) {
    do throws(SettingError) {
      try SettingsSchema.set(key, to: value, in: &settings)
    } catch {
      throw SettingError("\(origin): \(error)")
    }
    origins[key] = origin
  }
}
