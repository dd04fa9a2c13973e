public import Models
public import Rendering

/// A decoding library, inside the worker process. Synchronous; used from one thread. Its name, formats and
/// sandbox are in its `DecoderDescriptor`.
///
/// A decoder gives pixels; scaling to the sizes of a job, turning upright and encoding happen once,
/// above all decoders.
public protocol ImageDecoder {
  /// What it stands on, for `doctor`.
  var libraries: [LibraryVersion] { get }

  /// Reads the header. Checks the source's limits.
  /// - Throws: `.unsupported` for a file that another decoder may know better: the next one is asked.
  func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo

  /// Decodes one page, after the limits were checked.
  /// - Parameters:
  ///   - page: from 0.
  ///   - side: pixels that the longest side is needed in. An image comes at least that large, or as
  ///     large as it is; a page of a document comes in exactly that size.
  /// - Returns: of a damaged image what could be decoded, with the damage.
  /// - Throws: `.unsupported` as `probe`; `.damaged` or `.truncated` where nothing could be decoded.
  func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage
}

/// The bytes of a file, for the time of a call.
public struct ImageSource {
  public let bytes: UnsafeRawBufferPointer
  /// What the bytes say that they are.
  public let format: ResourceFormat
  public let limits: RenderLimits
  /// Of an encrypted document.
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

/// What a decoder makes of one page.
public struct DecodedPage {
  public let info: DocumentInfo
  public let raster: Raster
  /// How to turn the raster upright.
  public let orientation: Orientation
  /// Why a part of the raster is missing or wrong; nil for a page that is whole.
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
