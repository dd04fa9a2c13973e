import SystemCalls

extension LibraryOpener {
  /// Whether this machine has a font for text whose font is not embedded: the labels of contact sheets, and
  /// some pages of documents. Blocks while it searches.
  public static var hasFonts: Bool {
    let ofUser = Machine.homeFolder.map { [$0 + "/.fonts", $0 + "/.local/share/fonts"] } ?? []
    return Fonts.exist(in: ["/usr/share/fonts", "/usr/local/share/fonts"] + ofUser)
  }
}

/// Looks for fonts in the folders of fontconfig.
enum Fonts {
  /// The name of the Debian package of a suitable font.
  static let package = "fonts-dejavu-core"

  private static let suffixes = [".ttf", ".otf", ".ttc", ".otc", ".pfb", ".pfa", ".t1"]
  /// The maximum number of folders to search. A machine without fonts has only few folders to search.
  private static let maximumFolderCount = 2_000

  /// Returns whether one of the folders contains a font file, compressed or not, at any depth.
  static func exist(in folders: [String]) -> Bool {
    var folders = folders
    var count = 0
    while let folder = folders.popLast(), count < maximumFolderCount {
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
