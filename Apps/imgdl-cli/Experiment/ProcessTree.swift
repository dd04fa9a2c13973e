import SystemCalls

/// Reads processes and their memory from `/proc`.
enum ProcessTree {
  /// Returns the children of a process; empty if the process has ended.
  static func children(of process: Int32) -> [Int32] {
    let folder = "/proc/\(process)/task"
    guard let threads = try? FileSystem.list(folder) else { return [] }
    // `/proc` lists children by the thread that created them.
    return threads.flatMap { thread in
      words("\(folder)/\(thread.name)/children").compactMap { Int32($0) }
    }
  }

  /// Returns the process and all its descendants.
  static func members(of process: Int32) -> [Int32] {
    var members = [process]
    var next = 0
    while next < members.count {
      members += children(of: members[next]).filter { !members.contains($0) }
      next += 1
    }
    return members
  }

  /// Returns the peak memory in bytes of a process since its last `exec` (`VmHWM`); 0 if the process has
  /// ended.
  static func peakMemory(of process: Int32) -> Int64 {
    let words = words("/proc/\(process)/status")
    guard let name = words.firstIndex(of: "VmHWM:"), name + 1 < words.count else { return 0 }
    return (Int64(words[name + 1]) ?? 0) &* 1_024
  }

  private static func words(_ path: String) -> [Substring] {
    guard let bytes = try? FileSystem.contents(of: path, limit: 64 << 10) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split { $0.isWhitespace }
  }
}

/// Samples the total memory of a process and its helper programs.
///
/// The kernel records the peak of each process, so sampling misses only growth between the last sample and
/// the end of a process. Pages that processes share are counted for each of them.
struct MemoryWatch {
  private(set) var peak: Int64 = 0
  /// The time in seconds until the next sample: short at first, so that short runs are sampled, and at most a
  /// twentieth of a second.
  private(set) var interval = 0.002

  mutating func sample(at process: Int32) {
    let sum = ProcessTree.members(of: process).reduce(0) { $0 + ProcessTree.peakMemory(of: $1) }
    peak = max(peak, sum)
    interval = min(interval * 2, 0.05)
  }
}
