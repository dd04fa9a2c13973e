import CLinux
import Glibc
import Models
import ProgramSupport
import SystemCalls
import Threading

/// The file of `--password-file`: a regular file, a pipe (`<(pass show scans)`), or standard input. Only the
/// first line of the file is used. Reads block while a pipe has no data.
struct PasswordFile {
  /// The name as the user typed it.
  let name: String
  let console: Console

  /// The name that stands for standard input.
  static let standardInput = "-"

  /// The maximum length of the first line in bytes, which exceeds the longest password with a byte order mark
  /// and a line break.
  private static let lineLimit = 64 << 10

  /// Reads the password.
  /// - Throws: `ProgramFailure` with the code `.usage` if the file is missing, is a folder or contains no
  ///   password, and `.disk` if the file cannot be read.
  func password() async throws -> DocumentPassword {
    let line: [UInt8]
    do {
      line = try await BlockingThread.run("password-file") { try firstLine() }
    } catch let error as SystemError {
      throw ProgramFailure(
        error.isMissing ? .usage : .disk, "--password-file: \(error.description)")
    }
    // An editor may have put a byte order mark before the password, or a carriage return after it.
    let bytes = line.withoutByteOrderMark.prefix { $0 != UInt8(ascii: "\r") }
    guard let text = String(validating: bytes, as: UTF8.self), let password = DocumentPassword(text)
    else {
      throw ProgramFailure(
        .usage,
        "--password-file: the first line of \(shownName) is no password of 1 to "
          + "\(DocumentPassword.maximumBytes) bytes in UTF-8")
    }
    return password
  }

  private var shownName: String { name == Self.standardInput ? StandardInput.name : name }

  private func firstLine() throws -> [UInt8] {
    if name == Self.standardInput { return try Self.firstLine(of: 0, shownName) }
    let path = try FileSystem.absolutePath(name)
    let status = try FileSystem.status(path)
    if status.kind == .folder {
      throw ProgramFailure(
        .usage, "--password-file: \(name) is a folder; a file with the password is needed")
    }
    if status.kind == .file, status.mode & 0o077 != 0 {
      console.printError(
        "\(name) can be read by others (--password-file); use chmod 600 to restrict it")
    }
    // The file is opened without `O_NONBLOCK`, so that opening a pipe waits for its writer.
    let raw = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard raw >= 0 else { throw SystemError.last("open", path: path) }
    let file = OwnedDescriptor(raw, path: path)
    return try Self.firstLine(of: file.raw, path)
  }

  /// Reads the first line byte by byte, so that the data after the line remains for other readers of the
  /// descriptor.
  /// - Returns: The line without its line break.
  private static func firstLine(of descriptor: Int32, _ path: String) throws -> [UInt8] {
    var line: [UInt8] = []
    while line.count < lineLimit {
      var byte: UInt8 = 0
      let count = Glibc.read(descriptor, &byte, 1)
      if count == 0 || (count > 0 && byte == UInt8(ascii: "\n")) { break }
      if count > 0 {
        line.append(byte)
      } else if errno == EAGAIN {
        // The flags of standard input are shared with other processes, one of which may have set
        // `O_NONBLOCK`.
        var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&polled, 1, -1)
      } else if errno != EINTR {
        throw SystemError.last("read", path: path)
      }
    }
    return line
  }
}
