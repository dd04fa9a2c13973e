import Glibc
import SystemCalls
import WorkerProcess

/// `imgdl-urlsession` under a name of its own, by which one test finds its process among others.
final class LinkedHelper: Sendable {
  private let folder: String
  let path: String

  init(in parent: String) throws {
    folder = parent + "/imgdl-test-" + String(UInt64.random(in: .min ... .max), radix: 16)
    path = folder + "/imgdl-urlsession"
    try FileSystem.makeFolders(folder)
    let original = try HelperLocator().path(of: "imgdl-urlsession")
    guard symlink(original, path) == 0 else { throw SystemError.last("link", path: path) }
  }

  deinit { try? FileSystem.removeTree(folder) }

  /// The numbers of the processes that run it.
  var processes: [String] {
    let entries = (try? FileSystem.list("/proc")) ?? []
    return entries.map(\.name).filter { name in
      guard let line = try? FileSystem.contents(of: "/proc/\(name)/cmdline") else { return false }
      return line.starts(with: Array(path.utf8) + [0])
    }
  }

  /// The most memory that the process ever had resident, in bytes; nil without a process.
  var peakMemory: Int? {
    guard let process = processes.first,
      let status = try? FileSystem.contents(of: "/proc/\(process)/status")
    else { return nil }
    let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
  }
}
