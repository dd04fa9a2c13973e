import SystemCalls

extension LibraryOpener {
  /// Whether this machine has a font for text that brings none: labels of contact sheets, and pages of
  /// documents without fonts of their own. Blocks.
  public static var hasFonts: Bool {
    let home = Machine.environment("HOME") ?? ""
    return Fonts.areIn(
      ["/usr/share/fonts", "/usr/local/share/fonts"]
        + (home.isEmpty ? [] : [home + "/.fonts", home + "/.local/share/fonts"]))
  }
}

/// Looks for fonts where fontconfig does.
enum Fonts {
  /// The package that brings some.
  static let package = "fonts-dejavu-core"

  private static let suffixes = [".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pfa", ".t1"]
  /// Folders that are looked into at most: those of a machine without fonts are few.
  private static let mostFolders = 2_000

  /// Whether one is in one of these folders or below it, compressed or not.
  static func areIn(_ folders: [String]) -> Bool {
    var folders = folders
    var count = 0
    while let folder = folders.popLast(), count < mostFolders {
      count += 1
      for entry in (try? FileSystem.list(folder)) ?? [] {
        let name = entry.name.lowercased()
        let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name[...]
        let path = "\(folder)/\(entry.name)"
        let kind = (try? FileSystem.status(path))?.kind
        if kind == .folder { folders.append(path) }
        if kind == .file, suffixes.contains(where: { plain.hasSuffix($0) }) { return true }
      }
    }
    return false
  }
}
