public import Models
import SystemCalls

/// Combines the layers of settings. In order of increasing precedence these are: built-in values,
/// `http_proxy` and similar variables, the files in `$XDG_CONFIG_DIRS` and `$XDG_CONFIG_HOME`, the library's
/// own file, the environment, and flags.
public struct SettingsLoader: Sendable {
  private let environment: [String: String]
  private let home: String?
  private let workingFolder: String?

  /// - Parameters:
  ///   - environment: The environment of the process; tests pass another one.
  ///   - home: The home folder of the user; nil if none is known.
  ///   - workingFolder: The absolute path to which relative paths in the environment and in flags refer; nil if the
  ///     folder does not exist any more, so that relative paths are refused.
  ///     Relative paths in a file refer to the folder of the file.
  public init(
    environment: [String: String] = SettingsLoader.processEnvironment,
    home: String? = SettingsLoader.homeFolder,
    workingFolder: String? = SettingsLoader.workingFolder
  ) {
    self.environment = environment
    self.home = home
    self.workingFolder = workingFolder
  }

  /// The working directory of the process; nil if it does not exist any more.
  public static var workingFolder: String? { try? FileSystem.workingFolder() }

  /// The home folder of the user, also without `HOME`; nil if none is known.
  public static var homeFolder: String? { Machine.homeFolder }

  public static var processEnvironment: [String: String] {
    var variables: [String: String] = [:]
    for entry in Machine.environment {
      guard let equals = entry.firstIndex(of: "=") else { continue }
      variables[String(entry[..<equals])] = String(entry[entry.index(after: equals)...])
    }
    return variables
  }

  /// A command-line flag that sets a setting.
  public struct Flag: Sendable, Equatable {
    public var key: String
    public var value: SettingValue
    /// The flag as the user types it, such as `--set`.
    public var flag: String

    public init(_ key: String, _ value: SettingValue, _ flag: String) {
      self.key = key
      self.value = value
      self.flag = flag
    }
  }

  /// Loads the settings from all layers.
  /// - Parameters:
  ///   - library: The library's folder; the settings file in it may be missing.
  ///   - flags: The flags in their order on the command line; the last one for a key takes precedence.
  public func load(
    library: String, flags: [Flag] = []
  ) throws(SettingError) -> LoadedSettings {
    var loaded = LoadedSettings()
    try applyProxies(to: &loaded)
    for path in files(library: library) {
      let isOfLibrary = path.hasPrefix(library + "/")
      try SettingsFile.apply(
        path, in: isOfLibrary ? ConfinedFolder(library) : nil,
        at: basePath(of: FileSystem.parentFolder(of: path)), to: &loaded)
    }
    try applyEnvironment(to: &loaded)
    for flag in flags {
      let value = try basePath(of: workingFolder).absolute(flag.value, of: flag.key)
      try loaded.set(flag.key, to: value, from: .flag(flag.flag))
    }
    return loaded
  }

  private func basePath(of folder: String?) -> SettingBasePath {
    SettingBasePath(folder, workingFolder: workingFolder, home: home)
  }

  /// Reads the proxy variables that many programs share. `HTTP_PROXY` is left out, because a CGI server sets
  /// it to the value of a request's `Proxy` header field, which an attacker controls.
  private func applyProxies(to loaded: inout LoadedSettings) throws(SettingError) {
    for (key, names) in [
      ("network.httpProxy", ["http_proxy", "all_proxy", "ALL_PROXY"]),
      ("network.httpsProxy", ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]),
      ("network.noProxy", ["no_proxy", "NO_PROXY"]),
    ] {
      guard let name = names.first(where: { variable($0) != nil }), let text = variable(name) else {
        continue
      }
      try loaded.set(key, to: .text(text), from: .environment(name))
    }
  }

  /// Returns the paths of all settings files, from the lowest to the highest precedence.
  public func files(library: String) -> [String] {
    let system = (variable("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(separator: ":")
      .filter { $0.hasPrefix("/") }.reversed().map { "\($0)/imgdl/config.json" }
    let user = absolute("XDG_CONFIG_HOME") ?? home.map { "\($0)/.config" }
    return system + (user.map { ["\($0)/imgdl/config.json"] } ?? []) + [
      "\(library)/.imgdl/config.json"
    ]
  }

  /// Returns the path of the library: that of the flag `--library`, or else `IMGDL_LIBRARY`, or else
  /// `$XDG_DATA_HOME/imgdl/library`.
  /// - Throws: if the path depends on the home folder, and none is known.
  public func library(_ flag: String?) throws(SettingError) -> String {
    if let flag { return flag }
    if let path = variable("IMGDL_LIBRARY") { return path }
    guard let data = absolute("XDG_DATA_HOME") ?? home.map({ "\($0)/.local/share" }) else {
      throw SettingError(
        "HOME is not set, and the user has no home folder; name the library with --library or IMGDL_LIBRARY"
      )
    }
    return "\(data)/imgdl/library"
  }

  private func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the value of an environment variable that holds an absolute path; relative paths are ignored, as
  /// the XDG Base Directory Specification demands.
  private func absolute(_ name: String) -> String? {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The environment variables with this project's prefix that are not settings.
  private static let otherVariables: Set<String> = [
    "IMGDL_LIBRARY", "IMGDL_HELPERS", "IMGDL_BINARY", "IMGDL_CORPUS", "IMGDL_LONG", "IMGDL_GOLDEN",
  ]

  private func applyEnvironment(to loaded: inout LoadedSettings) throws(SettingError) {
    let ours = environment.keys.filter {
      $0.hasPrefix("IMGDL_") && !Self.otherVariables.contains($0)
    }
    // Usually no such variable is set, and generating the names of all settings takes a tenth of a program's
    // start.
    if ours.isEmpty { return }
    var known = Self.otherVariables
    for key in SettingsSchema.keys {
      let name = key.environmentName
      known.insert(name)
      guard let text = environment[name] else { continue }
      let value = try basePath(of: workingFolder).absolute(.text(text), of: key.name)
      try loaded.set(key.name, to: value, from: .environment(name))
    }
    for name in ours.sorted() where !known.contains(name) {
      let nearest = Suggestion.nearest(to: name, in: known.sorted())
      loaded.warnings.append(
        "\(name) is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
  }
}
