public import Models
import SystemCalls

/// Lays the layers over each other: built-in < `http_proxy` and its like < `$XDG_CONFIG_DIRS` < `$XDG_CONFIG_HOME` < the
/// library's own file < environment < flags.
public struct SettingsLoader: Sendable {
  private let environment: [String: String]
  private let workingFolder: String

  /// - Parameters:
  ///   - environment: of the process; given, so that tests choose it.
  ///   - workingFolder: absolute; what relative paths in the environment and in flags begin at. Those of a file begin
  ///     at its own folder.
  public init(
    environment: [String: String] = SettingsLoader.processEnvironment,
    workingFolder: String = SettingsLoader.workingFolder
  ) {
    self.environment = environment
    self.workingFolder = workingFolder
  }

  /// Of the process.
  public static var workingFolder: String { FileSystem.workingFolder }

  public static var processEnvironment: [String: String] {
    var variables: [String: String] = [:]
    for entry in Machine.environment {
      guard let equals = entry.firstIndex(of: "=") else { continue }
      variables[String(entry[..<equals])] = String(entry[entry.index(after: equals)...])
    }
    return variables
  }

  /// A flag of a command line that represents a setting.
  public struct Flag: Sendable, Equatable {
    public var key: String
    public var value: SettingValue
    /// As it is typed: `--set`.
    public var flag: String

    public init(_ key: String, _ value: SettingValue, _ flag: String) {
      self.key = key
      self.value = value
      self.flag = flag
    }
  }

  /// - Parameters:
  ///   - library: its folder; the file in it need not exist.
  ///   - flags: in order; the last one of a key counts.
  public func load(
    library: String, flags: [Flag] = []
  ) throws(SettingError) -> LoadedSettings {
    var loaded = LoadedSettings()
    try applyProxies(to: &loaded)
    for path in files(library: library) {
      let isOfLibrary = path.hasPrefix(library + "/")
      try SettingsFile.apply(
        path, in: isOfLibrary ? ConfinedFolder(library) : nil,
        at: place(FileSystem.parentFolder(of: path)), to: &loaded)
    }
    try applyEnvironment(to: &loaded)
    for flag in flags {
      let value = place(workingFolder).absolute(flag.value, of: flag.key)
      try loaded.set(flag.key, to: value, from: .flag(flag.flag))
    }
    return loaded
  }

  private func place(_ folder: String) -> SettingBasePath {
    SettingBasePath(folder, workingFolder: workingFolder, home: absolute("HOME"))
  }

  /// The variables that many programs share. `HTTP_PROXY` is not among them: a server of CGI programs
  /// sets it from a field of the request.
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

  /// Every file that is looked at, weakest first.
  public func files(library: String) -> [String] {
    let system = (variable("XDG_CONFIG_DIRS") ?? "/etc/xdg").split(separator: ":")
      .filter { $0.hasPrefix("/") }.reversed().map { "\($0)/imgdl/config.json" }
    let home = variable("HOME") ?? ""
    let user = absolute("XDG_CONFIG_HOME") ?? "\(home)/.config"
    return system + ["\(user)/imgdl/config.json", "\(library)/.imgdl/config.json"]
  }

  /// `--library`, else `IMGDL_LIBRARY`, else `$XDG_DATA_HOME/imgdl/library`.
  public func library(_ flag: String?) -> String {
    if let flag { return flag }
    if let path = variable("IMGDL_LIBRARY") { return path }
    let data = absolute("XDG_DATA_HOME") ?? "\(variable("HOME") ?? "")/.local/share"
    return "\(data)/imgdl/library"
  }

  private func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The XDG specification: relative paths are invalid and ignored.
  private func absolute(_ name: String) -> String? {
    variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Variables of ours that are no settings.
  private static let otherVariables: Set<String> = [
    "IMGDL_LIBRARY", "IMGDL_HELPERS", "IMGDL_CORPUS", "IMGDL_LONG", "IMGDL_GOLDEN",
  ]

  private func applyEnvironment(to loaded: inout LoadedSettings) throws(SettingError) {
    let ours = environment.keys.filter {
      $0.hasPrefix("IMGDL_") && !Self.otherVariables.contains($0)
    }
    // Mostly there are none, and making the names of all settings takes a tenth of a program's start.
    if ours.isEmpty { return }
    var known = Self.otherVariables
    for key in SettingsSchema.keys {
      let name = key.environmentName
      known.insert(name)
      guard let text = environment[name] else { continue }
      let value = place(workingFolder).absolute(.text(text), of: key.name)
      try loaded.set(key.name, to: value, from: .environment(name))
    }
    for name in ours.sorted() where !known.contains(name) {
      let nearest = Suggestion.nearest(to: name, in: known.sorted())
      loaded.warnings.append(
        "\(name) is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
  }
}
