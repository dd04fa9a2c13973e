import FoundationEssentials
import Models
import Persistence

/// The body of `POST /v1/records/{record}/views`.
struct ViewRequestMessage: Codable, Equatable {
  /// The states of the resources to include; nil means all.
  var states: [String]?
  /// The sort order: `position` (also if missing), `size` or `duration`.
  var order: String?
  var descending: Bool?
  /// The number of leading tiles to include in the response; missing means none.
  var tiles: Int?

  func tileCount(limit: Int) throws(ControlError) -> Int {
    guard (0...limit).contains(tiles ?? 0) else {
      throw ControlError(.badBody, "\"tiles\" is not a number from 0 to \(limit)")
    }
    return tiles ?? 0
  }

  func selection() throws(ControlError) -> ResourceSelection {
    var selection = ResourceSelection(isDescending: descending ?? false)
    if let states {
      selection.states = []
      for name in states {
        guard let state = ResourceState(rawValue: name) else {
          let names = ResourceState.allCases.map(\.rawValue).joined(separator: ", ")
          throw ControlError(.badBody, "\"states\" contains a name that is none of \(names)")
        }
        selection.states?.insert(state)
      }
    }
    if let order {
      guard let known = ResourceSelection.Order(rawValue: order) else {
        let names = ResourceSelection.Order.allCases.map(\.rawValue).joined(separator: ", ")
        throw ControlError(.badBody, "\"order\" is not one of \(names)")
      }
      selection.order = known
    }
    return selection
  }
}

/// The response to `POST /v1/records/{record}/views`.
struct ViewMessage: Codable, Equatable {
  /// The id of the view: 16 hexadecimal digits.
  var view: String
  var record: Int64
  /// The number of resources in the view.
  var total: Int
  /// The number of the last event before the view was created.
  var seq: UInt64
  /// The first tiles; missing unless the request names their number.
  var tiles: TilesMessage?
}

/// `GET /v1/views/{view}/tiles`: a range of a view's tiles, as arrays of the same length. Bytes are base64.
struct TilesMessage: Codable, Equatable {
  /// The index of the first tile in the view.
  var from: Int
  /// The number of resources in the view.
  var total: Int
  var ids: [Int64]
  /// The state of each resource: 0 queued, 1 stored, 2 fetched, 3 finished, 4 failed, 255 removed.
  var states: Data
  /// The aspect ratio of each first page, or of the image that is being downloaded: 64 × width ÷ height, from
  /// 1 to 255; 0 if unknown.
  var ratios: Data
  /// The ThumbHash of each resource's first page, preceded by a byte with the length of the hash; 0 if there
  /// is none.
  var hashes: Data
  /// The version of each thumbnail, for the query of its address; empty if there is no thumbnail.
  var thumbnails: [String]
  /// The status as text of each resource that is not finished, keyed by the resource's index in the arrays.
  var texts: [String: String]
  /// The format and the number of pages of each finished document, archive and other resource with several pages, and
  /// of each GIF, such as `PDF · 8`; keyed by the resource's index in the arrays.
  var badges: [String: String]

  static let removed: UInt8 = 255

  init(from: Int, total: Int) {
    self.from = from
    self.total = total
    ids = []
    states = Data()
    ratios = Data()
    hashes = Data()
    thumbnails = []
    texts = [:]
    badges = [:]
  }

  /// Appends a tile.
  /// - Parameters:
  ///   - resource: nil if the resource was removed.
  ///   - dimensions: The dimensions of an image that is being downloaded, if they are known.
  ///   - status: The status as text for display.
  mutating func append(
    _ id: ResourceID, _ resource: Resource?, _ page: Page?, dimensions: ImageDimensions? = nil,
    status: String?
  ) {
    if let status, resource?.state != .finished { texts["\(ids.count)"] = status }
    if let badge = resource.flatMap(Self.badge) { badges["\(ids.count)"] = badge }
    ids.append(id.rawValue)
    states.append(resource.map { Self.number($0.state) } ?? Self.removed)
    let shown = page.flatMap { ImageDimensions(width: $0.width, height: $0.height) } ?? dimensions
    ratios.append(shown.map(Self.ratio) ?? 0)
    let hash = page?.thumbHash?.bytes ?? []
    hashes.append(UInt8(hash.count))
    hashes.append(contentsOf: hash)
    thumbnails.append(page?.thumbnailVersion ?? "")
  }

  private static func number(_ state: ResourceState) -> UInt8 {
    switch state {
    case .queued: 0
    case .stored: 1
    case .fetched: 2
    case .finished: 3
    case .failed: 4
    }
  }

  private static func badge(_ resource: Resource) -> String? {
    guard resource.state == .finished, let format = resource.file?.format else { return nil }
    switch format {
    case .pdf, .zip, .sevenZip, .rar, .tar, .gif: break
    default: guard resource.pageCount > 1 else { return nil }
    }
    let name = format.displayName.uppercased()
    return resource.pageCount > 1 ? "\(name) · \(resource.pageCount)" : name
  }

  private static func ratio(_ dimensions: ImageDimensions) -> UInt8 {
    let ratio = (64 * Double(dimensions.width) / Double(dimensions.height)).rounded()
    return UInt8(min(255, max(1, ratio)))
  }
}

extension Page {
  /// The version of the page's thumbnail; nil if there is none.
  var thumbnailVersion: String? {
    thumbnail.map { Self.version(of: $0.split(separator: "/").last ?? "") }
  }

  /// Returns the version that a digest, or a file name that begins with a digest, contributes to an address:
  /// the first 8 digits, which change with the content.
  static func version(of digest: some StringProtocol) -> String { String(digest.prefix(8)) }
}
