import JSON

/// The description of an image that its image service publishes as `info.json` (IIIF Image API 3.0 §5,
/// 2.1 §5, 1.1 §5). Members that are wrong but not needed are ignored, because many services publish such.
public struct ImageInformation: Sendable, Equatable {
  /// The version of the Image API, which decides the form of requests.
  public enum Version: Sendable, Equatable { case v1, v2, v3 }

  /// Width and height in pixels, both positive.
  public struct Size: Sendable, Equatable, Hashable {
    public let width: Int
    public let height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }

    /// The number of pixels; at most ``ImageInformation/maximumSide`` squared, which fits into an `Int`.
    public var area: Int { width * height }
  }

  /// A set of tiles of one size.
  public struct TileSet: Sendable, Equatable {
    /// The size of a tile in pixels, except at the right and lower edges.
    public let tile: Size
    /// The factors by which the image can be reduced, ascending; 1 is the full size.
    public let scaleFactors: [Int]
  }

  public let version: Version
  /// The size of the full image.
  public let size: Size
  /// The compliance level, 0...2.
  public let level: Int
  /// The sizes that the service recommends for the whole image.
  public let sizes: [Size]
  public let tileSets: [TileSet]
  public let maxWidth: Int?
  public let maxHeight: Int?
  public let maxArea: Int?
  /// The formats that the publisher prefers, the best one first.
  public let preferredFormats: [String]
  /// Whether the service scales the whole image to any width.
  public let canScale: Bool
  /// Whether the service scales the whole image to any width and height.
  let canScaleToBoth: Bool
  /// Whether the service delivers any region.
  public let canCrop: Bool

  /// The largest accepted width and height in pixels.
  public static let maximumSide = 100_000_000
  /// The largest number of sizes and of tile sets that are kept.
  public static let maximumListLength = 256
  /// The largest accepted size of the description in bytes.
  public static let maximumBytes = 1 << 20

  /// The reason why a description cannot be used, as a clause for users.
  public struct Problem: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String
  }

  /// Parses a description.
  ///
  /// - Parameter bytes: A JSON text (RFC 8259) of at most ``maximumBytes``.
  public init(parsing bytes: RawSpan) throws(Problem) {
    guard bytes.byteCount <= Self.maximumBytes else {
      throw Problem(description: "info.json is larger than \(Self.maximumBytes) bytes")
    }
    let tree: JSONValue
    do throws(JSONError) {
      tree = try JSONValue(parsing: bytes)
    } catch {
      throw Problem(description: "info.json, " + error.description)
    }
    try self.init(tree)
  }

  init(_ tree: JSONValue) throws(Problem) {
    guard case .object = tree else {
      throw Problem(description: "info.json is not an object, so it describes no image")
    }
    let profile = Profile(tree)
    version = profile.version
    size = try Self.fullSize(tree)
    level = profile.level
    sizes = Self.sizes(tree)
    tileSets = Self.tileSets(tree, version)
    maxWidth = profile.limit("maxWidth")
    maxHeight = profile.limit("maxHeight")
    maxArea = profile.limit("maxArea")
    preferredFormats = (tree["preferredFormats"]?.elements ?? []).prefix(Self.maximumListLength)
      .compactMap(\.text)
    let features = profile.features
    canScale = level >= 1 || features.contains("sizeByW") || features.contains("sizeByWh")
    canScaleToBoth = level >= 2 || features.contains("sizeByWh")
    canCrop = level >= 1 || features.contains("regionByPx")
  }

  private static func fullSize(_ tree: JSONValue) throws(Problem) -> Size {
    guard let width = tree["width"]?.wholeNumber, let height = tree["height"]?.wholeNumber else {
      throw Problem(description: "info.json states no width and height in whole pixels")
    }
    guard let size = size(width, height) else {
      throw Problem(
        description: "info.json states a size of \(width) × \(height) pixels, which no image has")
    }
    return size
  }

  private static func size(_ width: Int, _ height: Int) -> Size? {
    guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else { return nil }
    return Size(width: width, height: height)
  }

  private static func sizes(_ tree: JSONValue) -> [Size] {
    (tree["sizes"]?.elements ?? []).prefix(maximumListLength).compactMap { element in
      guard let width = element["width"]?.wholeNumber, let height = element["height"]?.wholeNumber
      else {
        return nil
      }
      return size(width, height)
    }
  }

  private static func tileSets(_ tree: JSONValue, _ version: Version) -> [TileSet] {
    if version == .v1 {
      guard let width = tree["tile_width"]?.wholeNumber else { return [] }
      return [
        tileSet(
          width, tree["tile_height"]?.wholeNumber, tree["scale_factors"])
      ].compactMap { $0 }
    }
    return (tree["tiles"]?.elements ?? []).prefix(maximumListLength).compactMap { element in
      guard let width = element["width"]?.wholeNumber else { return nil }
      return tileSet(width, element["height"]?.wholeNumber, element["scaleFactors"])
    }
  }

  private static func tileSet(_ width: Int, _ height: Int?, _ factors: JSONValue?) -> TileSet? {
    guard let tile = size(width, height ?? width) else { return nil }
    let factors = (factors?.elements ?? []).prefix(maximumListLength)
      .compactMap(\.wholeNumber).filter { (1...maximumSide).contains($0) }
    return TileSet(tile: tile, scaleFactors: factors.isEmpty ? [1] : Set(factors).sorted())
  }
}

/// The parts of a description that tell version, compliance level, features and limits.
private struct Profile {
  let tree: JSONValue
  let version: ImageInformation.Version
  let level: Int
  /// The objects that may state limits and features: the description itself in version 3, those in
  /// `profile` in version 2.
  private let statements: [JSONValue]

  init(_ tree: JSONValue) {
    self.tree = tree
    let profiles = tree["profile"]?.elements ?? []
    let names = profiles.compactMap(\.text)
    let contexts = (tree["@context"]?.elements ?? []).compactMap(\.text)
    let type = tree["type"]?.text ?? ""
    version = Self.version(contexts + names, type: type)
    level = names.lazy.compactMap(Self.level).first ?? 0
    statements = [tree] + profiles
  }

  /// The versions are told apart by the vocabulary, the profile or the type, in this order, because
  /// descriptions that were converted by hand often keep one of them.
  private static func version(
    _ texts: [String], type: String
  ) -> ImageInformation.Version {
    for text in texts {
      if text.contains("/api/image/3") { return .v3 }
      if text.contains("/api/image/2") { return .v2 }
      if text.contains("image-api/1") || text.contains("/api/image/1") { return .v1 }
    }
    if type == "ImageService3" { return .v3 }
    // The profiles of version 3 are words such as `level2`.
    return texts.contains { $0.hasPrefix("level") } ? .v3 : .v2
  }

  /// Returns the level at the end of `level2`, `…/level2.json` or `…#level2`.
  private static func level(_ text: String) -> Int? {
    for level in 0...2 where text.contains("level\(level)") { return level }
    return nil
  }

  func limit(_ name: String) -> Int? {
    for statement in statements {
      if let limit = statement[name]?.wholeNumber, limit > 0 { return limit }
    }
    return nil
  }

  var features: Set<String> {
    var features: Set<String> = []
    for statement in statements {
      for name in ["extraFeatures", "supports"] {
        for element in (statement[name]?.elements ?? []).prefix(
          ImageInformation.maximumListLength)
        {
          if let text = element.text { features.insert(text) }
        }
      }
    }
    return features
  }
}

extension JSONValue {
  /// The number if it is integral and exactly representable, as `6000` and `6.0e3` are; otherwise nil.
  fileprivate var wholeNumber: Int? {
    guard case .number(let text) = self else { return nil }
    if let number = integer { return number }
    guard text.utf8.count <= 32, let number = Double(text), number.magnitude < 0x1p53 else {
      return nil
    }
    return Int(exactly: number)
  }
}
