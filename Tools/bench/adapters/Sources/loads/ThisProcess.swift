import Foundation

/// What the kernel says about this process.
enum ThisProcess {
  /// Open sockets.
  static var sockets: Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.hasPrefix("socket:") ?? false
    }.count
  }

  static var residentMegabytes: Double {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
  }
}

/// What this process has used so far.
struct Usage {
  /// Processor time in seconds.
  let processor: Double
  /// The number of voluntary context switches, which is also the number of wake-ups.
  let switches: Int

  static var now: Usage {
    var usage = rusage()
    // RUSAGE_SELF.
    getrusage(0, &usage)
    let times = [usage.ru_utime, usage.ru_stime]
    return Usage(
      processor: times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 },
      switches: usage.ru_nvcsw)
  }
}
