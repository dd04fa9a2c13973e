import HTTP1
import LibraryAPI
import Models

/// The response with several thumbnails. A browser opens only six connections to a server, so that a request
/// for each image on the screen would take many round trips.
enum ThumbnailList {
  struct Wanted: Equatable {
    let id: ResourceID
    let version: String
  }

  /// The maximum number of thumbnails in a response.
  static let limit = 64
  /// The maximum size of a thumbnail in bytes; a larger one has a response of its own.
  static let byteLimit = 1 << 20

  /// Parses `ID.VERSION,ID.VERSION,…`.
  static func parse(_ text: String) throws(ControlError) -> [Wanted] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= limit else {
      throw ControlError(.badRequest, "\"of\" names more than \(limit) thumbnails")
    }
    var wanted: [Wanted] = []
    for part in parts {
      let pair = part.split(separator: ".", omittingEmptySubsequences: false)
      guard pair.count == 2, let id = Int64(oneSpelling: pair[0]), id > 0, !pair[1].isEmpty else {
        throw ControlError(.badRequest, "\"of\" is not a list of ID.VERSION")
      }
      wanted.append(Wanted(id: ResourceID(id), version: String(pair[1])))
    }
    return wanted
  }

  /// Returns the response: for each thumbnail its length as four bytes in little-endian order, and its
  /// content. A length of 0 means that the thumbnail does not exist or is not whole; such a response may change later.
  /// - Parameters:
  ///   - names: The names of the thumbnails.
  ///   - check: The check of these thumbnails.
  static func response(
    _ names: [String?], _ check: RenditionCheck, below root: String
  ) async -> ControlResponse {
    var body: [UInt8] = []
    var isComplete = true
    for name in names {
      let bytes = await file(name, check, below: root)
      if bytes.isEmpty { isComplete = false }
      for shift in stride(from: 0, to: 32, by: 8) {
        body.append(UInt8(truncatingIfNeeded: bytes.count >> shift))
      }
      body += bytes
    }
    let caching = isComplete ? "private, max-age=31536000, immutable" : "no-store"
    return ControlResponse(
      status: 200,
      fields: HTTPFields([
        "Content-Type": "application/octet-stream", "Content-Disposition": "attachment",
        "Cache-Control": caching,
      ]), body: body)
  }

  private static func file(
    _ name: String?, _ check: RenditionCheck, below root: String
  ) async -> [UInt8] {
    guard let name, let file = await ServedFile.open(ServedFile.path(of: name), below: root),
      file.length <= byteLimit, let bytes = await file.bytes(at: 0, limit: byteLimit),
      check.isWhole(name, content: bytes)
    else { return [] }
    return bytes
  }
}
