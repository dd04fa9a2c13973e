import Decoding
import Models
import Rendering

/// Camera raw files, of which an embedded preview is shown: developing the pixels of a sensor is the task of other
/// programs.
extension VipsDecoder {
  func info(
    of raw: CameraRaw, in source: ImageSource
  ) throws(RenderError) -> DocumentInfo {
    for preview in raw.previews {
      guard let info = try? info(of: source.jpeg(preview.range)) else { continue }
      return Self.info(info, turned: preview.orientation)
    }
    guard raw.hasReducedPage else { throw Self.noPreview }
    return Self.info(try ordinaryInfo(of: source), turned: .upright)
  }

  func decodedPage(
    of raw: CameraRaw, in source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    guard page == 0 else {
      throw RenderError(.damaged, "there is no page \(page &+ 1) of 1")
    }
    for preview in raw.previews {
      guard let shown = try? decodedPage(of: source.jpeg(preview.range), page: 0, side: side)
      else { continue }
      return Self.page(shown, turned: preview.orientation)
    }
    guard raw.hasReducedPage else { throw Self.noPreview }
    let shown = try ordinaryPage(of: source, page: 0, side: side)
    return Self.page(shown, turned: shown.orientation)
  }

  private static let noPreview = RenderError.unsupported(
    .tiff, "is a camera raw file without a preview that imgdl shows")

  /// - Parameter orientation: The orientation that the properties of the preview do not take into account.
  private static func info(_ info: DocumentInfo, turned orientation: Orientation) -> DocumentInfo {
    let size = orientation.upright(PixelSize(width: info.width, height: info.height))
    return DocumentInfo(
      format: .tiff, width: size.width, height: size.height, pageCount: 1, hasAlpha: info.hasAlpha)
  }

  private static func page(_ page: DecodedPage, turned orientation: Orientation) -> DecodedPage {
    // The info of a page of a TIFF is upright already; that of a JPEG without an orientation is not.
    let info = info(
      page.info, turned: page.info.format == .tiff ? .upright : orientation)
    return DecodedPage(
      info: info, raster: page.raster, orientation: orientation, damage: page.damage,
      remark: "a camera raw file, of which the embedded preview of \(info.width) × \(info.height) "
        + "pixels is shown")
  }
}

extension ImageSource {
  /// Returns a part of the file as a JPEG.
  fileprivate func jpeg(_ range: Range<Int>) -> ImageSource {
    ImageSource(
      bytes: UnsafeRawBufferPointer(rebasing: bytes[range]), format: .jpeg, limits: limits,
      password: password, keepsStoredColors: keepsStoredColors)
  }
}
