import SystemCalls

/// The TCP sockets of another process, by `/proc`: whether it is connected to a port yet. URLSession
/// does not tell, and "no connection" and "no answer" have deadlines of their own.
struct ProcessSockets {
  /// Ports of peers.
  private(set) var connected: Set<Int> = []
  private(set) var connecting: Set<Int> = []

  /// Looks into `/proc` of a process of our own user. What cannot be read has no sockets.
  init(of process: Int32) {
    let own = Self.socketInodes(of: process)
    for name in ["tcp", "tcp6"] {
      let path = "/proc/\(process)/net/\(name)"
      guard let bytes = try? FileSystem.contents(of: path, limit: 64 << 20) else { continue }
      add(String(decoding: bytes, as: UTF8.self), own: own)
    }
  }

  /// - Parameters:
  ///   - table: the text of `/proc/PID/net/tcp`.
  ///   - own: the inodes of the sockets that count.
  init(table: String, own: Set<String>) { add(table, own: own) }

  /// Whether every connection to the port is made, and there is one.
  func isConnected(port: Int) -> Bool {
    connected.contains(port) && !connecting.contains(port)
  }

  /// Columns: number, local address, remote address, state, …, inode is the tenth (proc(5)).
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
