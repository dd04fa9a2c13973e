import Aria2
import LibraryAPI

/// Decides when the session file is written, and writes it.
struct Aria2SessionWriter: Sendable {
  /// The number of downloads for which the interval between two writes grows by a second, because each write
  /// contains all downloads.
  private static let downloadsPerSecond = 10_000
  /// The interval in seconds after a failed write, unless a call changes something, so that a full disk is not
  /// reported every second.
  static let retrySeconds = 60.0

  private let file: Aria2SessionFile
  /// The number of changes that the file contains.
  private var savedCount: UInt64 = 0
  /// The time of the last write, or of the last attempt.
  private var time = -Double.infinity
  /// The number of changes at the last attempt.
  private var attemptedCount: UInt64 = 0
  /// The failure of the last attempt.
  private(set) var failure: ControlError?

  private let report: @Sendable (Aria2Event) -> Void

  /// - Parameter report: Called for failures.
  init(_ file: Aria2SessionFile, report: @escaping @Sendable (Aria2Event) -> Void) {
    self.file = file
    self.report = report
  }

  /// Whether the file lacks a change.
  func isBehind(_ machine: Aria2Machine) -> Bool { machine.changeCount != savedCount }

  /// Whether the file contains the changes up to a number.
  func contains(_ changeCount: UInt64) -> Bool { savedCount >= changeCount }

  /// Whether each change is written before the client is answered. Long sessions are written at intervals, but a
  /// client is not told of a change that the file lacks after a failed write.
  func isPrompt(_ machine: Aria2Machine) -> Bool { failure != nil || interval(machine) == 0 }

  /// The minimum time in seconds between two writes.
  private func interval(_ machine: Aria2Machine) -> Double {
    Double(machine.unfinishedCount / Self.downloadsPerSecond)
  }

  /// Whether a change is to be written now.
  func isDue(_ machine: Aria2Machine, now: Double) -> Bool {
    let interval = failure == nil ? interval(machine) : Self.retrySeconds
    return isBehind(machine) && now - time >= interval
  }

  /// Writes the file.
  /// - Parameter reportsAgain: Whether to report the failure if the last attempt had the same.
  /// - Returns: The failure; a later call tries again.
  @discardableResult
  mutating func save(
    _ machine: Aria2Machine, now: Double, reportsAgain: Bool = true
  ) -> ControlError? {
    let earlier = failure
    time = now
    attemptedCount = machine.changeCount
    do throws(ControlError) {
      try file.write(machine.sessionText)
      failure = nil
      savedCount = machine.changeCount
    } catch {
      failure = error
      if reportsAgain || error != earlier { report(.problem(error.detail)) }
    }
    return failure
  }

  /// Writes the changes up to a number, unless the last attempt was made for them as well, or is too recent for a
  /// long session.
  /// - Returns: A sentence for the client if the file lacks the changes.
  mutating func saveChange(
    _ changeCount: UInt64, of machine: Aria2Machine, now: Double
  ) -> String? {
    guard isPrompt(machine), !contains(changeCount) else { return nil }
    if attemptedCount < changeCount, now - time >= interval(machine) {
      save(machine, now: now, reportsAgain: false)
    }
    guard let failure else { return nil }
    return "Failed to serialize session to '\(file.path)': \(failure.detail). "
      + "What the call has changed is lost if the server ends before a later write succeeds."
  }

  /// Writes the file, and the copy that a client has named, because a client asks for it.
  /// - Returns: A sentence for the client after a failure, which begins with that of aria2.
  mutating func saveForClient(_ machine: Aria2Machine, now: Double) -> String? {
    let failure = save(machine, now: now, reportsAgain: false)
    let copyFailure = saveCopy(machine)
    guard let cause = failure ?? copyFailure else { return nil }
    let copyPath = machine.sessionCopyName.map(file.copyPath)
    let path = failure == nil ? copyPath ?? file.path : file.path
    return "Failed to serialize session to '\(path)'. The cause: \(cause.detail)"
  }

  /// Writes the copy that a client has named; does nothing if none has.
  /// - Returns: The failure.
  @discardableResult
  func saveCopy(_ machine: Aria2Machine) -> ControlError? {
    guard let name = machine.sessionCopyName else { return nil }
    do throws(ControlError) {
      try file.writeCopy(
        machine.sessionText, name: name, heading: Aria2Machine.sessionCopyHeading)
      return nil
    } catch {
      report(.problem(error.detail))
      return error
    }
  }
}
