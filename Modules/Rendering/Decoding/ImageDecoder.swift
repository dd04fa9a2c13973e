public import Models
public import Rendering

/// A decoding library, inside the worker process. Synchronous, and used from one thread. Its name, formats
/// and sandbox are in its `DecoderDescriptor`.
///
/// A decoder returns pixels; scaling to the sizes of a job, turning upright and encoding are common to all
/// decoders.
public protocol ImageDecoder {
  /// The libraries that the decoder uses, for `doctor`.
  var libraries: [LibraryVersion] { get }

  /// Reads the header and checks the source's limits.
  /// - Throws: `.unsupported` for a file that another decoder may support; the next one is tried.
  func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo

  /// Decodes one page after checking the limits.
  /// - Parameters:
  ///   - page: The index of the page, from 0.
  ///   - side: The required length of the longest side in pixels. An image is returned at least that large,
  ///     or in its own size if that is smaller; a page of a document in exactly that size.
  /// - Returns: The decoded page; for a damaged image the decodable part together with the damage.
  /// - Throws: `.unsupported` like `probe`; `.damaged` or `.truncated` if nothing could be decoded.
  func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage
}

/// The bytes of a file, valid for the duration of a call.
public struct ImageSource {
  public let bytes: UnsafeRawBufferPointer
  /// The format detected from the bytes.
  public let format: ResourceFormat
  public let limits: RenderLimits
  /// The password of an encrypted document.
  public let password: DocumentPassword?

  public init(
    bytes: UnsafeRawBufferPointer, format: ResourceFormat, limits: RenderLimits,
    password: DocumentPassword? = nil
  ) {
    self.bytes = bytes
    self.format = format
    self.limits = limits
    self.password = password
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

  public init(
    info: DocumentInfo, raster: Raster, orientation: Orientation = .upright,
    damage: RenderError? = nil
  ) {
    self.info = info
    self.raster = raster
    self.orientation = orientation
    self.damage = damage
  }
}
