import Models

/// The folder to which relative paths in a settings source refer.
///
/// Paths are made absolute when they are read, so that a later change of the working directory does not
/// affect them.
struct SettingBasePath {
  /// The absolute path of the folder.
  let folder: String
  /// The user's home folder, which replaces `~/`; nil means that `~` is an ordinary name.
  let home: String?

  /// - Parameter folder: The folder; a relative one is resolved against `workingFolder`.
  init(_ folder: String, workingFolder: String, home: String?) {
    self.folder = Self.join(workingFolder, folder)
    self.home = home
  }

  /// Returns the value with its path made absolute if the key is that of a path; an empty value stays
  /// empty.
  func absolute(_ value: SettingValue, of key: String) -> SettingValue {
    guard case .text(let path) = value, !path.isEmpty, SettingsSchema.key(key)?.kind == .path
    else { return value }
    if let home, path.hasPrefix("~/") { return .text(Self.join(home, String(path.dropFirst(2)))) }
    return .text(Self.join(folder, path))
  }

  /// Joins two paths without resolving `..`: behind a symbolic link, only the file system knows its target.
  private static func join(_ folder: String, _ path: String) -> String {
    let whole = path.hasPrefix("/") ? path : folder + "/" + path
    return "/" + whole.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
