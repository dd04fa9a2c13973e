import Persistence
public import Wiring

/// Registers `sqlite` for the `store` port.
public enum SQLiteStorePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("sqlite", for: .store) { _ in SQLiteStoreOpening() }
  }
}
