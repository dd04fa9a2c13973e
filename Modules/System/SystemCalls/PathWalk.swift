import CLinux
import Glibc

/// Opens a path without following a symbolic link in any of its components.
///
/// Uses `openat2` (Linux 5.6) if it is available; otherwise opens one folder after the other with
/// `O_NOFOLLOW`.
struct PathWalk {
  /// The operation, as error messages name it.
  let call: String
  /// The whole path, for messages.
  let path: String
  /// The folder at which the walk begins; nil means the working folder, or `/` for an absolute path.
  var folder: OwnedDescriptor?
  /// The number of leading bytes of `path` that name `folder` and are not resolved again.
  var skipped = 0
  var usesOpenat2 = PathWalk.hasOpenat2

  init(_ call: String, _ path: String) {
    self.call = call
    self.path = path
  }

  /// Whether `openat2` is available in this kernel and container.
  static let hasOpenat2: Bool = {
    let raw = imgdl_open_without_links(
      AT_FDCWD, "/", imgdl_o_path() | O_DIRECTORY | O_CLOEXEC, 0, 0)
    if raw >= 0 { close(raw) }
    return raw >= 0
  }()

  /// - Parameters:
  ///   - flags: The flags of `open`; `O_NOFOLLOW` is added.
  ///   - mode: The permissions of a new file, before the umask.
  /// - Throws: `SystemError.symbolicLink` that names the first link on the way.
  func open(_ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> OwnedDescriptor {
    do throws(SystemError) {
      guard usesOpenat2 else { return try openStepByStep(flags | O_NOFOLLOW, mode) }
      let (start, beneath) = (folder?.raw ?? AT_FDCWD, folder == nil ? Int32(0) : 1)
      let raw = try checked(call, path) {
        path.withCString {
          imgdl_open_without_links(start, $0 + skipped, flags | O_NOFOLLOW, mode, beneath)
        }
      }
      return OwnedDescriptor(raw, path: path)
    } catch {
      throw explained(error)
    }
  }

  private func openStepByStep(_ flags: Int32, _ mode: UInt32) throws(SystemError) -> OwnedDescriptor
  {
    let names = path.utf8.dropFirst(skipped).split(separator: UInt8(ascii: "/"))
      .filter { !$0.elementsEqual(".".utf8) }.map { String(decoding: $0, as: UTF8.self) }
    if folder != nil, names.contains("..") {
      throw SystemError(errno: EXDEV, call: call, path: path)
    }
    var here = folder
    let step = imgdl_o_path() | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    if here == nil, path.hasPrefix("/") {
      here = OwnedDescriptor(try checked(call, path) { Glibc.open("/", step) })
    }
    for name in names.dropLast() {
      let raw = try checked(call, path) { openat(here?.raw ?? AT_FDCWD, name, step) }
      here = OwnedDescriptor(raw, path: path)
    }
    let raw = try checked(call, path) {
      openat(here?.raw ?? AT_FDCWD, names.last ?? ".", flags, mode_t(mode))
    }
    return OwnedDescriptor(raw, path: path)
  }

  /// Finds the link at which an open failed. With `O_NOFOLLOW` the error of a link is ELOOP, and with
  /// `O_DIRECTORY` also ENOTDIR.
  private func explained(_ error: SystemError) -> SystemError {
    guard error.errno == ELOOP || error.errno == ENOTDIR else { return error }
    var end = path.utf8.index(path.startIndex, offsetBy: skipped)
    while end < path.endIndex {
      end = path.utf8[end...].dropFirst().firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      var value = stat()
      let found = path[..<end].withCString {
        fstatat(folder?.raw ?? AT_FDCWD, $0 + skipped, &value, AT_SYMLINK_NOFOLLOW)
      }
      guard found == 0 else { return error }
      if value.st_mode & S_IFMT == S_IFLNK {
        return .symbolicLink(call, path: String(path[..<end]))
      }
    }
    return error
  }
}
