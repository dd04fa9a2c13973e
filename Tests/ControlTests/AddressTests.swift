import Glibc
import SystemCalls
import TestSupport
import Testing

@testable import Control

@Suite("Address of a library")
struct AddressTests {
  @Test("is in the runtime folder of the user, and short however deep the library lies")
  func runtimeFolder() throws {
    let folder = try TemporaryFolder()
    let deep = folder.path + "/" + Array(repeating: "a long name", count: 60).joined(separator: "/")
    try FileSystem.makeFolders(deep)
    let runtime = folder.path + "/run"
    try FileSystem.makeFolders(runtime)
    let address = try ControlAddress(libraryRoot: deep, runtimeFolder: runtime, user: getuid())
    #expect(address.folder == runtime + "/imgdl")
    #expect(address.path.utf8.count <= 107)
    #expect(address.path.hasSuffix(".sock"))
  }

  @Test("is the same for every path that leads to the library, and another for another library")
  func realPath() throws {
    let folder = try TemporaryFolder()
    try FileSystem.makeFolders(folder.path + "/library")
    try FileSystem.makeFolders(folder.path + "/library2")
    #expect(symlink(folder.path + "/library", folder.path + "/link") == 0)
    let address = try ControlAddress(libraryRoot: folder.path + "/library")
    #expect(try ControlAddress(libraryRoot: folder.path + "/link") == address)
    #expect(try ControlAddress(libraryRoot: folder.path + "/library2/../library/.") == address)
    #expect(try ControlAddress(libraryRoot: folder.path + "/library2") != address)
    #expect(throws: ControlError.self) {
      try ControlAddress(libraryRoot: folder.path + "/missing")
    }
  }

  @Test("is below /tmp where there is no runtime folder, or it is too long, or not the user's")
  func fallback() throws {
    let folder = try TemporaryFolder()
    let long = folder.path + "/" + String(repeating: "x", count: 80)
    try FileSystem.makeFolders(long)
    let file = try folder.write("file", [])
    for runtime in [nil, "", "relative", folder.path + "/missing", long, file] {
      let address = try ControlAddress(
        libraryRoot: folder.path, runtimeFolder: runtime, user: getuid())
      #expect(address.folder == "/tmp/imgdl-\(getuid())")
    }
    let stranger = try ControlAddress(
      libraryRoot: folder.path, runtimeFolder: folder.path, user: getuid() + 1)
    #expect(stranger.folder == "/tmp/imgdl-\(getuid() + 1)")
  }

  @Test("has a folder that is made for its owner alone, and closed to others if it is not")
  func folderMode() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    try SocketFolder.prepare(path, user: getuid())
    #expect(try FileSystem.status(path).mode == 0o700)
    #expect(chmod(path, 0o777) == 0)
    #expect(!SocketFolder.isSafe(path, user: getuid()))
    try SocketFolder.prepare(path, user: getuid())
    #expect(try FileSystem.status(path).mode == 0o700)
    #expect(SocketFolder.isSafe(path, user: getuid()))
  }

  @Test("refuses a folder of another user, a link and a file")
  func foreignFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    try SocketFolder.prepare(path, user: getuid())
    #expect(throws: ControlError.self) { try SocketFolder.prepare(path, user: getuid() + 1) }
    #expect(!SocketFolder.isSafe(path, user: getuid() + 1))
    #expect(symlink(path, folder.path + "/link") == 0)
    #expect(throws: ControlError.self) {
      try SocketFolder.prepare(folder.path + "/link", user: getuid())
    }
    let file = try folder.write("file", [])
    #expect(throws: ControlError.self) { try SocketFolder.prepare(file, user: getuid()) }
  }

  @Test("has a socket for its owner alone, in place of one that was left, never of another file")
  func socketFile() throws {
    let folder = try TemporaryFolder()
    let address = ControlAddress(path: folder.path + "/s/socket")
    let first = try ControlListener(address)
    #expect(try FileSystem.status(address.path).mode == 0o600)
    let second = try ControlListener(address)
    // What the first had is not its any more.
    first.removeFile()
    #expect(FileSystem.exists(address.path))
    second.removeFile()
    #expect(!FileSystem.exists(address.path))
    try FileSystem.replace(address.path, with: "mine")
    #expect(throws: ControlError.self) { try ControlListener(address) }
    #expect(try FileSystem.contents(of: address.path) == Array("mine".utf8))
  }

  @Test("is the second line of the lock file, if that is whole")
  func lockFile() {
    func holder(_ text: String) -> LockHolder? { LockHolder(lockFile: Array(text.utf8)) }
    #expect(holder("12\n/run/x.sock\n")?.address?.path == "/run/x.sock")
    #expect(holder("12\n/run/x.sock\n")?.processID == 12)
    #expect(holder("12\n")?.processID == 12)
    for text in ["12\n", "12\n/run/x.so", "12\nrun/x\n", "12\n\n", "12\n/\(long)\n"] {
      #expect(holder(text) != nil)
      #expect(holder(text)?.address == nil)
    }
    for text in ["", "12", "x\n/run/x\n", "-1\n", "0\n", "99999999999\n", "\n/run/x\n"] {
      #expect(holder(text) == nil)
    }
  }

  private let long = String(repeating: "x", count: 107)
}
