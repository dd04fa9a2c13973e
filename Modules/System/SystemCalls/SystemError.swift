import Glibc

/// A failed system call: the operation, its object, and the reason.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  public let errno: Int32
  /// The operation as used in a message: "open", "write to", "rename".
  public let call: String
  public let path: String?
  /// The reason, if it is more precise than the kernel's message; nil means the kernel's message.
  public let explanation: String?

  public init(errno: Int32, call: String, path: String? = nil, explanation: String? = nil) {
    self.errno = errno
    self.call = call
    self.path = path
    self.explanation = explanation
  }

  /// Returns the error for a path that contains a symbolic link where links are not followed.
  public static func symbolicLink(_ call: String, path: String) -> SystemError {
    SystemError(
      errno: ELOOP, call: call, path: path,
      explanation: "a symbolic link; links inside a library are not followed")
  }

  /// Returns the failure of the last call on this thread.
  public static func last(_ call: String, path: String? = nil) -> SystemError {
    SystemError(errno: Glibc.errno, call: call, path: path)
  }

  /// The message for users, such as "cannot open /x: No space left on device".
  public var description: String {
    let object = path.map { " " + Self.escaped($0) } ?? ""
    return "cannot \(call)\(object): \(reason)"
  }

  /// The kernel's message, such as "No space left on device", or a more specific explanation of some errors.
  public var reason: String {
    if let explanation { return explanation }
    guard let text = strerror(errno) else { return "error \(errno)" }
    return String(cString: text)
  }

  /// Whether the file system is full, or a quota is reached.
  public var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

  /// Whether the data has more bytes than the caller, the file system or a limit of the process allows for a file.
  /// Other files are not concerned.
  public var isTooLarge: Bool { errno == EFBIG }

  public var isReadOnly: Bool { errno == EROFS }

  /// Whether the path contains a symbolic link that must not be followed.
  public var isSymbolicLink: Bool { errno == ELOOP }

  public var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }

  public var isNotPermitted: Bool { errno == EACCES || errno == EPERM }

  /// Whether the file has the maximum number of hard links, or its file system does not support hard links.
  public var forbidsLinks: Bool {
    [EMLINK, EXDEV, EPERM, EOPNOTSUPP, ENOSYS].contains(errno)
  }

  /// Whether a rename or a hard link would lead to another file system, or through another mount of the same one.
  public var crossesFileSystems: Bool { errno == EXDEV }

  public var alreadyExists: Bool { errno == EEXIST }

  /// Whether the disk cannot read or write some bytes.
  public var isInputOutputError: Bool { errno == EIO }

  /// Whether the file system does not accept a name of that length.
  public var isNameTooLong: Bool { errno == ENAMETOOLONG }

  /// Whether the file system does not have the operation.
  public var isNotSupported: Bool { errno == ENOSYS || errno == EOPNOTSUPP }

  /// Whether the error may concern a single name or folder: a folder has the name of the file, the folder is
  /// immutable, a link or another mount, or the file system does not accept the name. Only a check of other
  /// folders shows that it concerns no more than that.
  public var mayConcernName: Bool {
    switch errno {
    case ENAMETOOLONG, EISDIR, ENOTDIR, ENOTEMPTY, EEXIST, ELOOP, EPERM, EACCES, EINVAL, EILSEQ,
      EBUSY, ETXTBSY, EXDEV, EROFS:
      true
    default: false
    }
  }

  /// Whether a file of that name cannot exist: a folder has its name, a file the name of its folder, or the file
  /// system does not accept the name.
  public var meansNoFile: Bool {
    [EISDIR, ENOTDIR, ENAMETOOLONG, EINVAL, EILSEQ].contains(errno)
  }

  /// Whether the process or the machine has no free descriptor.
  public var isOutOfDescriptors: Bool { errno == EMFILE || errno == ENFILE }

  /// Returns the text with escaped control characters: a file name may contain some, and they must not reach
  /// a terminal.
  private static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar.properties.generalCategory == .control {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}

/// Repeats a call that a signal interrupted and turns a negative result into a `SystemError`.
@inline(__always)
func checked<Result: SignedInteger>(
  _ call: String, _ path: String? = nil, _ body: () -> Result
) throws(SystemError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let code = Glibc.errno
    if code != EINTR { throw SystemError(errno: code, call: call, path: path) }
  }
}
