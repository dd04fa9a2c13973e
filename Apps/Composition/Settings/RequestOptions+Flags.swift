public import LibraryAPI
public import Models
import Transport

extension RequestOptions {
  /// The settings that concern the program itself, and not an engine.
  private static let programKeys: Set<String> = ["background", "source.default", "tui.theme"]
  private static let fileKeys: Set<String> = ["network.cookieFile", "network.netrcFile"]

  /// Whether a setting travels with a request, so that no engine is opened with it.
  public static func travels(_ key: String) -> Bool {
    keys.contains(key) || fileKeys.contains(key)
  }

  /// The options of a command line. Files with cookies and passwords are read.
  /// - Throws: An error that names the file and the line.
  public init(flagsOf loaded: LoadedSettings) throws(SettingError) {
    self.init()
    let (given, settings) = (loaded.fromFlags, loaded.settings)
    if given.isEmpty { return }
    for name in RequestOptions.keys where given.contains(name) {
      if let key = SettingsSchema.key(name) { try set(name, to: key.value(in: settings)) }
    }
    if given.contains("network.cookieFile"), !settings.network.cookieFile.isEmpty {
      cookies = try CredentialFiles.checkedText(
        of: settings.network.cookieFile, "network.cookieFile"
      ) { text throws(CredentialFileError) in _ = try CookieFile(text) }
    }
    if given.contains("network.netrcFile"), !settings.network.netrcFile.isEmpty {
      netrc = try CredentialFiles.checkedText(
        of: settings.network.netrcFile, "network.netrcFile"
      ) { text throws(CredentialFileError) in _ = try Netrc(text) }
    }
    expectations = SettingsSchema.keys.filter {
      given.contains($0.name) && !Self.travels($0.name) && !Self.programKeys.contains($0.name)
    }.map { key in
      var option = "--set \(key.name)"
      if case .flag(let flag) = loaded.origin(of: key.name), flag != "--set" { option = flag }
      return Expectation(key.name, key.value(in: settings), option: option)
    }
  }
}
