import Glibc
import SystemCalls
import TestSupport
import Testing

/// Nothing that is done through a confined folder reaches what lies outside it, whether the kernel
/// walks the path or each folder is opened in turn.
@Suite struct ConfinedFolderTests {
  private let scratch: TemporaryFolder
  private let inside: String
  private let outside: String

  init() throws {
    scratch = try TemporaryFolder()
    inside = scratch.path + "/inside"
    outside = scratch.path + "/outside"
    for path in [inside + "/folder/sub", outside + "/sub"] { try FileSystem.makeFolders(path) }
    for path in [inside + "/file", inside + "/folder/a", outside + "/a", outside + "/sub/b"] {
      try FileSystem.replace(path, with: "contents", syncing: false)
    }
    for (target, name) in [("/outside", "/link"), ("/outside/a", "/folder/filelink")] {
      #expect(symlink(scratch.path + target, inside + name) == 0)
    }
    #expect(symlink("..", inside + "/up") == 0)
  }

  private func folder(_ usesOpenat2: Bool) -> ConfinedFolder {
    ConfinedFolder(inside, followingLinks: true, pinnedSubfolder: nil, usesOpenat2: usesOpenat2)
  }

  /// Path → modification time and size of everything outside.
  private func outsideState() throws -> [String: [Int64]] {
    var state: [String: [Int64]] = [:]
    for path in ["", "/a", "/sub", "/sub/b"] {
      let status = try FileSystem.status(outside + path, followingLinks: false)
      state[path] = [status.modified, status.size, Int64(status.mode), Int64(status.linkCount)]
    }
    let names =
      try FileSystem.list(outside).map(\.name) + FileSystem.list(outside + "/sub").map(\.name)
    for name in names { state[name] = [] }
    return state
  }

  private static let calls: [(String, @Sendable (ConfinedFolder, String) throws -> Void)] = [
    ("open", { _ = try $0.open($1 + "/a") }),
    ("write", { _ = try $0.open($1 + "/a", .writing, create: .replacing) }),
    ("create", { _ = try $0.open($1 + "/new", .writing, create: .mustNotExist) }),
    ("open folder", { _ = try $0.openFolder($1) }),
    ("list", { _ = try $0.list($1) }),
    ("contents", { _ = try $0.contents(of: $1 + "/a") }),
    ("status", { _ = try $0.status($1 + "/a") }),
    ("mode", { try $0.restrictMode(of: $1 + "/a", to: 0o400) }),
    ("mode of the folder", { try $0.restrictMode(of: $1, to: 0o500) }),
    ("rename to", { try $0.rename("file", to: $1 + "/new") }),
    ("rename over", { try $0.rename("file", to: $1 + "/a") }),
    ("rename from", { try $0.rename($1 + "/a", to: "new") }),
    ("move", { try $0.moveIntoFolders("file", to: $1 + "/x/new") }),
    ("link to", { try $0.link("file", to: $1 + "/new") }),
    ("link from", { try $0.link($1 + "/a", to: "new") }),
    ("remove", { try $0.remove($1 + "/a") }),
    ("remove if exists", { try $0.removeIfExists($1 + "/a") }),
    ("remove folder", { try $0.removeFolder($1 + "/sub") }),
    ("remove tree", { try $0.removeTree($1 + "/sub") }),
    ("remove contents", { try $0.removeContents(of: $1 + "/sub") }),
    ("make folders", { try $0.makeFolders($1 + "/x/y") }),
    ("make the folder", { try $0.makeFolders($1) }),
    ("copy to", { try $0.copy("file", to: $1 + "/new") }),
    ("copy from", { try $0.copy($1 + "/a", to: "new") }),
  ]

  @Test(
    "no call follows a link on the way; its error names the link",
    arguments: ["link", "folder/../link", "up/outside"], [true, false])
  func refusesLinks(way: String, usesOpenat2: Bool) throws {
    for (name, call) in Self.calls {
      let before = try outsideState()
      do {
        try call(folder(usesOpenat2), inside + "/" + way)
        Issue.record("\(name) followed \(way)")
      } catch let error as SystemError {
        if way == "link" {
          #expect(error.isSymbolicLink, "\(name): \(error)")
          #expect(error.path == inside + "/link", "\(name): \(error)")
        }
      }
      #expect(try outsideState() == before, "\(name)")
    }
  }

  @Test(
    "a link in the last place is not followed, and is removed as a link", arguments: [true, false])
  func lastLink(usesOpenat2: Bool) throws {
    let before = try outsideState()
    let folder = folder(usesOpenat2)
    let link = inside + "/folder/filelink"
    for access in [FileSystem.Access.reading, .writing] {
      #expect(throws: SystemError.symbolicLink("open", path: link)) {
        _ = try folder.open(link, access)
      }
    }
    #expect(throws: SystemError.symbolicLink("create", path: link)) {
      _ = try folder.open(link, .writing, create: .replacing)
    }
    #expect(try folder.status(link).kind == .link)
    #expect(folder.exists(link))
    try folder.remove(link)
    try folder.removeContents(of: inside + "/link")
    #expect(!folder.exists("link"))
    #expect(try outsideState() == before)
  }

  @Test("paths beside or above the folder are refused", arguments: [true, false])
  func staysInside(usesOpenat2: Bool) throws {
    let folder = folder(usesOpenat2)
    for path in [
      "../outside/a", outside + "/a", inside + "/../outside/a", "folder/../../outside/a",
    ] {
      #expect(throws: SystemError.self, "\(path)") { _ = try folder.open(path) }
      #expect(throws: SystemError.self, "\(path)") { try folder.remove(path) }
    }
    #expect(FileSystem.exists(outside + "/a"))
  }

  @Test("absolute and relative paths name the same files", arguments: [true, false])
  func names(usesOpenat2: Bool) throws {
    let folder = folder(usesOpenat2)
    #expect(try folder.contents(of: "folder/a") == Array("contents".utf8))
    #expect(try folder.contents(of: inside + "/folder/a") == Array("contents".utf8))
    try folder.moveIntoFolders(inside + "/folder/a", to: "x/y/z")
    #expect(try folder.list("x/y").map(\.name) == ["z"])
    try folder.link("x/y/z", to: inside + "/second")
    #expect(try folder.status("second").linkCount == 2)
    try folder.removeTree("x")
    #expect(!folder.exists("x"))
    #expect(try folder.contents(of: "second") == Array("contents".utf8))
    #expect(throws: SystemError.self) { try folder.remove("missing") }
    try folder.removeIfExists("missing/too")
  }

  @Test("the folder itself may be reached through a link, unless that is refused")
  func root() throws {
    let link = scratch.path + "/root"
    #expect(symlink(inside, link) == 0)
    #expect(try ConfinedFolder(link).contents(of: link + "/file") == Array("contents".utf8))
    #expect(throws: SystemError.symbolicLink("open", path: link)) {
      _ = try ConfinedFolder(link, followingLinks: false).contents(of: "file")
    }
  }

  @Test("a folder that is open and was removed is opened again")
  func removedFolder() throws {
    let folder = ConfinedFolder(inside, pinnedSubfolder: inside + "/folder")
    try folder.rename("file", to: inside + "/folder/b")
    try FileSystem.removeTree(inside + "/folder")
    #expect(throws: SystemError.self) { try folder.remove(inside + "/folder/b") }
    try FileSystem.makeFolders(inside + "/folder")
    try FileSystem.replace(inside + "/folder/b", with: "again", syncing: false)
    try folder.rename(inside + "/folder/b", to: "c")
    #expect(try folder.contents(of: "c") == Array("again".utf8))
  }
}
