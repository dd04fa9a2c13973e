/// How an image becomes a sample of a dataset.
///
/// The modes, tests and defaults are those of img2dataset, so that a dataset does not depend on the tool that
/// made it.
public struct SampleOptions: Sendable, Equatable {
  public enum Mode: UInt8, Sendable, CaseIterable {
    /// The image keeps its size.
    case unchanged
    /// The shorter side becomes `side`.
    case keepRatio
    /// The longer side becomes `side`.
    case keepRatioLargest
    /// The shorter side becomes `side`; the square in the middle is kept.
    case centerCrop
    /// The longer side becomes `side`; white fills the image up to a square.
    case border
  }

  /// The codec of samples that are encoded.
  public enum Codec: UInt8, Sendable, CaseIterable { case jpeg, png, webp }

  /// The filter for one direction of scaling.
  public enum Filter: UInt8, Sendable, CaseIterable {
    case nearest
    case linear
    case cubic
    /// The mean of the pixels that an output pixel covers; linear for enlarging.
    case area
    /// Lanczos with four lobes, which are not stretched when an image is reduced.
    case lanczos
  }

  public enum Encoding: UInt8, Sendable, CaseIterable {
    /// Every sample is encoded.
    case always
    /// An image that needs no change and already has the format of the codec is passed through.
    case ifNeeded
    /// Every image is passed through, also if it has the wrong size.
    case never
  }

  public var mode = Mode.border
  /// The side in pixels to which the mode refers.
  public var side = 256
  /// Whether an image that is not larger than `side` keeps its size.
  public var onlyIfBigger = false
  public var reducing = Filter.area
  public var enlarging = Filter.lanczos
  public var codec = Codec.jpeg
  /// 1...100 for JPEG and WebP, where more than 100 is lossless WebP; the compression level 0...9 for PNG.
  public var quality = 95
  public var encoding = Encoding.always
  /// The minimum of the shorter side in pixels.
  public var minimumSide = 0
  /// The maximum number of pixels; nil for no maximum.
  public var maximumArea: Int?
  /// The maximum of the longer side divided by the shorter one; nil for no maximum.
  public var maximumAspectRatio: Double?
  /// Whether the EXIF tags of the image are reported.
  public var wantsEXIF = true
  /// Whether a codec may decode a JPEG at a fraction of its size, which takes half the time and changes the
  /// pixels slightly.
  public var decodesScaled = false

  public init() {}
}

/// The reason why an image does not become a sample although it can be decoded.
public enum SampleRejection: UInt8, Sendable, CaseIterable {
  case tooSmall
  case areaTooLarge
  case aspectRatioTooLarge
}
