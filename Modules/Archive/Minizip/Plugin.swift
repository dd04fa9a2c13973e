import Archive
import CMinizip
public import Models
public import Wiring

/// Registers `minizip`: zip only, stored and deflated entries.
public enum MinizipPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("minizip", for: .archive) { _ in MinizipReader() }
  }

  /// minizip has no version of its own: it comes with zlib.
  public static var libraries: [LibraryVersion] {
    [LibraryVersion("minizip (zlib)", String(cString: zlibVersion()), for: "zip archives")]
  }
}
