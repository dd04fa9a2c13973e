import CLinux
import Glibc
import Models
import ProgramSupport
import SystemCalls
import Threading

/// The file of `--password-file`, of which the first line counts: a regular file, a pipe (`<(pass show scans)`), or
/// standard input. All calls block, for as long as a pipe is silent.
struct PasswordFile {
  /// The name as the user typed it.
  let name: String
  let console: Console

  /// The word for standard input.
  static let standardInput = "-"

  /// The limit of the first line in bytes: more than the longest password, a byte order mark and the line
  /// end.
  private static let lineLimit = 64 << 10

  /// - Throws: `.usage` for a file that is missing, is a folder or holds no password.
  func password() async throws -> DocumentPassword {
    let line: [UInt8]
    do {
      line = try await BlockingThread.run("password-file") { try firstLine() }
    } catch let error as SystemError {
      throw ProgramFailure(
        error.isMissing ? .usage : .disk, "--password-file: \(error.description)")
    }
    // An editor may have put a byte order mark before the password, or a carriage return behind it.
    let bytes = line.withoutByteOrderMark.prefix { $0 != UInt8(ascii: "\r") }
    guard let text = String(validating: bytes, as: UTF8.self), let password = DocumentPassword(text)
    else {
      throw ProgramFailure(
        .usage,
        "--password-file: the first line of \(shownName) is no password of 1 to "
          + "\(DocumentPassword.longest) bytes in UTF-8")
    }
    return password
  }

  private var shownName: String { name == Self.standardInput ? StandardInput.name : name }

  private func firstLine() throws -> [UInt8] {
    if name == Self.standardInput { return try Self.firstLine(of: 0, shownName) }
    let path = Context.absolute(name)
    let status = try FileSystem.status(path)
    if status.kind == .folder {
      throw ProgramFailure(
        .usage, "--password-file: \(name) is a folder; a file with the password is needed")
    }
    if status.kind == .file, status.mode & 0o077 != 0 {
      console.printError("\(name) can be read by others (--password-file); chmod 600 mends it")
    }
    // Without O_NONBLOCK a pipe waits for its writer.
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard raw >= 0 else { throw SystemError.last("open", path: path) }
    let file = OwnedDescriptor(raw, path: path)
    return try Self.firstLine(of: file.raw, path)
  }

  /// Reads a byte at a time: what stands behind the line stays for other readers of the descriptor.
  /// - Returns: the line without its line break.
  private static func firstLine(of descriptor: Int32, _ path: String) throws -> [UInt8] {
    var line: [UInt8] = []
    while line.count < lineLimit {
      var byte: UInt8 = 0
      let count = Glibc.read(descriptor, &byte, 1)
      if count == 0 || (count > 0 && byte == UInt8(ascii: "\n")) { break }
      if count > 0 {
        line.append(byte)
      } else if errno == EAGAIN {
        // Standard input shares its flags with programs that may have made it non-blocking.
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno != EINTR {
        throw SystemError.last("read", path: path)
      }
    }
    return line
  }
}
