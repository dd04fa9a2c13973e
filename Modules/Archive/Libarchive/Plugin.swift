import Archive
public import Wiring

/// Registers `libarchive`: zip, 7z, rar and tar.
public enum LibarchivePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("libarchive", for: .archive) { _ in LibarchiveReader() }
  }
}
