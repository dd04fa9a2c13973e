public import Models
package import SystemCalls

/// The paths of a library's files and folders. Creating a layout does not touch the file system.
public struct LibraryLayout: Sendable, Equatable {
  /// The absolute path of the library.
  public let root: String

  /// The library's folder. All files in it are opened relative to this folder, so that no symbolic link leads
  /// out of the library.
  package let folder: ConfinedFolder

  /// The folder for partial files.
  public let incoming: String

  public init(root: String) { self.init(root: root, refusing: nil) }

  /// - Parameter refusal: The errors of additions to the library's folder, by which a test plays a full disk.
  package init(root: String, refusing refusal: ConfinedFolder.Refusal?) {
    self.root = root
    incoming = root + "/.imgdl/incoming"
    folder = ConfinedFolder(root, pinnedSubfolder: incoming, refusing: refusal)
  }

  public static func == (one: LibraryLayout, other: LibraryLayout) -> Bool {
    one.root == other.root
  }

  /// The folder for all internal files. Originals are outside of it, except for those of standalone
  /// resources.
  public var internals: String { root + "/.imgdl" }
  public var renditions: String { internals + "/renditions" }
  /// The folder of standalone resources, relative to the library.
  public static let standaloneFolder = ".imgdl/standalone"
  public var standalone: String { "\(root)/\(Self.standaloneFolder)" }
  public var lock: String { internals + "/lock" }
  public var settings: String { internals + "/config.json" }

  public func partial(of request: RequestKey) -> String {
    String(utf8Capacity: incoming.utf8.count + 1 + Self.partialNameLength) { path in
      path.append(incoming)
      path.append(UInt8(ascii: "/"))
      Self.append(request, to: &path)
    }
  }

  package static func partialName(of request: RequestKey) -> String {
    String(utf8Capacity: partialNameLength) { append(request, to: &$0) }
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

  /// Returns the path of a rendition.
  /// - Parameter name: The name of the file, as in `Page.file` and `Page.thumbnail`.
  public func rendition(_ name: String) -> String { "\(renditions)/\(name)" }
}

extension Record {
  /// Whether this is the record of standalone resources. The folder decides, because the record may exist
  /// before the engine has read its id.
  package var isStandalone: Bool { folder == LibraryLayout.standaloneFolder }
}
