import Models

/// Where a value of a setting was written down: what its path begins at.
///
/// Paths become absolute when they are read, so that they mean the same wherever the program goes later.
struct SettingBasePath {
  /// Absolute.
  let folder: String
  /// The user's home folder, for `~/`; nil means that is a name like others.
  let home: String?

  /// - Parameter folder: relative to `workingFolder` if it is relative itself.
  init(_ folder: String, workingFolder: String, home: String?) {
    self.folder = Self.join(workingFolder, folder)
    self.home = home
  }

  /// The value with its path made absolute, if the key is one of a path; empty stays empty.
  func absolute(_ value: SettingValue, of key: String) -> SettingValue {
    guard case .text(let path) = value, !path.isEmpty, SettingsSchema.key(key)?.kind == .path
    else { return value }
    if let home, path.hasPrefix("~/") { return .text(Self.join(home, String(path.dropFirst(2)))) }
    return .text(Self.join(folder, path))
  }

  /// `..` stays: only the file system knows where it leads behind a link.
  private static func join(_ folder: String, _ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : folder + "/" + path
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
