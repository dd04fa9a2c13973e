import CommandLine
import Composition
import Models
import SystemCalls
import Terminal

/// The options of the command line.
struct Options: Sendable {
  /// The absolute path of the library's folder.
  let library: String
  let loaded: LoadedSettings
  let isPlain: Bool
  let hasMouse: Bool
  let images: ImageProtocol?

  init(_ invocation: Invocation) throws {
    guard invocation.value("library") != "" else {
      throw invocation.usageError("--library needs the path of a folder", code: .invalidValue)
    }
    let loader = SettingsLoader()
    library = try FileSystem.absolutePath(loader.library(invocation.value("library")))
    let flags = try invocation.values("set").map { text in
      guard let equals = text.firstIndex(of: "=") else {
        throw invocation.usageError("--set expects KEY=VALUE, not '\(text)'", code: .invalidValue)
      }
      return SettingsLoader.Flag(
        String(text[..<equals]), .text(String(text[text.index(after: equals)...])), "--set")
    }
    loaded = try loader.load(library: library, flags: flags)
    isPlain = invocation.flag("plain")
    hasMouse = !invocation.flag("no-mouse")
    images = invocation.value("images").flatMap { ImageProtocol(rawValue: $0) }
  }
}
