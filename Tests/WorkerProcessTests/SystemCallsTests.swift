import Glibc
import SystemCalls
import Testing

/// A folder of its own for one test, removed with it.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let base = Machine.environment("TMPDIR") ?? "/tmp"
    path = base + "/imgdl-test-" + String(UInt64.random(in: .min ... .max), radix: 16)
    try FileSystem.makeFolders(path)
  }

  deinit { try? FileSystem.removeTree(path) }
}

@Suite struct SystemCallsTests {
  let scratch: ScratchFolder
  var root: String { scratch.path }

  init() throws { scratch = try ScratchFolder() }

  @Test("removing a tree removes a link to a folder and leaves the folder")
  func removeTreeStaysInside() throws {
    try FileSystem.makeFolders(root + "/tree/a/b")
    try FileSystem.makeFolders(root + "/kept")
    try FileSystem.replace(root + "/kept/file", with: "data", syncing: false)
    try FileSystem.replace(root + "/tree/a/b/file", with: "data", syncing: false)
    try link(root + "/kept", at: root + "/tree/a/outside")
    try link(root + "/kept/file", at: root + "/tree/file")

    try FileSystem.removeTree(root + "/tree")

    #expect(!FileSystem.exists(root + "/tree"))
    #expect(try FileSystem.contents(of: root + "/kept/file") == Array("data".utf8))
  }

  @Test("removing a link to a folder as a tree removes the link alone")
  func removeTreeOfLink() throws {
    try FileSystem.makeFolders(root + "/kept/inner")
    try link(root + "/kept", at: root + "/link")
    try FileSystem.removeTree(root + "/link")
    #expect(!FileSystem.exists(root + "/link"))
    #expect(FileSystem.exists(root + "/kept/inner"))
    try FileSystem.removeTree(root + "/never-there")
  }

  @Test("emptying a folder keeps the folder for processes that use it, and follows no link")
  func removeContents() throws {
    try FileSystem.makeFolders(root + "/folder/a/b")
    try FileSystem.replace(root + "/folder/a/file", with: "data", syncing: false)
    let before = try FileSystem.status(root + "/folder").inode
    let open = try FileSystem.openFolder(root + "/folder")
    try FileSystem.removeContents(of: root + "/folder")
    #expect(try FileSystem.list(root + "/folder").isEmpty)
    #expect(try FileSystem.status(root + "/folder").inode == before)
    #expect(try open.status().inode == before)

    try FileSystem.replace(root + "/folder/kept", with: "data", syncing: false)
    try link(root + "/folder", at: root + "/link")
    try FileSystem.removeContents(of: root + "/link")
    #expect(!FileSystem.exists(root + "/link"))
    #expect(FileSystem.exists(root + "/folder/kept"))
    try FileSystem.removeContents(of: root + "/never-there")
  }

  @Test("replacing a file keeps its twin's contents and leaves no temporary file")
  func replaceIsAtomic() throws {
    let file = root + "/config"
    try FileSystem.replace(file, with: "old")
    try FileSystem.link(file, to: root + "/twin")
    try FileSystem.replace(file, with: "new")
    #expect(try FileSystem.contents(of: file) == Array("new".utf8))
    #expect(try FileSystem.contents(of: root + "/twin") == Array("old".utf8))
    #expect(try FileSystem.list(root).map(\.name).sorted() == ["config", "twin"])
  }

  @Test("a pipe is not replaced by a file")
  func replaceKeepsPipe() throws {
    let pipe = root + "/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    let error = try #require(throws: SystemError.self) { try FileSystem.replace(pipe, with: "x") }
    #expect(error.description == "cannot replace \(pipe): not a regular file")
    #expect(try FileSystem.status(pipe).kind == .pipe)
    #expect(try FileSystem.list(root).map(\.name) == ["pipe"])
  }

  @Test("the written path is that behind links, also behind one that leads to nothing")
  func writtenPath() throws {
    let real = try FileSystem.realPath(root)
    try FileSystem.makeFolders(root + "/folder")
    try link("folder/new", at: root + "/first")
    try link(root + "/first", at: root + "/second")
    try link("circle", at: root + "/circle")
    #expect(try FileSystem.writtenPath(root + "/second") == real + "/folder/new")
    #expect(try FileSystem.writtenPath(root + "/plain") == real + "/plain")
    try FileSystem.replace(root + "/folder/new", with: "")
    #expect(try FileSystem.writtenPath(root + "/second") == real + "/folder/new")
    let error = #expect(throws: SystemError.self) {
      try FileSystem.writtenPath(root + "/circle")
    }
    #expect(error?.errno == ELOOP)
  }

  @Test("an error names the operation, the path and the kernel's reason")
  func errorText() throws {
    let missing = root + "/missing/x"
    let error = try #require(throws: SystemError.self) { try FileSystem.open(missing) }
    #expect(error.description == "cannot open \(missing): No such file or directory")
    #expect(error.isMissing && !error.isDiskFull)

    let write = try #require(throws: SystemError.self) {
      try FileSystem.replace(missing, with: "x")
    }
    #expect(write.description == "cannot write \(missing): No such file or directory")

    let full = try #require(throws: SystemError.self) {
      try FileSystem.open("/dev/full", .writing).write(all: [1 as UInt8].span.bytes)
    }
    #expect(full.description == "cannot write to /dev/full: No space left on device")
    #expect(full.isDiskFull)
    let large = SystemError(errno: EFBIG, call: "write to", path: "/x")
    #expect(large.isTooLarge && !large.isDiskFull, "other files can still be written")
  }

  @Test("control characters of a path do not reach the message")
  func errorTextIsEscaped() {
    let error = SystemError(errno: 2, call: "open", path: "/a\u{1b}[31m\nb")
    #expect(error.description == "cannot open /a\\u{1b}[31m\\u{a}b: No such file or directory")
  }

  @Test("a file longer than the limit is refused, one of exactly the limit is read")
  func limits() throws {
    try FileSystem.replace(root + "/file", with: String(repeating: "x", count: 100_000))
    #expect(try FileSystem.contents(of: root + "/file", limit: 100_000).count == 100_000)
    let error = try #require(throws: SystemError.self) {
      try FileSystem.contents(of: root + "/file", limit: 99_999)
    }
    #expect(error.isTooLarge)
  }

  @Test("bytes written at offsets are read back, and reading stops at the end")
  func positions() throws {
    let file = try FileSystem.unnamedFile(in: root)
    try file.write(all: [1, 2, 3, 4 as UInt8].span.bytes)
    try file.write(all: [9, 8 as UInt8].span.bytes, at: 3)
    #expect(try file.bytes(count: 10, at: 1) == [2, 3, 9, 8])
    #expect(try file.status().size == 5)
    #expect(try file.status().linkCount == 0)
    #expect(try FileSystem.list(root).isEmpty)
    try file.truncate(to: 2)
    #expect(try file.status().size == 2)
  }

  @Test("a lock is refused to the second opening and free after the first is closed")
  func locks() throws {
    let first = try FileSystem.open(root + "/lock", .readingAndWriting, create: .ifMissing)
    let second = try FileSystem.open(root + "/lock", .readingAndWriting)
    #expect(try first.tryLock())
    #expect(try !second.tryLock())
    first.close()
    #expect(try second.tryLock())
  }

  @Test("a copy has the same contents, and an existing file is not overwritten")
  func copies() throws {
    try FileSystem.replace(root + "/a", with: String(repeating: "data", count: 50_000))
    try FileSystem.copy(root + "/a", to: root + "/b")
    #expect(try FileSystem.contents(of: root + "/a") == FileSystem.contents(of: root + "/b"))
    let error = try #require(throws: SystemError.self) {
      try FileSystem.copy(root + "/a", to: root + "/b")
    }
    #expect(error.alreadyExists)
  }

  @Test(
    "creating folders creates their parents, succeeds for existing folders, and never replaces a file"
  )
  func folders() throws {
    try FileSystem.makeFolders(root + "/a/b/c/")
    try FileSystem.makeFolders(root + "/a/b/c")
    try FileSystem.replace(root + "/file", with: "")
    #expect(throws: SystemError.self) { try FileSystem.makeFolders(root + "/file/sub") }
    #expect(throws: SystemError.self) { try FileSystem.makeFolders(root + "/file") }
    #expect(FileSystem.parentFolder(of: "/x") == "/")
    #expect(FileSystem.parentFolder(of: "x") == ".")
    #expect(FileSystem.parentFolder(of: "/x/y/") == "/x")
  }

  @Test("descriptors are closed by their owner and not inherited")
  func ownership() throws {
    let (reading, writing) = try Channels.pipe()
    var writer: OwnedDescriptor? = writing
    for descriptor in [reading, writing, try FileSystem.open(root + "/f", create: .ifMissing)] {
      #expect(fcntl(descriptor.raw, F_GETFD) & FD_CLOEXEC != 0)
    }
    try writer?.write(all: [7 as UInt8].span.bytes)
    writer = nil
    _ = consume writing
    // The end of the pipe shows that the writing side is closed.
    #expect(try reading.remainingBytes(limit: 10) == [7])
    reading.close()
    #expect(reading.raw == -1)
  }

  private func link(_ target: String, at path: String) throws {
    try #require(symlink(target, path) == 0)
  }
}
