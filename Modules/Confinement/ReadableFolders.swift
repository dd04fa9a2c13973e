import Rendering
import SystemCalls

/// The folders in which a worker may still read.
enum ReadableFolders {
  /// Fonts, where fontconfig keeps what it knows of them, and the tables of poppler-data: text of a
  /// PDF whose fonts are not embedded needs them. No other worker reads any file.
  static func of(_ profile: SandboxProfile) -> [String] {
    guard profile.readsFonts else { return [] }
    let system = [
      "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/fontconfig",
      "/var/cache/fontconfig", "/usr/share/poppler",
    ]
    guard let home = Machine.environment("HOME"), home.hasPrefix("/") else { return system }
    return system + [
      home + "/.fonts", home + "/.local/share/fonts", home + "/.config/fontconfig",
      home + "/.cache/fontconfig",
    ]
  }
}
