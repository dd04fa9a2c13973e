import SystemCalls

/// The TCP sockets of another process, read from `/proc`, to determine whether the process is
/// connected to a port. URLSession does not report this, and connecting and responding have
/// separate deadlines.
struct ProcessSockets {
  /// The remote ports of established connections.
  private(set) var connected: Set<Int> = []
  private(set) var connecting: Set<Int> = []

  /// Reads the sockets of a process of the same user. A process whose `/proc` entries cannot be
  /// read counts as having no sockets.
  init(of process: Int32) {
    let own = Self.socketInodes(of: process)
    for name in ["tcp", "tcp6"] {
      let path = "/proc/\(process)/net/\(name)"
      guard let bytes = try? FileSystem.contents(of: path, limit: 64 << 20) else { continue }
      add(String(decoding: bytes, as: UTF8.self), own: own)
    }
  }

  /// - Parameters:
  ///   - table: The text of `/proc/PID/net/tcp`.
  ///   - own: The inodes of the sockets to consider.
  init(table: String, own: Set<String>) { add(table, own: own) }

  /// Returns whether the process has connections to the remote port, all of which are established.
  func isConnected(port: Int) -> Bool {
    connected.contains(port) && !connecting.contains(port)
  }

  /// Parses `/proc/PID/net/tcp`, whose first columns are number, local address, remote address and
  /// state (1 is established, 2 and 3 are connecting); the tenth column is the inode (proc(5)).
  private mutating func add(_ table: String, own: Set<String>) {
    for line in table.split(separator: "\n").dropFirst() {
      let columns = line.split(separator: " ", omittingEmptySubsequences: true)
      guard columns.count > 9, own.contains(String(columns[9])),
        let text = columns[2].split(separator: ":").last, let port = Int(text, radix: 16)
      else { continue }
      switch columns[3] {
      case "01": connected.insert(port)
      case "02", "03": connecting.insert(port)
      default: break
      }
    }
  }

  private static func socketInodes(of process: Int32) -> Set<String> {
    let folder = "/proc/\(process)/fd"
    guard let entries = try? FileSystem.list(folder) else { return [] }
    var inodes: Set<String> = []
    for entry in entries {
      guard let target = try? FileSystem.linkTarget("\(folder)/\(entry.name)") else { continue }
      if target.hasPrefix("socket:["), target.hasSuffix("]") {
        inodes.insert(String(target.dropFirst(8).dropLast()))
      }
    }
    return inodes
  }
}
