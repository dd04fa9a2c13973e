public import Models
package import SystemCalls

/// Where things are in a library's folder. Making one touches nothing.
public struct LibraryLayout: Sendable, Equatable {
  /// Absolute path of the library.
  public let root: String

  /// The library's folder, through which everything in it is opened, so that no symbolic link leads
  /// out of it.
  package let folder: ConfinedFolder

  /// Where partial files are.
  public let incoming: String

  public init(root: String) {
    self.root = root
    incoming = root + "/.imgdl/incoming"
    folder = ConfinedFolder(root, busiest: incoming)
  }

  public static func == (one: LibraryLayout, other: LibraryLayout) -> Bool {
    one.root == other.root
  }

  /// Everything that is ours and not a picture.
  public var internals: String { root + "/.imgdl" }
  public var renditions: String { internals + "/renditions" }
  /// Folder of the loose record, as its row names it: what no record of the list owns.
  public static let looseFolder = ".imgdl/loose"
  public var loose: String { "\(root)/\(Self.looseFolder)" }
  public var lock: String { internals + "/lock" }
  public var settings: String { internals + "/config.json" }

  public func partial(of request: RequestKey) -> String {
    String(octets: incoming.utf8.count + 1 + Self.partialNameLength) { path in
      path.append(incoming)
      path.append(UInt8(ascii: "/"))
      Self.append(request, to: &path)
    }
  }

  package static func partialName(of request: RequestKey) -> String {
    String(octets: partialNameLength) { append(request, to: &$0) }
  }

  private static func append(_ request: RequestKey, to path: inout OutputSpan<UInt8>) {
    path.append(request)
    path.append(partialSuffix)
  }

  private static let partialSuffix = ".part"
  private static let partialNameLength = RequestKey.length + partialSuffix.utf8.count

  public func folder(of record: Record) -> String { "\(root)/\(record.folder)" }

  public func original(_ file: StoredFile, in record: Record) -> String {
    "\(folder(of: record))/\(file.name)"
  }

  /// - Parameter name: as in `Page.file` and `Page.thumbnail`.
  public func rendition(_ name: String) -> String { "\(renditions)/\(name)" }
}

extension Record {
  /// Whether it keeps what no record owns. By its row: it is there before the engine that makes it
  /// knows its id.
  package var isStandalone: Bool { folder == LibraryLayout.looseFolder }
}
