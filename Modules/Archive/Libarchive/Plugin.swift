import Archive
import CLibarchive
public import Models
public import Wiring

/// Registers `libarchive`: zip, 7z, rar and tar.
public enum LibarchivePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("libarchive", for: .archive) { _ in LibarchiveReader() }
  }

  public static var libraries: [LibraryVersion] {
    [LibraryVersion("libarchive", Self.version, for: "zip, 7z, rar and tar archives")]
  }

  private static var version: String? {
    // "libarchive 3.6.2"
    archive_version_string().map { String(String(cString: $0).split(separator: " ").last ?? "") }
  }
}
