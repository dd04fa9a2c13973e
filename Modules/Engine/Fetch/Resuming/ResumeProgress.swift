import Models

/// The numbers of resumable bytes at the beginning of one attempt and since. Pure.
struct ResumeProgress: Sendable {
  /// The state of the partial file that the attempt continues; nil for that of the job.
  private(set) var continued: PartialDownload?
  /// The number of bytes received that the next attempt can continue from.
  private(set) var gained: Int64 = 0
  /// The largest number of resumable bytes before this attempt began, and until now.
  private var longest: (before: Int64, now: Int64) = (0, 0)

  /// The largest number of resumable bytes that this attempt had.
  var longestState: Int64 { longest.now }

  /// Records the bytes from which the attempt continues. Those that it has received itself, before segments were
  /// given up, are already recorded.
  mutating func begin(with found: ResumePointReader.Found) {
    if let continued = found.continued { self.continued = continued }
    if let count = found.resumableByteCount, longest.now == 0 { longest = (count, count) }
  }

  /// Records the number of resumable bytes after a failure. Only those beyond the longest earlier state are
  /// a gain: a file that began anew, because its version changed or the server sends no ranges, could
  /// otherwise be requested without end.
  /// - Parameter earlier: The largest number of resumable bytes of the earlier attempts.
  mutating func recordState(_ byteCount: Int64, earlier: Int64) {
    longest.now = max(longest.now, byteCount)
    gained = max(0, longest.now - max(longest.before, earlier))
  }
}
