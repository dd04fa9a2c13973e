import CSQLite
public import Models
import Persistence
public import Wiring

/// Registers `sqlite` for the `store` port.
public enum SQLiteStorePlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("sqlite", for: .store) { _ in SQLiteStoreOpening() }
  }

  public static var libraries: [LibraryVersion] {
    [LibraryVersion("SQLite", String(cString: sqlite3_libversion()), for: "the library's rows")]
  }
}
