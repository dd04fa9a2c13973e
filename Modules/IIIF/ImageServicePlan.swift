public import Models

/// Decides which requests lead to the largest image that an image service permits. Pure.
///
/// ```swift
/// var plan = ImageServicePlan(base: url)
/// let information = try ImageInformation(parsing: …)   // the answer to plan.informationURL
/// var action = plan.begin(information)
/// action = plan.refuse(status: 501)                    // the next choice
/// ```
public struct ImageServicePlan: Sendable {
  /// A way to an image.
  public enum Choice: Sendable, Equatable {
    /// One request. The size is the one that the description lets expect.
    case image(path: String, size: ImageInformation.Size)
    /// A request for each tile, whose images are put together.
    case tiles(TileGrid)
  }

  public enum Action: Sendable, Equatable {
    case requestImage(HTTPURL)
    case requestTiles(TileGrid)
    /// No further choice exists; the reason is a clause for users.
    case fail(String)
  }

  private let base: HTTPURL
  private var choices: ArraySlice<Choice> = []
  private var choiceCount = 0

  /// - Parameter base: The base URI of the service.
  public init(base: HTTPURL) {
    var target = base.target[...]
    while target.utf8.count > 1, target.utf8.last == UInt8(ascii: "/") {
      target = target.dropLast()
    }
    self.base = HTTPURL(origin: base.origin, target: String(target))
  }

  /// Whether the current choice is the first one, whose bytes later attempts may continue.
  public var isFirstChoice: Bool { choices.count == choiceCount }

  /// Whether a status means that the service does not deliver the requested size: it is not implemented
  /// (501), not valid (400), too large (413), or not permitted (403). Services of level 0 have no file for it
  /// (404).
  public static func isRefusal(_ status: Int) -> Bool {
    [400, 403, 404, 413, 501].contains(status)
  }

  /// The URL of the description of the image, which is requested first.
  public var informationURL: HTTPURL { url("info.json") }

  /// Begins with the best choice.
  /// - Parameter grid: The tiles that an earlier attempt has begun to request, which are then the first choice.
  public mutating func begin(
    _ information: ImageInformation, with grid: TileGrid? = nil
  ) -> Action {
    choices = ImageRequests(information).choices[...]
    choiceCount = choices.count
    if let grid, let index = choices.firstIndex(of: .tiles(grid)) {
      choices = choices[index...]
    }
    return action(orReason: "the image service offers no image")
  }

  /// Selects the next choice, because the service answered the request for the current one with this status.
  public mutating func refuse(status: Int) -> Action {
    choices = choices.dropFirst()
    return action(
      orReason: "the image service refused all \(choiceCount) sizes, the last with HTTP \(status)")
  }

  private func action(orReason reason: String) -> Action {
    switch choices.first {
    case .image(let path, _)?: .requestImage(url(path))
    case .tiles(let grid)?: .requestTiles(grid)
    case nil: .fail(reason)
    }
  }

  /// Returns the URL of a tile.
  public func url(of grid: TileGrid, column: Int, row: Int) -> HTTPURL {
    url(grid.path(column: column, row: row))
  }

  /// Returns the URL of a path below the base. A base with a query is continued in the query, as the services
  /// of iipimage need it (`iipsrv.fcgi?IIIF=image.tif`).
  private func url(_ path: String) -> HTTPURL {
    let slash = base.target.utf8.last == UInt8(ascii: "/") ? "" : "/"
    return HTTPURL(origin: base.origin, target: "\(base.target)\(slash)\(path)")
  }
}
