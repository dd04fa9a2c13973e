import CSQLite
import Glibc
import Models

/// The rows of resources that were read or written last, so that the next change of a resource need not read its row
/// again: a download changes its row three times within a second.
///
/// Only one connection writes a library, so that its hooks tell about every other change. The class is used by the
/// thread that uses the connection.
final class RecentRows {
  private struct Entry {
    var state: ResourceRowUpdates.ResourceRowState
    /// Whether `bytes` of the state is known: its nil then means that there is no file.
    var knowsFile: Bool
  }

  private var entries = KeyTable<ResourceID, Entry>()
  /// Whether changes are those of the caller, who then adds the new states.
  private var isUpdating = false

  /// The maximum number of rows in memory, which is more than the scheduler loads.
  private static let limit = 8_192

  /// Begins to observe the changes of a connection, which must not outlive this object.
  func observe(_ handle: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    _ = sqlite3_update_hook(
      handle,
      { context, _, _, table, row in
        guard let context, let table else { return }
        Unmanaged<RecentRows>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.rowChanged(row, of: table)
        }
      }, context)
    _ = sqlite3_rollback_hook(
      handle,
      { context in
        guard let context else { return }
        Unmanaged<RecentRows>.fromOpaque(context).takeUnretainedValue().removeAll()
      }, context)
  }

  private func rowChanged(_ row: Int64, of table: UnsafePointer<CChar>) {
    // The ids of the rows of the three tables are those of resources.
    guard !isUpdating, !entries.keys.isEmpty,
      strcmp(table, "resource") == 0 || strcmp(table, "stored") == 0 || strcmp(table, "file") == 0
    else { return }
    entries.removeValue(forKey: ResourceID(row))
  }

  /// Runs changes of rows whose new states the caller adds; an error removes all rows from memory.
  func updating<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) {
    isUpdating = true
    defer { isUpdating = false }
    do throws(Failure) {
      try body()
    } catch {
      removeAll()
      throw error
    }
  }

  /// Returns the state of a row; nil if it is not in memory.
  /// - Parameter needsFile: Whether the size of the file must be known.
  func state(
    of id: Int64, needsFile: Bool
  ) -> (state: ResourceRowUpdates.ResourceRowState, knowsFile: Bool)? {
    guard let entry = entries[ResourceID(id)], entry.knowsFile || !needsFile else { return nil }
    return (entry.state, entry.knowsFile)
  }

  func set(_ state: ResourceRowUpdates.ResourceRowState, knowsFile: Bool, of id: Int64) {
    if entries.keys.count >= Self.limit { removeAll() }
    entries[ResourceID(id)] = Entry(state: state, knowsFile: knowsFile)
  }

  /// Adds a queued resource that was read.
  func add(_ resource: Resource) {
    guard resource.state == .queued, resource.file == nil else { return }
    let state = ResourceRowUpdates.ResourceRowState(
      record: resource.record.rawValue, column: .queued, isStored: false, reason: resource.reason,
      attempts: Int64(resource.attempts), pageCount: Int64(resource.pageCount),
      mustReload: resource.mustReload, isNamed: resource.isNamed)
    set(state, knowsFile: true, of: resource.id.rawValue)
  }

  func remove(_ id: Int64) { entries.removeValue(forKey: ResourceID(id)) }

  func removeAll() { entries = KeyTable() }
}
