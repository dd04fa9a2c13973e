import Foundation
import Models
import Synchronization
import SystemCalls

/// The last reading position in each record, stored in a file of the user:
/// `$XDG_STATE_HOME/imgdl/places.json`. A loss of the file affects nothing else.
final class ReadingPositions: Sendable {
  private typealias PositionTable = [String: [String: Int]]

  private let file: String
  private let positions: Mutex<PositionTable>

  init() {
    let home = Machine.homeFolder ?? "/"
    let state = Machine.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    file = (state ?? "\(home)/.local/state") + "/imgdl/places.json"
    let bytes = (try? FileSystem.contents(of: file, limit: 4 << 20)) ?? []
    let known = try? JSONDecoder().decode(PositionTable.self, from: Data(bytes))
    positions = Mutex(known ?? [:])
  }

  func position(of record: RecordID, in library: String) -> Int? {
    positions.withLock { $0[library]?["\(record)"] }
  }

  func setPosition(_ index: Int, of record: RecordID, in library: String) {
    save { $0[library, default: [:]]["\(record)"] = index }
  }

  /// Removes the positions of a library that was reset.
  func removePositions(of library: String) { save { $0[library] = nil } }

  private func save(_ change: (inout PositionTable) -> Void) {
    let now = positions.withLock { places in
      change(&places)
      return places
    }
    guard let data = try? JSONEncoder().encode(now) else { return }
    do {
      // Only the user may see which libraries exist (XDG Base Directory Specification: 0700).
      try FileSystem.makeFolders(FileSystem.parentFolder(of: file), mode: 0o700)
      try FileSystem.replace(
        file, with: [UInt8](data).span.bytes, mode: 0o600, syncing: false)
    } catch {
      // If the file cannot be written, the positions are kept in memory until the program ends.
    }
  }
}
