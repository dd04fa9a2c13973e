import Foundation
import Glibc
import Models
import Origin
import SystemCalls
import TestSupport
import WorkerProcess

/// A library with an imgdld that works for it, and a server with pictures.
final class DaemonStage: Sendable {
  let folder: TemporaryFolder
  let origin: OriginServer
  let process: ChildProcess
  let errors: OwnedDescriptor
  /// The path of imgdld.
  let program: String
  var library: String { folder.path + "/library" }
  var socket: String { folder.path + "/run/socket" }

  /// - Parameters:
  ///   - folder: of an earlier stage, whose library is continued.
  ///   - serving: fills the folder that is served.
  ///   - settings: text of the library's own settings file.
  ///   - arguments: further words of the command line.
  ///   - isInstalled: whether the program is a copy in the stage's folder, which a test may replace.
  init(
    in folder: TemporaryFolder? = nil, settings: String? = nil, arguments: [String] = [],
    environment: [String] = [], isInstalled: Bool = false,
    serving serve: (_ folder: String, _ url: String) throws -> Void = { _, _ in }
  ) throws {
    let isNew = folder == nil
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let served = folder.path + "/served"
    for name in ["served", "library/.imgdl"] {
      try FileSystem.makeFolders(folder.path + "/" + name)
    }
    guard !isNew || mkdir(folder.path + "/run", 0o700) == 0 else {
      throw SystemError.last("make", path: "run")
    }
    origin = try OriginServer(OriginConfiguration(folder: served))
    try serve(served, origin.url)
    if let settings {
      try FileSystem.replace(folder.path + "/library/.imgdl/config.json", with: settings)
    }
    program = try isInstalled ? Self.install(folder.path) : HelperLocator().path(of: "imgdld")
    let pipe = try Channels.pipe()
    errors = pipe.reading
    process = try ChildProcess(
      ProcessLaunch(
        path: program,
        arguments: [
          "--foreground", "--library", folder.path + "/library", "--socket",
          folder.path + "/run/socket",
        ] + arguments, environment: Self.environment(folder.path) + environment,
        streams: [.none, .none, .existing(pipe.writing)]))
    pipe.writing.close()
  }

  /// Copies imgdld into a folder below `folder`, and links its helpers there.
  /// - Returns: the path of the copy.
  private static func install(_ folder: String) throws -> String {
    let bin = folder + "/bin"
    try FileSystem.makeFolders(bin)
    for name in ["imgdl-render", "imgdl-unpack", "imgdl-markup"] {
      guard symlink(try HelperLocator().path(of: name), "\(bin)/\(name)") == 0 else {
        throw SystemError.last("link", path: name)
      }
    }
    try replaceProgram("\(bin)/imgdld")
    return "\(bin)/imgdld"
  }

  /// Puts a copy of imgdld in the place of a program, as an upgrade does.
  private static func replaceProgram(_ program: String) throws {
    let new = program + ".new"
    // Another process makes the copy: a process that another test starts meanwhile would inherit the open file from this
    // one, and the kernel starts no program that is open for writing.
    let copying = try ChildProcess(
      ProcessLaunch(
        path: "/bin/cp", arguments: [try HelperLocator().path(of: "imgdld"), new],
        environment: environment("/"), streams: [.none, .none, .inherited(2)]))
    guard copying.wait(before: .after(seconds: 600))?.status == .code(0) else {
      throw SystemError(errno: EIO, call: "copy a program to", path: new)
    }
    try FileSystem.rename(new, to: program)
  }

  func replaceProgram() throws { try Self.replaceProgram(program) }

  private static func environment(_ home: String) -> [String] {
    ["PATH=/usr/bin:/bin", "HOME=\(home)", "XDG_CONFIG_DIRS=\(home)/etc", "LANG=C.UTF-8"]
  }

  /// Runs a line of `sh` in the stage's folder: `$S` is the socket, `$ORIGIN` the server's URL, `$SLOW`
  /// that of a list that is long in coming.
  func shell(_ line: String, slow: String = "") async throws -> String {
    let pipe = try Channels.pipe()
    let child = try ChildProcess(
      ProcessLaunch(
        path: "/bin/sh", arguments: ["-c", "cd '\(folder.path)' && { \(line); }"],
        environment: Self.environment(folder.path) + [
          "S=\(socket)", "ORIGIN=\(origin.url)", "SLOW=\(slow)",
        ],
        streams: [.none, .existing(pipe.writing), .inherited(2)]))
    pipe.writing.close()
    let output = try pipe.reading.remainingBytes(limit: 16 << 20)
    _ = child.wait(before: .after(seconds: 600))
    return String(decoding: output, as: UTF8.self)
  }

  /// Asks until the answer contains that.
  func waits(for text: String, of path: String) async throws {
    let deadline = Deadline.after(seconds: 600)
    while !deadline.hasPassed {
      let answer = try await shell("curl -s --unix-socket $S http://localhost\(path)")
      if answer.contains(text) { return }
    }
    throw SystemError(errno: ETIMEDOUT, call: "see \(text) in", path: path)
  }

  /// Ends it as systemd does.
  /// - Returns: how it ended, and what it wrote.
  func terminate() -> (status: ExitStatus?, log: String) {
    process.signal(SIGTERM)
    let ending = process.wait(before: .after(seconds: 600))
    process.kill()
    let log = (try? errors.remainingBytes(limit: 1 << 20)) ?? []
    origin.stop()
    return (ending?.status, String(decoding: log, as: UTF8.self))
  }
}
