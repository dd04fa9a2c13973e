public import Models

/// The properties of an image from which a sample was requested, besides the encoded bytes of the sample.
public struct SampleResult: Sendable, Equatable {
  /// The stored size of the image in pixels; EXIF orientation is not applied.
  public let imageWidth: Int
  public let imageHeight: Int
  /// The reason why the image does not become a sample; nil if it does.
  public let rejection: SampleRejection?
  /// The EXIF tags as a JSON object of texts; nil if they were not requested or are malformed.
  public let exif: String?

  /// The maximum length of `exif` in bytes; longer tags are left out.
  public static let maximumEXIFLength = 6_000

  public init(
    imageWidth: Int, imageHeight: Int, rejection: SampleRejection? = nil, exif: String? = nil
  ) {
    self.imageWidth = imageWidth
    self.imageHeight = imageHeight
    self.rejection = rejection
    self.exif = exif
  }
}

extension SampleOptions.Codec {
  public var format: ResourceFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    }
  }
}

extension SampleOptions {
  /// Returns whether the bytes of an image become the sample without being encoded.
  /// - Parameters:
  ///   - geometry: The geometry for the image.
  ///   - hasAlpha: Whether the image has transparency, which a sample has not.
  public func passesThrough(
    _ format: ResourceFormat, _ geometry: SampleGeometry, hasAlpha: Bool
  ) -> Bool {
    switch encoding {
    case .always: false
    case .ifNeeded: geometry.isUnchanged && format == codec.format && !hasAlpha
    case .never: true
    }
  }
}
