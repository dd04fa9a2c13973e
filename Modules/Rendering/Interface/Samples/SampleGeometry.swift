/// The size of a sample, computed from the stored size of an image: EXIF orientation is not applied.
public struct SampleGeometry: Sendable, Equatable {
  /// The size in pixels to which the image is scaled.
  public let scaledWidth: Int
  public let scaledHeight: Int
  /// The size of the sample in pixels: smaller than the scaled image if it is cropped, larger with a border.
  public let width: Int
  public let height: Int
  public let filter: SampleOptions.Filter
  /// Whether the image is neither scaled nor cropped nor extended.
  public let isUnchanged: Bool

  /// - Parameters:
  ///   - imageWidth: The stored width in pixels, at least 1.
  ///   - imageHeight: The stored height in pixels, at least 1.
  public init(imageWidth: Int, imageHeight: Int, _ options: SampleOptions) {
    let (shorter, longer) = (min(imageWidth, imageHeight), max(imageWidth, imageHeight))
    let reference =
      switch options.mode {
      case .unchanged: options.side
      case .keepRatio, .centerCrop: shorter
      case .keepRatioLargest, .border: longer
      }
    let isReduced = reference > options.side
    guard options.mode != .unchanged, isReduced || !options.onlyIfBigger else {
      (scaledWidth, scaledHeight) = (imageWidth, imageHeight)
      (width, height) = (imageWidth, imageHeight)
      filter = .nearest
      isUnchanged = true
      return
    }
    filter = isReduced ? options.reducing : options.enlarging
    let ratio = Double(options.side) / Double(reference)
    scaledWidth = Self.scaled(imageWidth, ratio)
    scaledHeight = Self.scaled(imageHeight, ratio)
    (width, height) =
      switch options.mode {
      case .centerCrop: (min(options.side, scaledWidth), min(options.side, scaledHeight))
      case .border: (max(options.side, scaledWidth), max(options.side, scaledHeight))
      default: (scaledWidth, scaledHeight)
      }
    isUnchanged = false
  }

  /// Rounds halves to even, and keeps at least one pixel.
  private static func scaled(_ side: Int, _ ratio: Double) -> Int {
    max(1, Int((Double(side) * ratio).rounded(.toNearestOrEven)))
  }
}

extension SampleOptions {
  /// Tests the stored size of an image.
  /// - Returns: The first test that fails; nil if the image becomes a sample.
  public func rejection(width: Int, height: Int) -> SampleRejection? {
    let (shorter, longer) = (min(width, height), max(width, height))
    if shorter < minimumSide { return .tooSmall }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    if let maximumArea, overflow || area > maximumArea { return .areaTooLarge }
    if let maximumAspectRatio, Double(longer) / Double(shorter) > maximumAspectRatio {
      return .aspectRatioTooLarge
    }
    return nil
  }
}
