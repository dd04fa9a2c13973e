import Models

/// The folder to which the relative paths in one layer of settings refer.
///
/// Paths are made absolute when the settings are read, so that a later change of the working directory does
/// not affect them.
struct SettingBasePath {
  /// The absolute path of the folder; nil if it is relative to a working folder that does not exist any more.
  let folder: String?
  /// The user's home folder, which replaces `~` in `~/…`; nil means that `~` is an ordinary name.
  let home: String?

  /// - Parameter folder: The folder; if relative, it is resolved against `workingFolder`.
  init(_ folder: String?, workingFolder: String?, home: String?) {
    self.folder = folder.flatMap { folder in
      folder.hasPrefix("/") ? Self.join("", folder) : workingFolder.map { Self.join($0, folder) }
    }
    self.home = home
  }

  /// Returns the value with its path made absolute if the key is of the kind `path`. An empty value stays
  /// empty.
  /// - Throws: `SettingError` for a relative path if the folder does not exist any more.
  func absolute(_ value: SettingValue, of key: String) throws(SettingError) -> SettingValue {
    guard case .text(let path) = value, !path.isEmpty, SettingsSchema.key(key)?.kind == .path
    else { return value }
    if let home, path.hasPrefix("~/") { return .text(Self.join(home, String(path.dropFirst(2)))) }
    if path.hasPrefix("/") { return .text(Self.join("", path)) }
    guard let folder else {
      throw SettingError(
        "\(key): cannot use \(path): the working folder does not exist any more",
        isUnreadable: true)
    }
    return .text(Self.join(folder, path))
  }

  /// Joins two paths without resolving `..`, because only the file system knows the target of a symbolic link
  /// that precedes `..`.
  private static func join(_ folder: String, _ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : folder + "/" + path
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
