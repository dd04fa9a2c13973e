import Glibc
import SystemCalls
import Testing

/// Files that may contain secrets are readable by their owner only, under any umask; the user's images
/// follow the umask.
@Suite struct PermissionTests {
  private static let umasks: [UInt32] = [0o000, 0o022, 0o077]

  /// Mode of everything in `.imgdl`, of the folder itself too.
  private static func internals(_ rig: Rig) throws -> [String: UInt32] {
    let root = rig.library + "/.imgdl"
    var modes = ["": try FileSystem.status(root).mode]
    for entry in try FileSystem.list(root) {
      modes[entry.name] = try FileSystem.status(root + "/" + entry.name).mode
    }
    return modes
  }

  private static func expectPrivate(_ rig: Rig, _ comment: String) throws {
    for (name, mode) in try internals(rig) {
      #expect(mode & 0o077 == 0, "\(comment): .imgdl/\(name) has mode \(String(mode, radix: 8))")
    }
  }

  @Test(
    "the library's own files are readable by their owner only, under any umask", arguments: umasks)
  func umask(_ mask: UInt32) async throws {
    try await Rig.runWithDaemon { rig in
      let pictures = try rig.serveImages("a", 2)
      let list = try rig.write("list.txt", pictures.joined(separator: "\n"))
      let ending = try await rig.shell(
        """
        umask \(String(mask, radix: 8))
        imgdl-cli add \(list) && imgdl-cli add - <\(list) && imgdl-cli add \(rig.url("a-1.png")) &&
          imgdl-cli fetch -o fetched \(rig.url("a-1.png")) && imgdl-cli daemon start
        """)
      #expect(ending.code == 0, "\(ending.errors)")
      try Self.expectPrivate(rig, "umask \(String(mask, radix: 8))")
      let modes = try Self.internals(rig)
      #expect(modes[""] == 0o700)
      for name in ["lock", "library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
        #expect(modes[name] == 0o600, "\(name)")
      }
      // The pictures are the user's own, like what any other program writes.
      #expect(try FileSystem.status(rig.library).mode == 0o777 & ~mask)
      for name in try rig.files().keys {
        #expect(try FileSystem.status(rig.library + "/" + name).mode == 0o666 & ~mask, "\(name)")
      }
      let socket = try #require(try await rig.daemonStatus().socket)
      #expect(try FileSystem.status(socket).mode == 0o600)
      #expect(try FileSystem.status(FileSystem.parentFolder(of: socket)).mode == 0o700)
      let log = socket.dropLast(".sock".count) + ".log"
      #expect(try FileSystem.status(String(log)).mode == 0o600)
    }
  }

  @Test(
    "a library that other users can read is corrected when it is opened",
    arguments: [["list"], ["verify"], ["retry"], ["daemon", "start"]])
  func correction(_ words: [String]) async throws {
    try await Rig.runWithDaemon { rig in
      #expect(try await rig.imgdl("add", try rig.serveImages("a", 1)[0]).code == 0)
      try rig.write("library/.imgdl/config.json", "{}")
      #expect(try await rig.shell("chmod -R a+rwX library/.imgdl").code == 0)
      let ending = try await rig.imgdl(words)
      #expect(ending.code == 0, "\(ending.errors)")
      try Self.expectPrivate(rig, "\(words)")
    }
  }
}
