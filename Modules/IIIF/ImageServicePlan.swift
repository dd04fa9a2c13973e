public import Models

/// Decides which requests lead to the largest image that an image service permits. Pure.
///
/// ```swift
/// var plan = ImageServicePlan(base: url)
/// let information = try ImageInformation(parsing: …)   // the answer to plan.informationURL
/// var action = plan.begin(information)
/// action = plan.refuse(status: 501)                    // the next choice
/// action = plan.receive(size)                          // the image of this choice, or again the next choice
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
    /// The image that was received last is the one to keep.
    case keepReceived
    /// No further choice exists; the reason is a clause for users.
    case fail(String)
  }

  private let base: HTTPURL
  private var choices: ArraySlice<Choice> = []
  private var choiceCount = 0
  /// The size of the service's tiles, if they cannot be put together.
  private var misalignedTile: ImageInformation.Size?
  /// The size of the full image; nil before `begin`.
  private var fullSize: ImageInformation.Size?
  /// The largest image that was received in place of a larger one.
  private var best: (choice: Choice, size: ImageInformation.Size)?
  /// Whether the file of this image has not been overwritten since.
  private var isBestReceived = false
  /// Whether every choice for a larger image has failed, so that `best` is requested again.
  private var isLastResort = false

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
    fullSize = information.size
    choices = ImageRequests(information).choices[...]
    choiceCount = choices.count
    misalignedTile = TileGrid.misalignedTile(information)
    if let grid, let index = choices.firstIndex(of: .tiles(grid)) {
      choices = choices[index...]
    }
    return action(orReason: "the image service offers no image")
  }

  /// Selects the next choice, because the service answered a request for the current one with this status. An
  /// earlier request for it may have begun to overwrite the image that was received before.
  public mutating func refuse(status: Int) -> Action {
    isBestReceived = false
    choices = choices.dropFirst()
    return action(
      orReason: "the image service refused all \(choiceCount) sizes, the last with HTTP \(status)")
  }

  /// Whether an image was received, so that the choice for a larger one may fail.
  public var hasImage: Bool { best != nil && !isLastResort }

  /// Selects the next choice, because the image of the current one could not be received.
  public mutating func skip() -> Action {
    isBestReceived = false
    choices = choices.dropFirst()
    return action(orReason: "the image service delivered none of \(choiceCount) sizes")
  }

  /// Judges the image that was received for the current choice. If it is smaller than the description lets
  /// expect, the choices for larger images are tried before it is kept: some services reduce whole images
  /// without saying so, but deliver all tiles.
  /// - Parameter size: The size of the image in pixels; nil if its header does not tell.
  public mutating func receive(_ size: ImageInformation.Size?) -> Action {
    guard let size, !isLastResort, let choice = choices.first,
      size.isReduced(from: choice.size)
    else { return .keepReceived }
    let isCut = size == best?.size
    isBestReceived = true
    if let best, best.size.area > size.area {
      isBestReceived = false
    } else {
      best = (choice, size)
    }
    let largest = best?.size ?? size
    let rest = choices.dropFirst().filter { choice in
      // A service that has sent the same reduced image twice has a limit for whole images.
      if isCut, case .image = choice { return false }
      return largest.isReduced(from: choice.size)
    }
    choices =
      rest.enumerated()
      .sorted { ($1.element.size.area, $0.offset) < ($0.element.size.area, $1.offset) }
      .map(\.element)[...]
    return action(orReason: "")
  }

  /// Returns the remark about an image that is smaller than the full one; nil if it is not.
  /// - Parameter size: The size of the image in pixels; nil if its header does not tell.
  public func remark(_ size: ImageInformation.Size?) -> String? {
    guard let fullSize, let size = size ?? choices.first?.size, size.isReduced(from: fullSize)
    else {
      return nil
    }
    return Self.remarkPrefix
      + "\(size.width) × \(size.height) of \(fullSize.width) × \(fullSize.height) pixels"
  }

  /// The beginning of every remark.
  public static let remarkPrefix = "the image service delivered the image reduced: "

  private mutating func action(orReason reason: String) -> Action {
    switch choices.first {
    case .image(let path, _)?: return .requestImage(url(path))
    case .tiles(let grid)?:
      isBestReceived = false
      return .requestTiles(grid)
    case nil: break
    }
    guard let best, !isLastResort else { return .fail(reason + tileReason) }
    guard !isBestReceived else { return .keepReceived }
    isLastResort = true
    choices = [best.choice]
    return action(orReason: reason)
  }

  /// The clause that explains why the tiles of the service are not requested; empty if they are, or if there are none.
  private var tileReason: String {
    guard let tile = misalignedTile else { return "" }
    return
      "; its tiles of \(tile.width) × \(tile.height) pixels cannot be put together, because their height is no "
      + "multiple of \(TileGrid.rowAlignment) and the service delivers no other regions"
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

extension ImageServicePlan.Choice {
  /// The size of the image that the description lets expect.
  var size: ImageInformation.Size {
    switch self {
    case .image(_, let size): size
    case .tiles(let grid): grid.size
    }
  }
}

extension ImageInformation.Size {
  /// Whether an image of this size is smaller than one of another size, beyond what rounding explains: by more
  /// than 2 % and one pixel. An image that is stored on its side has the same size.
  func isReduced(from other: Self) -> Bool {
    func isLess(_ side: Int, _ full: Int) -> Bool { (side &+ 1) &* 50 < full &* 49 }
    return isLess(max(width, height), max(other.width, other.height))
      || isLess(min(width, height), min(other.width, other.height))
  }
}
