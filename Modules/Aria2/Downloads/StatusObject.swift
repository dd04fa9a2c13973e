import JSON
import Models

/// Renders downloads as aria2's status objects, in which every number is a text.
struct StatusObject {
  /// The size in bytes of the pieces that a status object counts. The library does not divide files, so this
  /// is aria2's standard size.
  private static let pieceBytes: Int64 = 1_048_576

  let download: Download
  /// The absolute path of the folder, if the library has not created it yet.
  let folder: String
  /// The name for the file that the options demand.
  let fileName: String?

  /// Returns the whole object, or only the members with these names.
  func json(keys: [String]?) -> JSONValue {
    guard let keys, !keys.isEmpty else { return .object(members) }
    let wanted = Set(keys)
    return .object(members.filter { wanted.contains($0.name) })
  }

  private var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ text: String) { members.append(.init(name, .string(text))) }
    if let bitfield { add("bitfield", bitfield) }
    add("completedLength", "\(download.completedBytes)")
    add("connections", "\(download.connections)")
    add("dir", download.folder ?? folder)
    add("downloadSpeed", "\(download.bytesPerSecond)")
    if download.status.isStopped {
      add("errorCode", "\(errorCode)")
      add("errorMessage", download.errorMessage ?? "")
    }
    members.append(.init("files", files))
    add("gid", download.gid.description)
    add("numPieces", "\(pieceCount)")
    add("pieceLength", "\(Self.pieceBytes)")
    add("status", download.status.rawValue)
    add("totalLength", "\(total)")
    add("uploadLength", "0")
    add("uploadSpeed", "0")
    return members
  }

  private var errorCode: Int {
    switch download.status {
    case .complete: 0
    case .removed: ErrorCode.removed.rawValue
    default: (download.errorCode ?? .unknown).rawValue
    }
  }

  /// The path of the file. Until it is complete, the library has not chosen its name, so the path is the one
  /// that aria2 would choose; empty before the first start.
  private var path: String {
    if let path = download.path { return path }
    guard download.status != .complete, let uri = download.usedURI else { return "" }
    let component = DownloadURI(uri)?.url?.lastPathComponent.split(separator: "/").last
    guard let name = fileName ?? component.map(String.init) else { return "" }
    return "\(download.folder ?? folder)/\(name)"
  }

  /// The list with the only file of the download.
  var files: JSONValue {
    .array([
      [
        "index": .string("1"), "path": .string(path), "length": .string("\(total)"),
        "completedLength": .string("\(download.completedBytes)"), "selected": .string("true"),
        "uris": uris,
      ]
    ])
  }

  /// The URIs; the one that is being downloaded is in use.
  var uris: JSONValue {
    let used =
      download.usedURI.map { [($0, download.status == .active ? "used" : "waiting")] } ?? []
    return .array(
      (used + download.waitingURIs.map { ($0, "waiting") }).map { uri, status in
        ["status": .string(status), "uri": .string(uri)]
      })
  }

  /// The servers of an active download.
  var servers: JSONValue {
    guard let uri = download.usedURI else { return .array([]) }
    return .array([
      [
        "index": .string("1"),
        "servers": .array([
          [
            "currentUri": .string(uri), "downloadSpeed": .string("\(download.bytesPerSecond)"),
            "uri": .string(uri),
          ]
        ]),
      ]
    ])
  }

  private var total: Int64 { download.totalBytes ?? 0 }

  private var pieceCount: Int64 { total / Self.pieceBytes + (total % Self.pieceBytes > 0 ? 1 : 0) }

  /// The maximum number of pieces of a bit field, which bounds the size of a status object.
  private static let bitfieldLimit: Int64 = 16_384

  /// The complete pieces as hexadecimal digits, the first piece in the highest bit; nil if the size is
  /// unknown.
  private var bitfield: String? {
    let count = pieceCount
    guard count > 0, count <= Self.bitfieldLimit else { return nil }
    let done =
      download.completedBytes >= total
      ? count : min(count, download.completedBytes / Self.pieceBytes)
    return String(
      decoding: (0..<(count + 7) / 8).flatMap { byte -> [UInt8] in
        let bits = (0..<8).reduce(0) { $0 << 1 | (byte * 8 + Int64($1) < done ? 1 : 0) }
        let digits = Array("0123456789abcdef".utf8)
        return [digits[bits >> 4], digits[bits & 15]]
      }, as: UTF8.self)
  }
}
