import CommandLine
import Composition
import Models
import SystemCalls

/// The options of the command line.
struct DaemonOptions: Sendable {
  /// The words of the command line, without the lock of an earlier program of this process.
  let arguments: [String]
  let isForeground: Bool
  /// The absolute path of the library.
  let library: String
  /// The absolute path of the socket; nil means the library's default path, which clients use.
  let socket: String?
  /// The port of the web page and of the aria2 interface; if nil, the page is served only if it was enabled
  /// earlier.
  let webPort: UInt16?
  /// The aria2 interface; nil without `--aria2`.
  let aria2: LibraryDaemon.Aria2?
  /// Warnings about the options.
  let warnings: [String]
  /// The descriptor of a pipe to the process that waits until the daemon listens; nil if none waits.
  let ready: Int32?
  /// The library's lock, from the program whose place this one has taken; nil if there was none.
  let heldLock: OwnedDescriptor?
  private let flags: [SettingsLoader.Flag]
  /// The settings loader, created before the working directory changes, since relative paths depend on it.
  private let loader = SettingsLoader()

  /// The option that `Restart` puts in front of the arguments, with the descriptor of the lock.
  static let heldLockOption = "--held-lock"

  init(_ invocation: Invocation, _ words: [String], _ aria2Arguments: Aria2Arguments) throws {
    arguments = words.first == Self.heldLockOption ? Array(words.dropFirst(2)) : words
    heldLock = invocation.integer("held-lock").map { OwnedDescriptor(Int32($0)) }
    let hasAria2 = invocation.flag("aria2")
    isForeground =
      invocation.flag("foreground") || (hasAria2 && aria2Arguments["daemon"] != "true")
    ready = invocation.integer("ready").map { Int32($0) }
    guard invocation.value("library") != "" else {
      throw invocation.usageError("--library needs the path of a folder", code: .invalidValue)
    }
    library = try FileSystem.absolutePath(
      loader.library(invocation.value("library") ?? (hasAria2 ? aria2Arguments["dir"] : nil)))
    let listenPort: UInt16? = try invocation.value("listen").map { text in
      guard let port = Self.loopbackPort(text) else {
        throw invocation.usageError(
          "--listen expects a loopback address and a port from 1024 to 65535, such as "
            + "127.0.0.1:4840, not '\(text)'", code: .invalidValue)
      }
      return port
    }
    var (aria2, warnings) = try aria2Arguments.interface(invocation)
    // The earlier program has added the downloads of the input file.
    if heldLock != nil { aria2?.inputText = "" }
    (self.aria2, self.warnings) = (aria2, warnings)
    webPort = try listenPort ?? (hasAria2 ? aria2Arguments.port(invocation) : nil)
    socket = try invocation.value("socket").map { try FileSystem.absolutePath($0) }
    flags = try invocation.values("set").map { text in
      guard let equals = text.firstIndex(of: "=") else {
        throw invocation.usageError("--set expects KEY=VALUE, not '\(text)'", code: .invalidValue)
      }
      return .init(
        String(text[..<equals]), .text(String(text[text.index(after: equals)...])), "--set")
    }
  }

  /// Loads the settings; each call reads the files and the environment again.
  func settings() throws -> LoadedSettings {
    try loader.load(library: library, flags: flags)
  }

  /// Parses the address of the web page and returns its port. The page always listens on the loopback
  /// interface, with both IP versions.
  private static func loopbackPort(_ text: String) -> UInt16? {
    guard let colon = text.lastIndex(of: ":"),
      ["127.0.0.1", "[::1]", "localhost"].contains(text[..<colon]),
      let port = UInt16(text[text.index(after: colon)...]), port >= 1_024
    else { return nil }
    return port
  }
}
