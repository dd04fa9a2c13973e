import LibraryAPI
import Models
import ProgressTree

/// The room that the work of an engine lacks on a full disk.
struct DiskShortage {
  /// The number of free bytes; nil if the file system does not report it.
  let free: Int64?
  /// The number of bytes that must be free before the work can go on: the reserve, and what is known to be missing of
  /// the files being stored. More is needed for files of unknown size and for those that follow.
  let needed: Int64
  /// Whether the file system has reached the number of files that it can have.
  let lacksFiles: Bool

  /// - Parameters:
  ///   - active: The resources being downloaded, with what they have received.
  ///   - postponed: The sizes of the files that recovery could not put in place, in total.
  init(
    free: Int64?, lacksFiles: Bool = false, active: [ActiveResource], postponed: Int64
  ) {
    self.free = free
    self.lacksFiles = lacksFiles
    needed = active.reduce(DiskReserve.size.addingClamped(max(0, postponed))) { sum, resource in
      guard case .downloading(let received, let expected?) = resource.activity,
        expected > received
      else { return sum }
      return sum.addingClamped(expected - max(0, received))
    }
  }

  /// Returns an error of a full disk with these numbers.
  func describing(_ error: LibraryError) -> LibraryError {
    // The number of free bytes does not tell when there is room again.
    if lacksFiles, free ?? 0 >= needed {
      return LibraryError(
        error.code,
        "\(error.detail) (the file system has no room for further files: no free inodes)",
        underlying: error.underlying)
    }
    let numbers = [
      // Where more is free than is needed, a quota is reached, which the file system does not report.
      free.flatMap { $0 < needed ? "\(ByteText.short($0)) free" : nil },
      "at least \(ByteText.short(needed)) needed",
    ].compactMap { $0 }
    return LibraryError(
      error.code, "\(error.detail) (\(numbers.joined(separator: ", ")))",
      underlying: error.underlying, neededBytes: needed)
  }
}

extension Int64 {
  /// Returns the sum, or the largest number if it is larger.
  fileprivate func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
