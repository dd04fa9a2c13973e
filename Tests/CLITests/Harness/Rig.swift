import Foundation
import Glibc
import Models
import Origin
import SystemCalls
import TestSupport
import WorkerProcess

/// A place of its own for one test: home, library, files to serve, and a server for them.
final class Rig: Sendable {
  private let folder: TemporaryFolder
  /// What the origin serves.
  let served: String
  let library: String
  let origin: OriginServer

  var root: String { folder.path }
  var home: String { root + "/home" }

  /// So many tests at the same time: more would only wait for the processors, and time out.
  private static let slots = Slots(3)

  /// Runs a test.
  /// - Parameter configure: how the origin behaves.
  static func run(
    _ configure: (inout OriginConfiguration) -> Void = { _ in },
    _ body: (Rig) async throws -> Void
  ) async throws {
    await slots.take()
    do {
      let rig = try Rig(configure)
      try await body(rig)
      rig.origin.stop()
    } catch {
      await slots.give()
      throw error
    }
    await slots.give()
  }

  private init(_ configure: (inout OriginConfiguration) -> Void) throws {
    folder = try TemporaryFolder()
    served = folder.path + "/served"
    library = folder.path + "/library"
    for name in ["served", "home", "etc", "tmp"] {
      try FileSystem.makeFolders(folder.path + "/" + name)
    }
    var configuration = OriginConfiguration(folder: served)
    configure(&configuration)
    origin = try OriginServer(configuration)
  }

  // MARK: - Files

  func url(_ name: String) -> String { origin.url + name }

  /// Writes a file that the origin serves.
  /// - Returns: its URL.
  @discardableResult
  func serve(_ name: String, _ bytes: [UInt8]) throws -> String {
    try write("served/" + name, bytes)
    return url(name)
  }

  @discardableResult
  func serve(_ name: String, _ text: String) throws -> String {
    try serve(name, Array(text.utf8))
  }

  /// Serves pictures that all differ: `name-1.png`, …
  /// - Returns: their URLs.
  func serveImages(_ name: String, _ count: Int, side: Int = 8) throws -> [String] {
    try (1...count).map { try serve("\(name)-\($0).png", Sample.image($0, side: side)) }
  }

  /// Writes a file that is not served.
  /// - Returns: its path.
  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = root + "/" + name
    try FileSystem.makeFolders(FileSystem.parentFolder(of: path))
    try FileSystem.replace(path, with: bytes.span.bytes, syncing: false)
    return path
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try write(name, Array(text.utf8))
  }

  // MARK: - The program

  /// A clean environment, without the variables of the user who runs the tests.
  var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": home, "TMPDIR": root + "/tmp", "LANG": "C.UTF-8",
      "XDG_CONFIG_DIRS": root + "/etc", "IMGDL_LIBRARY": library, "TERM": "xterm-256color",
    ]
  }

  func start(
    _ arguments: [String], environment extra: [String: String] = [:], input: [UInt8]? = nil,
    keepsInputOpen: Bool = false, terminal: (columns: Int, rows: Int)? = nil,
    ignoring: [Int32] = [], program: String? = nil
  ) throws -> RunningProgram {
    try RunningProgram(
      RunningProgram.Command(
        path: try program ?? HelperLocator().path(of: "imgdl-cli"), arguments: arguments,
        environment: environment.merging(extra) { $1 }, folder: root, input: input,
        keepsInputOpen: keepsInputOpen, terminal: terminal, ignoring: ignoring))
  }

  /// Runs `imgdl-cli` to its end.
  func imgdl(
    _ arguments: String..., environment: [String: String] = [:], input: String? = nil
  ) async throws -> RunningProgram.Ending {
    try await imgdl(arguments, environment: environment, input: input.map { Array($0.utf8) })
  }

  func imgdl(
    _ arguments: [String], environment: [String: String] = [:], input: [UInt8]? = nil
  ) async throws -> RunningProgram.Ending {
    try await start(arguments, environment: environment, input: input).ending()
  }

  /// What was asked of the origin; it serves no more. Before it has stopped, the last requests may
  /// be missing.
  func wholeLog() -> [RequestLog.Entry] {
    origin.stop()
    return origin.log.entries
  }

  /// Returns when the origin has answered so many requests in all, or the program has ended.
  func answers(_ count: Int, to program: RunningProgram) async {
    let log = origin.log
    _ = await program.waits(for: { log.entries.count >= count })
  }

  /// Runs a line of `sh`, in which `imgdl-cli` is our program.
  func shell(_ line: String) async throws -> RunningProgram.Ending {
    let program = try HelperLocator().path(of: "imgdl-cli")
    let path = FileSystem.parentFolder(of: program) + ":/usr/sbin:/usr/bin:/sbin:/bin"
    return try await start(["-c", line], environment: ["PATH": path], program: "/bin/sh").ending()
  }
}

/// Lets so many in at the same time, in the order of arrival.
private actor Slots {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
