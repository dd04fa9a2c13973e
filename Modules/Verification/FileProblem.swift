public import Models
public import SystemCalls

/// The problem of a resource's file.
public enum FileProblem: Sendable, Equatable {
  case missing
  /// The path leads to something other than a regular file, which was not opened.
  case notAFile(FileStatus.Kind)
  /// The file has the given number of bytes instead of the expected one.
  case wrongSize(Int64)
  /// The size is as expected, but the contents differ from the download.
  case wrongContent
  case unreadable(SystemError)
  /// The file of a page's image or thumbnail in the cache is not whole.
  case rendition(page: Int)

  /// Whether downloading the file again solves the problem. The result is false if the user has to restore
  /// permissions or a folder that a symbolic link has replaced: no new file could be written behind the link,
  /// and the old one may still be at its target. Other read errors concern only the old file.
  public var isRepairedByDownload: Bool {
    switch self {
    case .unreadable(let error): !error.isRepairedByUser
    case .rendition: false
    default: true
    }
  }

  /// Whether the contents are wrong or unreadable, which affects every hard link of the file.
  public var isDamage: Bool {
    switch self {
    case .wrongSize, .wrongContent: true
    case .unreadable(let error): !error.isRepairedByUser
    case .missing, .notAFile, .rendition: false
    }
  }

  /// Returns a description for people, without the path.
  public func reason(expecting file: StoredFile) -> String {
    switch self {
    case .missing: "the file is missing"
    case .notAFile(let kind): "\(Self.noun(for: kind)) is at the path of the file"
    case .wrongSize(let size): "the file has \(size) bytes, not \(file.byteCount)"
    case .wrongContent: "the content of the file differs from the download"
    case .unreadable(let error) where error.isSymbolicLink:
      "the file cannot be reached: \(error.path ?? "its folder") is \(error.reason)"
    case .unreadable(let error): "the file cannot be read: \(error.reason)"
    case .rendition(let page): "the image of page \(page) in the cache is not whole"
    }
  }

  private static func noun(for kind: FileStatus.Kind) -> String {
    switch kind {
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .socket: "a socket"
    case .pipe: "a named pipe"
    case .device: "a device"
    case .file, .unknown: "something else"
    }
  }
}

extension SystemError {
  /// Whether only the user can make the file readable again.
  fileprivate var isRepairedByUser: Bool { isNotPermitted || isSymbolicLink }
}
