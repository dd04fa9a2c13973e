/// The requests for an image, the best one first, as its description permits them.
struct ImageRequests {
  private let information: ImageInformation
  private(set) var choices: [ImageServicePlan.Choice] = []

  /// The largest number of reduced sizes that are tried.
  private static let maximumReducedSizes = 8

  init(_ information: ImageInformation) {
    self.information = information
    addFullSize()
    let grid = addSingleTile()
    // A service of level 0 that states no limit publishes its tiles as the way to the full size.
    let prefersTiles = information.level == 0 && !hasLimit
    if prefersTiles, let grid { choices.append(.tiles(grid)) }
    for size in reducedSizes {
      // Only listed sizes need the form `w,h` at every level of compliance (3.0 §4.2, §6).
      let isByWidth = !information.sizes.contains(size) && !information.canScaleToBoth
      add("full/\(isByWidth ? "\(size.width)," : information.sizeParameter(size))", size)
    }
    if !prefersTiles, let grid { choices.append(.tiles(grid)) }
  }

  /// Returns the grid of tiles if the image has more than one. A single tile is the whole image, which needs no
  /// joining; its region is written in two ways in static files: `full`, which is canonical, and in pixels.
  private mutating func addSingleTile() -> TileGrid? {
    guard let grid = TileGrid(information) else { return nil }
    guard grid.columns == 1, grid.rows == 1 else { return grid }
    add("full/\(information.sizeParameter(grid.size))", grid.size)
    add(wholePath: grid.path(column: 0, row: 0), grid.size)
    return nil
  }

  private var hasLimit: Bool {
    information.maxWidth != nil || information.maxHeight != nil || information.maxArea != nil
  }

  /// `max` means the largest size that the limits permit (3.0 §4.2, 2.1 §4.2). Version 2.0 has only `full`,
  /// which version 2.1 keeps; a description of version 2 with limits is of 2.1.
  private mutating func addFullSize() {
    switch information.version {
    case .v3: add("full/max", permittedSize)
    case .v2 where hasLimit:
      add("full/max", permittedSize)
    case .v2:
      add("full/full", information.size)
      add("full/max", information.size)
    case .v1: add("full/full", information.size)
    }
  }

  private mutating func add(_ path: String, _ size: ImageInformation.Size) {
    let quality = information.version == .v1 ? "native" : "default"
    add(wholePath: "\(path)/0/\(quality).\(information.format)", size)
  }

  private mutating func add(wholePath path: String, _ size: ImageInformation.Size) {
    let choice = ImageServicePlan.Choice.image(path: path, size: size)
    if !choices.contains(choice) { choices.append(choice) }
  }

  /// The largest size within the stated limits.
  private var permittedSize: ImageInformation.Size {
    let full = information.size
    var scale = 1.0
    if let width = information.maxWidth {
      scale = min(scale, Double(width) / Double(full.width))
      // Without a limit of its own, the height is limited as the width is (3.0 §5.3).
      let height = information.maxHeight ?? width
      scale = min(scale, Double(height) / Double(full.height))
    } else if let height = information.maxHeight {
      scale = min(scale, Double(height) / Double(full.height))
    }
    if let area = information.maxArea {
      scale = min(scale, (Double(area) / Double(full.area)).squareRoot())
    }
    return full.scaled(by: scale)
  }

  /// The sizes to try when the full size is refused, the largest first: those that the service lists, and
  /// scaled ones if it can scale.
  private var reducedSizes: [ImageInformation.Size] {
    let permitted = permittedSize
    var sizes = Set(
      information.sizes.filter { $0.width <= permitted.width && $0.height <= permitted.height })
    if information.canScale {
      if permitted != information.size { sizes.insert(permitted) }
      for shift in 1...4 { sizes.insert(permitted.scaled(by: 1 / Double(1 << shift))) }
    }
    let order = sizes.sorted { ($0.area, $0.width) > ($1.area, $1.width) }
    return Array(order.prefix(Self.maximumReducedSizes))
  }
}

extension ImageInformation.Size {
  func scaled(by factor: Double) -> ImageInformation.Size {
    guard factor < 1 else { return self }
    return ImageInformation.Size(
      width: max(1, Int(Double(width) * factor)), height: max(1, Int(Double(height) * factor)))
  }
}

extension ImageInformation {
  /// The canonical form of a size: `w,h` in version 3 (§4.7), `w,` in earlier versions (2.1 §4.7).
  func sizeParameter(_ size: Size) -> String {
    version == .v3 ? "\(size.width),\(size.height)" : "\(size.width),"
  }

  /// The format of whole images. Every service delivers JPEG; another format is requested only if the
  /// publisher prefers it and a decoder exists.
  var format: String {
    preferredFormats.first { ["jpg", "png", "webp"].contains($0) } ?? "jpg"
  }
}
