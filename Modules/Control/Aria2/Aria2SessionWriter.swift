import Aria2

/// Decides when the session file is written, and writes it.
struct Aria2SessionWriter: Sendable {
  /// The number of downloads for which the interval between two writes grows by a second, because each write
  /// contains all downloads.
  private static let downloadsPerSecond = 10_000
  /// The interval in seconds after a failed write, so that a full disk is not reported every second.
  static let retrySeconds = 60.0

  private let file: Aria2SessionFile
  /// The number of changes that the file contains.
  private var savedCount: UInt64 = 0
  /// The time of the last write, or of the last attempt.
  private var time = -Double.infinity
  private var hasFailed = false

  init(_ file: Aria2SessionFile) { self.file = file }

  /// Whether the file lacks a change.
  func isBehind(_ machine: Aria2Machine) -> Bool { machine.changeCount != savedCount }

  /// Whether the file contains the changes up to a number.
  func contains(_ changeCount: UInt64) -> Bool { savedCount >= changeCount }

  /// Whether each change is written before the client is answered. Long sessions, and those that could not be
  /// written, are written at intervals.
  func isPrompt(_ machine: Aria2Machine) -> Bool {
    !hasFailed && machine.unfinishedCount < Self.downloadsPerSecond
  }

  /// Whether a change is to be written now.
  func isDue(_ machine: Aria2Machine, now: Double) -> Bool {
    let interval =
      hasFailed ? Self.retrySeconds : Double(machine.unfinishedCount / Self.downloadsPerSecond)
    return isBehind(machine) && now - time >= interval
  }

  /// Writes the file.
  /// - Throws: `folder` if the file cannot be written; a later call tries again.
  mutating func save(_ machine: Aria2Machine, now: Double) throws(ControlError) {
    time = now
    hasFailed = true
    try file.write(machine.sessionText)
    hasFailed = false
    savedCount = machine.changeCount
  }

  /// Writes the copy that a client has named; does nothing if none has.
  /// - Throws: `folder` if the copy cannot be written.
  func saveCopy(_ machine: Aria2Machine) throws(ControlError) {
    guard let name = machine.sessionCopyName else { return }
    try file.writeCopy(
      machine.sessionText, name: name, heading: Aria2Machine.sessionCopyHeading)
  }
}
