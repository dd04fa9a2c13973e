/// A file that a client has uploaded.
struct UploadedFile: Sendable, Equatable {
  /// The absolute path.
  let path: String
  /// The size in bytes.
  let byteCount: Int64
  /// The name that the client gave it, for display.
  var name = ""
}

/// The uploaded files that have not been added yet. One is forgotten ten minutes after its last use, or when
/// newer ones need its place. Has no side effects: the caller deletes what was forgotten.
struct UploadTable: Sendable {
  private struct Entry {
    let file: UploadedFile
    /// The time of the last use on the server's clock, in seconds.
    var time: Double
  }

  static let keptSeconds = 600.0
  static let countLimit = 4

  private var entries: [UInt64: Entry] = [:]

  /// Adds a file.
  /// - Returns: The files that were forgotten for it.
  mutating func insert(_ file: UploadedFile, id: UInt64, now: Double) -> [UploadedFile] {
    var forgotten = removeExpired(now)
    while entries.count >= Self.countLimit,
      let oldest = entries.min(by: { $0.value.time < $1.value.time })
    {
      forgotten.append(oldest.value.file)
      entries[oldest.key] = nil
    }
    entries[id] = Entry(file: file, time: now)
    return forgotten
  }

  /// Returns a file, or nil if it was forgotten.
  mutating func file(_ id: UInt64, now: Double) -> UploadedFile? {
    guard let entry = entries[id], entry.time + Self.keptSeconds > now else { return nil }
    entries[id]?.time = now
    return entry.file
  }

  /// Removes a file that is about to be used up.
  mutating func take(_ id: UInt64, now: Double) -> UploadedFile? {
    let file = file(id, now: now)
    if file != nil { entries[id] = nil }
    return file
  }

  /// Removes the files whose time is over, and returns them.
  mutating func removeExpired(_ now: Double) -> [UploadedFile] {
    let expired = entries.filter { $0.value.time + Self.keptSeconds <= now }
    for id in expired.keys { entries[id] = nil }
    return expired.values.map(\.file)
  }

  mutating func removeAll() -> [UploadedFile] {
    defer { entries = [:] }
    return entries.values.map(\.file)
  }
}
