import Rendering
import SystemCalls

/// The folders that a confined worker may read.
enum ReadableFolders {
  /// Returns the folders for a profile: those of fonts, of fontconfig's configuration and cache, and of
  /// poppler-data, which the text of a PDF without embedded fonts needs. No other worker may read any file.
  static func paths(for profile: SandboxProfile) -> [String] {
    guard profile.readsFonts else { return [] }
    let system = [
      "/usr/share/fonts", "/usr/local/share/fonts", "/etc/fonts", "/usr/share/fontconfig",
      "/var/cache/fontconfig", "/usr/share/poppler",
    ]
    guard let home = Machine.homeFolder else { return system }
    return system + [
      home + "/.fonts", home + "/.local/share/fonts", home + "/.config/fontconfig",
      home + "/.cache/fontconfig",
    ]
  }
}
