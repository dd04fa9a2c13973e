import Archive
public import Wiring

/// Registers `minizip`: zip only, stored and deflated entries.
public enum MinizipPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("minizip", for: .archive) { _ in MinizipReader() }
  }
}
