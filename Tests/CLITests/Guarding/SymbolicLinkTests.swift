import Glibc
import SystemCalls
import Testing

/// No command changes the target of a symbolic link that has replaced a file or folder of the library.
@Suite struct SymbolicLinkTests {
  /// Below the library. The first of a group stands for others like it.
  static let paths = [
    ".imgdl", ".imgdl/lock", ".imgdl/library.sqlite", ".imgdl/library.sqlite-wal",
    ".imgdl/incoming", ".imgdl/renditions", ".imgdl/renditions/AB", ".imgdl/standalone",
    ".imgdl/config.json", "list", "list/0001-a-1.png",
  ]

  private static let commands: [[String]] = [
    ["list"], ["show", "1"], ["details", "1"], ["verify", "--dry-run"], ["view", "1:1"],
    ["verify"], ["verify", "--read-data"], ["export", "1", "--format", "csv"],
    ["export", "1", "--format", "dir", "-o", "OUT"],
    ["export", "1", "--format", "cbz", "-o", "OUT"],
    ["contact-sheet", "1", "-o", "OUT"], ["add", "SECOND"], ["fetch", "-o", "OUT", "URL"],
    ["fetch", "--reload", "-o", "OUT", "URL"], ["retry"], ["refresh", "1"], ["reload", "1"],
    ["daemon", "start"], ["daemon", "status"], ["daemon", "stop"], ["remove", "1", "--yes"],
    ["reset", "--yes"],
  ]

  /// The paths that every command needs: each command refuses to run if one of them is a link.
  private static let vital = [
    ".imgdl", ".imgdl/library.sqlite", ".imgdl/library.sqlite-wal", ".imgdl/config.json",
  ]
  /// Commands that only look for an engine need these.
  private static let vitalForFinding = [".imgdl", ".imgdl/lock", ".imgdl/config.json"]

  @Test("no command changes the target of a link in the library", arguments: paths)
  func table(_ path: String) async throws {
    try await Rig.runWithDaemon { rig in
      let list = try rig.write("list.txt", try rig.serveImages("a", 3).joined(separator: "\n"))
      #expect(try await rig.imgdl("add", list).code == 0)
      #expect(try await rig.imgdl("fetch", rig.url("a-1.png"), "-o", "first").code == 0)
      let second = try rig.write(
        "second.txt", try rig.serveImages("b", 2).joined(separator: "\n"))
      #expect(
        try await rig.shell("echo '{}' > library/.imgdl/config.json; mv library base").code == 0)
      for words in Self.commands {
        let link = try await Self.prepare(rig, path)
        let before = try Self.state(of: rig.root + "/outside")
        let places = ["OUT": rig.root + "/out", "SECOND": second, "URL": rig.url("a-1.png")]
        let program = try rig.start(words.map { places[$0] ?? $0 }, terminal: Self.terminal(words))
        if words[0] == "view", await program.waits(until: { $0.contains("q: end") }) {
          try program.type("q")
        }
        let ending = await program.ending()
        rig.killDaemon()
        let text = ending.output + ending.errors
        let after = try Self.state(of: rig.root + "/outside")
        #expect(after == before, "\(words) changed what \(path) leads to: \(text)")
        #expect([0, 1, 6].contains(ending.code), "\(words) with \(path): \(text)")
        let isFinding = words[0] == "daemon" && words[1] != "start"
        if (isFinding ? Self.vitalForFinding : Self.vital).contains(path) {
          #expect(ending.code == 6, "\(words) with \(path)")
          #expect(text.contains("\(link): a symbolic link"), "\(words): \(text)")
        }
      }
    }
  }

  @Test("daemon stop refuses a lock file that is a link to the one of another library")
  func stopping() async throws {
    try await Rig.runWithDaemon { rig in
      #expect(try await rig.imgdl("daemon", "start").code == 0)
      let process = try #require(try await rig.daemonStatus().processID)
      let other = rig.root + "/other"
      try FileSystem.makeFolders(other + "/.imgdl")
      #expect(symlink(rig.library + "/.imgdl/lock", other + "/.imgdl/lock") == 0)
      let ending = try await rig.imgdl("daemon", "stop", "--library", other)
      #expect(ending.code == 6 && ending.errors.contains(".imgdl/lock: a symbolic link"))
      #expect(rig.isDaemonOfOurs(process))
      #expect(try await rig.imgdl("daemon", "stop").code == 0)
      #expect(!rig.isDaemonOfOurs(process))
    }
  }

  private static func terminal(_ words: [String]) -> (columns: Int, rows: Int)? {
    words[0] == "view" ? (80, 24) : nil
  }

  /// A library as it was, in which one path is a link to what it was, outside.
  /// - Returns: where the link is.
  private static func prepare(_ rig: Rig, _ path: String) async throws -> String {
    for name in ["library", "outside", "out"] { try FileSystem.removeTree(rig.root + "/" + name) }
    try FileSystem.makeFolders(rig.root + "/outside")
    let copied = try await rig.shell("cp -a base library")
    #expect(copied.code == 0, "\(copied.errors)")
    var path = path
    if path.hasSuffix("AB") {
      let folder = ".imgdl/renditions"
      let first = try #require(try FileSystem.list(rig.library + "/" + folder).first)
      path = folder + "/" + first.name
    }
    let (link, target) = (rig.library + "/" + path, rig.root + "/outside/target")
    if FileSystem.exists(link) {
      try FileSystem.rename(link, to: target)
    } else {
      // SQLite removes its log when it closes the database.
      try FileSystem.replace(target, with: "somebody's", syncing: false)
    }
    #expect(symlink(target, link) == 0)
    return link
  }

  /// Path → what would tell of any change, times included.
  private static func state(of folder: String) throws -> [String: String] {
    var state: [String: String] = [:]
    for entry in try FileSystem.list(folder) {
      let path = folder + "/" + entry.name
      let status = try FileSystem.status(path, followingLinks: false)
      let digest = status.kind == .file ? try Rig.digest(path) : ""
      state[path] = "\(status.modified) \(status.mode) \(status.size) \(status.linkCount) \(digest)"
      if status.kind == .folder { state.merge(try Self.state(of: path)) { $1 } }
    }
    return state
  }
}
