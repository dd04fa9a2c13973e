import CLinux
import Glibc
import Synchronization

/// A folder whose contents are accessed without following symbolic links and without leaving the folder, as
/// Go's `os.Root` and Rust's `cap_std::fs::Dir` do it.
///
/// The path of the folder itself may contain links, because the user chose it. The folder is opened at the
/// first use and stays open; everything below is opened relative to that descriptor. Paths are absolute and
/// begin with `path`, or relative to it. May be used from any thread; the calls block.
public final class ConfinedFolder: Sendable {
  /// The path of the folder without a trailing slash. All paths in errors begin with it.
  public let path: String
  private let followsLinks: Bool
  private let usesOpenat2: Bool
  /// The path of a subfolder that stays open after its first use, since most calls concern files in it.
  private let pinnedSubfolder: String?
  private let refusal: Refusal?

  /// A call that adds something to a file system, and needs room there.
  package enum Addition: Sendable, CaseIterable { case file, folder, link, name }

  /// Returns the error of a call that adds something; nil if the call is to be made. A test plays a full disk by it.
  package typealias Refusal = @Sendable (Addition, _ path: String) -> SystemError?

  private struct OpenFolders {
    var root: OwnedDescriptor?
    var pinnedSubfolder: OwnedDescriptor?
  }

  private let openFolders = Mutex(OpenFolders())

  /// Creates the value without opening the folder.
  /// - Parameters:
  ///   - followingLinks: Whether `path` itself may contain symbolic links.
  ///   - pinnedSubfolder: The path of a subfolder that the user never replaces, and that therefore stays
  ///     open.
  public convenience init(
    _ path: String, followingLinks: Bool = true, pinnedSubfolder: String? = nil
  ) {
    self.init(
      path, followingLinks: followingLinks, pinnedSubfolder: pinnedSubfolder,
      usesOpenat2: PathWalk.hasOpenat2)
  }

  /// Creates the value like the public initializer, with a disk that a test plays.
  package convenience init(_ path: String, pinnedSubfolder: String?, refusing refusal: Refusal?) {
    self.init(
      path, followingLinks: true, pinnedSubfolder: pinnedSubfolder,
      usesOpenat2: PathWalk.hasOpenat2, refusing: refusal)
  }

  /// - Parameter usesOpenat2: Whether `openat2` is used; false selects the method for kernels without that
  ///   call.
  package init(
    _ path: String, followingLinks: Bool, pinnedSubfolder: String?, usesOpenat2: Bool,
    refusing refusal: Refusal? = nil
  ) {
    self.path = path
    self.refusal = refusal
    self.pinnedSubfolder = pinnedSubfolder
    self.usesOpenat2 = usesOpenat2
    followsLinks = followingLinks
  }

  // MARK: Opening

  /// - Parameter mode: The permissions of a new file, before the umask.
  public func open(
    _ path: String, _ access: FileSystem.Access = .reading, create: FileSystem.Creation = .never,
    mode: UInt32 = 0o600
  ) throws(SystemError) -> OwnedDescriptor {
    if create != .never { try checkRoom(for: .file, at: path) }
    return try walk(create == .never ? "open" : "create", path)
      .open(FileSystem.openFlags(access, create), mode: mode)
  }

  /// Throws the error with which a test refuses an addition. What exists already is not added.
  package func checkRoom(
    for addition: Addition, at path: @autoclosure () -> String
  ) throws(SystemError) {
    guard let refusal else { return }
    let path = path()
    if !exists(path), let error = refusal(addition, path) { throw error }
  }

  public func openFolder(_ path: String) throws(SystemError) -> OwnedDescriptor {
    try walk("open", path).open(O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  /// Returns the descriptor of the folder itself.
  public func root() throws(SystemError) -> OwnedDescriptor {
    if let root = openFolders.withLock({ $0.root }) { return root }
    let opened = try FileSystem.openFolder(path, followingLinks: followsLinks)
    // Another thread may have opened the folder first; its descriptor is then used.
    return openFolders.withLock { folders in
      let root = folders.root ?? opened
      folders.root = root
      return root
    }
  }

  func walk(_ call: String, _ path: String) throws(SystemError) -> PathWalk {
    var walk = PathWalk(call, path)
    walk.skipped = try prefixLength(of: path, call)
    walk.folder = try root()
    walk.usesOpenat2 = usesOpenat2
    return walk
  }

  /// Returns the number of leading bytes of a path that name this folder, 0 for a relative path.
  private func prefixLength(of path: String, _ call: String) throws(SystemError) -> Int {
    guard path.utf8.first == UInt8(ascii: "/") else { return 0 }
    let count = self.path.utf8.count
    let rest = path.utf8.dropFirst(count)
    guard rest.count > 1, rest.first == UInt8(ascii: "/"), beginsWithPath(path.utf8.span.bytes)
    else {
      throw SystemError(
        errno: EXDEV, call: call, path: path, explanation: "it is not below \(self.path)")
    }
    return count + 1
  }

  /// Whether bytes begin with `path`. They are compared at once, since this happens for each call on a file.
  private func beginsWithPath(_ bytes: RawSpan) -> Bool {
    let own = path.utf8.span.bytes
    return bytes.withUnsafeBytes { bytes in
      own.withUnsafeBytes { own in
        guard let base = own.baseAddress, let start = bytes.baseAddress else { return own.isEmpty }
        return bytes.count >= own.count && memcmp(start, base, own.count) == 0
      }
    }
  }

  // MARK: Names

  /// The open folder of a path's last component, and the name of that component: the arguments of calls such
  /// as `renameat`, which do not follow a link in the last component.
  struct OpenParent {
    let folder: OwnedDescriptor
    let name: String
    /// Whether the folder was already open.
    let wasOpen: Bool
  }

  func openParent(of path: String, _ call: String) throws(SystemError) -> OpenParent {
    let skipped = try prefixLength(of: path, call)
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      path.utf8.distance(from: path.startIndex, to: slash) >= skipped
    else {
      let name = String(decoding: path.utf8.dropFirst(skipped), as: UTF8.self)
      return OpenParent(folder: try root(), name: try checkedName(name, call, path), wasOpen: true)
    }
    let parent = String(path[..<slash])
    let name = try checkedName(String(path[path.utf8.index(after: slash)...]), call, path)
    guard parent == pinnedSubfolder else {
      let folder = try walk(call, parent).open(imgdl_o_path() | O_DIRECTORY | O_CLOEXEC)
      return OpenParent(folder: folder, name: name, wasOpen: false)
    }
    if let folder = openFolders.withLock({ $0.pinnedSubfolder }) {
      return OpenParent(folder: folder, name: name, wasOpen: true)
    }
    let folder = try walk(call, parent).open(imgdl_o_path() | O_DIRECTORY | O_CLOEXEC)
    openFolders.withLock { $0.pinnedSubfolder = folder }
    return OpenParent(folder: folder, name: name, wasOpen: false)
  }

  private func checkedName(
    _ name: String, _ call: String, _ path: String
  ) throws(SystemError) -> String {
    guard !name.isEmpty, name != ".", name != ".." else {
      throw SystemError(errno: EINVAL, call: call, path: path)
    }
    return name
  }

  /// Makes a call on a name, and repeats it once if the open folder has been removed.
  func attempt(
    _ call: String, _ path: String, _ body: (OpenParent) -> Int32
  ) throws(SystemError) -> Int32 {
    let parent = try openParent(of: path, call)
    do throws(SystemError) {
      return try checked(call, path) { body(parent) }
    } catch {
      guard error.errno == ENOENT, forgetIfRemoved(parent) else { throw error }
    }
    let again = try self.openParent(of: path, call)
    return try checked(call, path) { body(again) }
  }

  /// Closes the pinned subfolder if it is `parent` and has been removed.
  /// - Returns: Whether the pinned subfolder was closed.
  func forgetIfRemoved(_ parent: OpenParent) -> Bool {
    var value = stat()
    guard parent.wasOpen, fstat(parent.folder.raw, &value) == 0, value.st_nlink == 0 else {
      return false
    }
    return openFolders.withLock { folders in
      guard folders.pinnedSubfolder === parent.folder else { return false }
      folders.pinnedSubfolder = nil
      return true
    }
  }
}
