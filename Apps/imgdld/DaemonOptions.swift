import CommandLine
import Composition
import Models
import SystemCalls

/// What the command line requests.
struct DaemonOptions: Sendable {
  let words: [String]
  let isForeground: Bool
  /// Absolute.
  let library: String
  /// Absolute; nil means where programs look.
  let socket: String?
  /// Descriptor of whoever waits until we listen.
  let ready: Int32?
  private let flags: [SettingsLoader.Flag]
  /// Made before the working directory changes.
  private let loader = SettingsLoader()

  init(_ invocation: Invocation, _ words: [String]) throws {
    self.words = words
    isForeground = invocation.flag("foreground")
    ready = invocation.integer("ready").map { Int32($0) }
    guard invocation.value("library") != "" else {
      throw invocation.usageError("--library needs the path of a folder", code: .invalidValue)
    }
    library = Self.absolute(loader.library(invocation.value("library")))
    socket = invocation.value("socket").map { Self.absolute($0) }
    flags = try invocation.values("set").map { text in
      guard let equals = text.firstIndex(of: "=") else {
        throw invocation.usageError("--set expects KEY=VALUE, not '\(text)'", code: .invalidValue)
      }
      return .init(
        String(text[..<equals]), .text(String(text[text.index(after: equals)...])), "--set")
    }
  }

  /// Reads files and environment; again on each call.
  func settings() throws -> LoadedSettings {
    try loader.load(library: library, flags: flags)
  }

  /// From a place that does not move with the working directory.
  private static func absolute(_ path: String) -> String {
    let path = path.hasPrefix("/") ? path : FileSystem.workingFolder + "/" + path
    return "/" + path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }
}
