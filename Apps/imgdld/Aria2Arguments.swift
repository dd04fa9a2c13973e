import Aria2
import CommandLine
import Composition
import Models
import ProgramSupport
import SystemCalls

/// The options of `aria2c` that imgdld accepts with `--aria2`.
struct Aria2Arguments: Sendable {
  /// The words of imgdld's own options.
  let words: [String]
  private let arguments: ServerArguments

  /// The maximum size in bytes of the file with the secret.
  private static let secretLimit = 4_096
  /// The port of aria2.
  private static let standardPort: UInt16 = 6_800

  /// Separates the options of `aria2c`, if the words contain `--aria2`, and reads the file of options.
  init(_ words: [String]) throws {
    guard words.contains("--aria2") else {
      self.words = words
      arguments = ServerArguments([], ownNames: [])
      return
    }
    let line = ServerArguments(words, ownNames: Self.ownNames)
    self.words = line.words
    guard let path = line["conf-path"] else {
      arguments = line
      return
    }
    let bytes = try FileSystem.contents(of: path)
    arguments = line.over(ServerArguments(fileText: String(decoding: bytes, as: UTF8.self)))
  }

  /// The options that imgdld and `aria2c` share, which imgdld reads itself.
  private static let ownNames: Set<String> = ["rpc-secret"]

  /// The last value of an option.
  subscript(name: String) -> String? { arguments[name] }

  /// Returns the port of `--rpc-listen-port`, or aria2's standard port.
  func port(_ invocation: Invocation) throws -> UInt16 {
    guard let text = arguments["rpc-listen-port"] else { return Self.standardPort }
    guard let port = UInt16(text), port >= 1_024 else {
      throw invocation.usageError(
        "--rpc-listen-port expects a port from 1024 to 65535, not '\(text)'", code: .invalidValue)
    }
    return port
  }

  /// Returns the interface that the options describe (nil without `--aria2`), and warnings about them.
  func interface(
    _ invocation: Invocation
  ) throws -> (interface: LibraryDaemon.Aria2?, warnings: [String]) {
    guard invocation.flag("aria2") else {
      for name in ["rpc-secret", "rpc-secret-file", "aria2-no-secret"]
      where invocation.isGiven(name) {
        throw invocation.usageError("--\(name) needs --aria2")
      }
      return (nil, [])
    }
    for name in ["rpc-listen-all", "rpc-allow-origin-all", "rpc-secure"]
    where arguments[name] == "true" {
      throw invocation.usageError(
        "--\(name) is not supported: the interface listens at the loopback address only, and "
          + "aria2.allowOrigin names the web pages that may use it")
    }
    let (secret, warnings) = try secret(invocation)
    var inputText = ""
    if let path = arguments["input-file"] {
      let bytes = try FileSystem.contents(of: path, limit: InputFile.sizeLimit)
      inputText = String(decoding: bytes, as: UTF8.self)
    }
    let interface = LibraryDaemon.Aria2(
      secret: secret, options: arguments.downloadOptions, inputText: inputText,
      version: ProgramVersion.text)
    return (interface, warnings)
  }

  private func secret(_ invocation: Invocation) throws -> (secret: String?, warnings: [String]) {
    if let path = invocation.value("rpc-secret-file") {
      guard !invocation.isGiven("rpc-secret") else {
        throw invocation.usageError("--rpc-secret and --rpc-secret-file exclude each other")
      }
      let bytes = try FileSystem.contents(of: path, limit: Self.secretLimit)
      let text = String(decoding: bytes, as: UTF8.self).trimmedEnd
      guard !text.isEmpty else {
        throw invocation.usageError("--rpc-secret-file: \(path) is empty", code: .invalidValue)
      }
      let isOpen = try FileSystem.status(path).mode & 0o077 != 0
      let warning =
        "\(path) can be read by others (--rpc-secret-file); use chmod 600 to restrict it"
      return (text, isOpen ? [warning] : [])
    }
    if let text = invocation.value("rpc-secret") {
      guard !text.isEmpty else {
        throw invocation.usageError("--rpc-secret needs a text", code: .invalidValue)
      }
      return (
        text,
        ["other users of this machine can see the secret of --rpc-secret; use --rpc-secret-file"]
      )
    }
    if let text = arguments["rpc-secret"], !text.isEmpty { return (text, []) }
    guard invocation.flag("aria2-no-secret") else {
      throw invocation.usageError(
        "--aria2 needs --rpc-secret-file FILE, or --rpc-secret TEXT, whose secret clients pass")
    }
    return (
      nil,
      [
        "every program of this user can control the downloads without a secret (--aria2-no-secret)"
      ]
    )
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
