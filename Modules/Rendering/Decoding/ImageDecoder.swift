public import Models
public import Rendering

/// An adapter for a decoding library, used synchronously from one thread of a worker process. Its name,
/// formats and sandbox profile are in its `DecoderDescriptor`.
///
/// A decoder returns pixels. Scaling them to the requested sizes, turning them upright and encoding them is
/// the task of the worker program.
public protocol ImageDecoder {
  /// The libraries that the decoder uses, for `doctor`.
  var libraries: [LibraryVersion] { get }

  /// Reads the header and checks the source's limits.
  /// - Throws: `.unsupported` for a file that another decoder may support; the caller then tries the next
  ///   decoder.
  func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo

  /// Decodes one page after checking the limits.
  /// - Parameters:
  ///   - page: The index of the page, from 0.
  ///   - side: The required length of the longest side in pixels. An image must be returned at least that
  ///     large, or in its stored size if that is smaller; a page of a document exactly that large.
  /// - Returns: The decoded page; for a damaged image the decodable part together with the damage.
  /// - Throws: `.unsupported` like `probe`; `.damaged` or `.truncated` if nothing could be decoded.
  func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage
}

/// A file to decode. The bytes are valid only during the call to which the source is passed.
public struct ImageSource {
  public let bytes: UnsafeRawBufferPointer
  /// The format detected from the bytes.
  public let format: ResourceFormat
  public let limits: RenderLimits
  /// The password of an encrypted document.
  public let password: DocumentPassword?
  /// Whether the pixels are returned as they are stored: colour profiles and gamma are not applied.
  public let keepsStoredColors: Bool

  public init(
    bytes: UnsafeRawBufferPointer, format: ResourceFormat, limits: RenderLimits,
    password: DocumentPassword? = nil, keepsStoredColors: Bool = false
  ) {
    self.bytes = bytes
    self.format = format
    self.limits = limits
    self.password = password
    self.keepsStoredColors = keepsStoredColors
  }
}

/// The result of decoding one page.
public struct DecodedPage: Sendable {
  public let info: DocumentInfo
  public let raster: Raster
  /// The transformation that turns the raster upright.
  public let orientation: Orientation
  /// The reason why a part of the raster is missing or wrong, or nil for an intact page.
  public let damage: RenderError?
  /// A remark about an irregular file whose page is complete, as a clause for users; nil for a regular file.
  public let remark: String?

  public init(
    info: DocumentInfo, raster: Raster, orientation: Orientation = .upright,
    damage: RenderError? = nil, remark: String? = nil
  ) {
    self.info = info
    self.raster = raster
    self.orientation = orientation
    self.damage = damage
    self.remark = remark
  }

  /// Returns the page as a complete one with a remark.
  public func completed(_ remark: String) -> DecodedPage {
    DecodedPage(info: info, raster: raster, orientation: orientation, remark: remark)
  }
}
