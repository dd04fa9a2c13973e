import Glibc
import Hashing
import LibraryAPI
import Models
import Persistence
import SystemCalls
import Testing
import TestSupport
@testable import Engine

/// Where files go, and which of them are one file of several names.
@Suite struct PlacementTests {
  private let folder: TemporaryFolder
  private let layout: LibraryLayout
  private let record = Record(
    id: RecordID(1), source: SourceID(1), title: "birds", folder: "birds")
  private let content = Array("a heron".utf8)

  init() throws {
    folder = try TemporaryFolder()
    layout = LibraryLayout(root: folder.path)
    try FileSystem.makeFolders(layout.incoming)
    try FileSystem.makeFolders(folder.path + "/birds")
  }

  private func path(_ name: String) -> String { "\(folder.path)/birds/\(name)" }

  private func arrival(
    _ name: String, _ origin: CommitWork.Arrival.Origin, id: Int64 = 7
  ) -> CommitWork.Arrival {
    let file = StoredFile(
      name: name, byteCount: Int64(content.count), digest: SHA256Hasher.hash(of: content),
      format: .png)
    return CommitWork.Arrival(
      resource: Resource(id: ResourceID(id), record: record.id, index: 1, url: "http://h/\(id)"),
      file: file, record: record, origin: origin, followUp: .fetched(ResourceID(id)))
  }

  private func duplicate(_ name: String) -> CommitWork.Arrival.Origin {
    .existing(
      ExistingFile(
        resource: ResourceID(1), record: record.id, folder: "birds",
        file: StoredFile(
          name: name, byteCount: Int64(content.count), digest: SHA256Hasher.hash(of: content),
          format: .png)))
  }

  private func leavePartial() throws -> RequestKey {
    let request = RequestKey(high: 1, low: 1)
    try FileSystem.replace(layout.partial(of: request), with: content.span.bytes)
    return request
  }

  private func write(_ name: String, _ bytes: [UInt8]? = nil) throws {
    let bytes = bytes ?? content
    try FileSystem.replace(path(name), with: bytes.span.bytes)
  }

  private func links(_ name: String) throws -> UInt64 {
    try FileSystem.status(path(name)).linkCount
  }

  /// A file system where a file can have only so many names.
  private func limited(_ count: UInt64, _ code: Int32 = EMLINK) -> Placement {
    Placement(layout) { path, new in
      guard try FileSystem.status(path).linkCount < count else {
        throw SystemError(errno: code, call: "link", path: path)
      }
      try FileSystem.link(path, to: new)
    }
  }

  private func checkNoLitter(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try FileSystem.list(layout.incoming).isEmpty, sourceLocation: sourceLocation)
  }

  @Test("A partial file is moved to its name, over what has it")
  func moves() throws {
    try write("1.png", [9])
    let request = try leavePartial()
    #expect(try Placement(layout).place(arrival("1.png", .partial(request))))
    #expect(try FileSystem.contents(of: path("1.png")) == content)
    try checkNoLitter()
  }

  @Test("A partial file of content that is there becomes another name of it")
  func linksPartial() throws {
    try write("1.png")
    let request = try leavePartial()
    #expect(
      try Placement(layout).place(arrival("2.png", .partial(request)), duplicates: [path("1.png")]))
    #expect(try links("1.png") == 2)
    try checkNoLitter()
  }

  @Test("A twin becomes another name of the first that is there")
  func linksTwin() throws {
    try write("2.png")
    #expect(
      try Placement(layout).place(
        arrival("3.png", duplicate("1.png")), duplicates: [path("1.png"), path("2.png")]))
    #expect(try links("2.png") == 2)
    try checkNoLitter()
  }

  @Test("A twin of which nothing is there is said to be lost", arguments: 0..<5)
  func lost(kind: Int) throws {
    switch kind {
    case 0: break
    case 1: try write("1.png", [1])
    case 2: try FileSystem.makeFolders(path("1.png"))
    case 3:
      try write("real.png")
      try #require(symlink(path("real.png"), path("1.png")) == 0)
    default: try write("1.png", content.reversed())
    }
    #expect(
      try !Placement(layout).place(
        arrival("2.png", duplicate("1.png")), duplicates: [path("1.png")]))
    #expect(!FileSystem.exists(path("2.png")))
    try checkNoLitter()
  }

  @Test("A twin becomes another name of the first that still has its content")
  func skipsChangedTwin() throws {
    try write("1.png", content.reversed())
    try write("2.png")
    try write("3.png", content.reversed())
    #expect(
      try Placement(layout).place(
        arrival("3.png", duplicate("1.png")),
        duplicates: [path("1.png"), path("3.png"), path("2.png")]))
    #expect(try FileSystem.contents(of: path("3.png")) == content)
    #expect(try links("2.png") == 2 && links("1.png") == 1)
    try checkNoLitter()
  }

  @Test("A file is read again as soon as it has changed")
  func intact() throws {
    let files = IntactFiles()
    let file = arrival("1.png", duplicate("1.png")).file
    try write("1.png")
    for _ in 1...2 { #expect(files.has(file, at: path("1.png"), in: layout.folder)) }
    try write("1.png", content.reversed())
    for _ in 1...2 { #expect(!files.has(file, at: path("1.png"), in: layout.folder)) }
    try FileSystem.remove(path("1.png"))
    #expect(!files.has(file, at: path("1.png"), in: layout.folder))
  }

  @Test("A file that has its name already stays as it is")
  func inPlace() throws {
    try write("1.png")
    let inode = try FileSystem.status(path("1.png")).inode
    #expect(
      try Placement(layout).place(arrival("1.png", duplicate("1.png")), duplicates: [path("1.png")])
    )
    #expect(try FileSystem.status(path("1.png")).inode == inode)
    let request = try leavePartial()
    #expect(
      try Placement(layout).place(arrival("1.png", .partial(request)), duplicates: [path("1.png")]))
    #expect(try FileSystem.status(path("1.png")).inode == inode)
    try checkNoLitter()
  }

  @Test("Replacing one name leaves the others with the old content")
  func replaces() throws {
    try write("1.png", [1, 2, 3])
    try FileSystem.link(path("1.png"), to: path("twin.png"))
    let request = try leavePartial()
    #expect(try Placement(layout).place(arrival("1.png", .partial(request))))
    #expect(try FileSystem.contents(of: path("1.png")) == content)
    #expect(try FileSystem.contents(of: path("twin.png")) == [1, 2, 3])
  }

  @Test("Where a file has as many names as it can have a copy begins a new one")
  func tooManyLinks() throws {
    let placement = limited(3)
    try write("1.png")
    var known = [path("1.png")]
    for number in 2...9 {
      let name = "\(number).png"
      // The last one first, as the committer gives them.
      #expect(
        try placement.place(
          arrival(name, duplicate("1.png"), id: Int64(number)), duplicates: known.reversed()))
      known.append(path(name))
    }
    let inodes = try known.map { try FileSystem.status($0).inode }
    #expect(Set(inodes).count == 3)
    for path in known { #expect(try FileSystem.contents(of: path) == content) }
    try checkNoLitter()
  }

  @Test("Where links do not work files are copied", arguments: [EPERM, EOPNOTSUPP, EXDEV, ENOSYS])
  func noLinks(code: Int32) throws {
    let placement = limited(0, code)
    try write("1.png")
    #expect(try placement.place(arrival("2.png", duplicate("1.png")), duplicates: [path("1.png")]))
    #expect(try FileSystem.contents(of: path("2.png")) == content)
    #expect(try links("1.png") == 1)
    // What was downloaded is there already: it is moved.
    let request = try leavePartial()
    #expect(try placement.place(arrival("3.png", .partial(request)), duplicates: [path("1.png")]))
    #expect(try FileSystem.contents(of: path("3.png")) == content)
    try checkNoLitter()
  }

  @Test("A disk that fails is not taken for one without links")
  func diskFails() throws {
    let placement = limited(0, EIO)
    try write("1.png")
    let broken = arrival("2.png", duplicate("1.png"))
    #expect(throws: SystemError.self) {
      try placement.place(broken, duplicates: [path("1.png")])
    }
    #expect(!FileSystem.exists(path("2.png")))
  }

  @Test("A real file system's limit is met as the played one is")
  func realLimit() throws {
    try write("1.png")
    // Only where there is one that can be reached in a moment (65,000 on ext4).
    let limit = folder.path.withCString { pathconf($0, Int32(_PC_LINK_MAX)) }
    guard (2...100_000).contains(limit) else { return }
    for number in 1..<limit { try FileSystem.link(path("1.png"), to: path("x\(number)")) }
    #expect(
      try Placement(layout).place(arrival("2.png", duplicate("1.png")), duplicates: [path("1.png")])
    )
    #expect(try FileSystem.contents(of: path("2.png")) == content)
    #expect(try links("2.png") == 1)
  }

  @Test("The names of a content are given newest first; one that gets other content is gone")
  func duplicates() {
    var duplicates = DuplicateFiles()
    let (a, b) = (SHA256Hasher.hash(of: [1]), SHA256Hasher.hash(of: [2]))
    duplicates.register("/x", a)
    duplicates.register("/y", a)
    duplicates.register("/y", a)
    #expect(duplicates.paths(of: a) == ["/y", "/x"] && duplicates.paths(of: b) == [])
    duplicates.register("/x", b)
    #expect(duplicates.paths(of: a) == ["/y"] && duplicates.paths(of: b) == ["/x"])
    for number in 0..<100 { duplicates.register("/\(number)", a) }
    #expect(duplicates.paths(of: a).prefix(2) == ["/99", "/98"])
    #expect(duplicates.paths(of: a).count < 100, "not all of many names are worth a try")
  }

  @Test("A file that has as many names as it can have is copied over the one that it replaces")
  func replacesByCopy() throws {
    let placement = limited(1)
    try write("1.png")
    try write("2.png", [9])
    #expect(try placement.place(arrival("2.png", duplicate("1.png")), duplicates: [path("1.png")]))
    #expect(try FileSystem.contents(of: path("2.png")) == content)
    #expect(try links("1.png") == 1)
    try checkNoLitter()
  }
}
