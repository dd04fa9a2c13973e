import LibraryAPI
import Models
import SystemCalls

/// The files of what is being removed: written down before its rows go, worked off after.
///
/// A program that ends in between leaves neither rows without files nor files without rows: as long
/// as the rows are there nothing has been removed, and once they are gone the next start goes on.
struct RemovalList: Sendable {
  /// nil: everything.
  let record: RecordID?
  private let path: String
  private let root: String
  private let folder: ConfinedFolder

  private static let prefix = "removing-"
  private static let all = "all"
  private static let chunk = 1 << 16

  init(_ layout: LibraryLayout, of record: RecordID?) {
    self.record = record
    root = layout.root
    folder = layout.folder
    path = "\(layout.internals)/\(Self.prefix)\(record?.description ?? Self.all)"
  }

  /// Those that an earlier process left. Blocks.
  static func left(in layout: LibraryLayout) throws(SystemError) -> [RemovalList] {
    var lists: [RemovalList] = []
    for entry in try layout.folder.list(layout.internals) where entry.name.hasPrefix(prefix) {
      let name = entry.name.dropFirst(prefix.count)
      if name == all {
        lists.append(RemovalList(layout, of: nil))
      } else if let id = Int64(name) {
        lists.append(RemovalList(layout, of: RecordID(id)))
      }
    }
    return lists
  }

  /// Begins anew. Blocks.
  func begin() throws(SystemError) {
    _ = try folder.open(path, .writing, create: .replacing, mode: LibraryLayout.privateFile)
  }

  /// - Parameter names: below the root; a name of ours has no line break.
  func add(_ names: [String]) throws(SystemError) {
    let file = try folder.open(path, .writing)
    let lines = Array(names.map { $0 + "\n" }.joined().utf8)
    try file.write(all: lines.span.bytes, at: try file.status().size)
  }

  /// All of it survives a power cut.
  func sync() throws(SystemError) {
    try folder.open(path, .writing).sync()
    try folder.openFolder(FileSystem.parentFolder(of: path)).sync()
  }

  /// What was to be removed stays. Blocks.
  func drop() throws(SystemError) { try folder.removeIfThere(path) }

  /// Removes the files, then the folders in which they were if nothing else is there, then itself.
  /// A list that is not there has been worked off. Blocks.
  func workOff() throws(SystemError) {
    var folders: Set<String> = []
    guard folder.exists(path) else { return }
    try forEachLine { name throws(SystemError) in
      let file = "\(root)/\(name)"
      try folder.removeIfThere(file)
      var parent = FileSystem.parentFolder(of: file)
      while parent.utf8.count > root.utf8.count, folders.insert(parent).inserted {
        parent = FileSystem.parentFolder(of: parent)
      }
    }
    // Subfolders first; one that holds something of the user's stays.
    for path in folders.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      try? folder.removeFolder(path)
    }
    try drop()
  }

  private func forEachLine(
    _ body: (String) throws(SystemError) -> Void
  ) throws(SystemError) {
    let file = try folder.open(path)
    var offset: Int64 = 0
    var rest: [UInt8] = []
    while case let bytes = try file.bytes(count: Self.chunk, at: offset), !bytes.isEmpty {
      offset += Int64(bytes.count)
      rest += bytes
      var start = rest.startIndex
      while let end = rest[start...].firstIndex(of: 0x0a) {
        try body(String(decoding: rest[start..<end], as: UTF8.self))
        start = end + 1
      }
      rest.removeFirst(start)
    }
  }
}
