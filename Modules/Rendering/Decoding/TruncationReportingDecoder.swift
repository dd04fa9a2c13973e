public import Models
public import Rendering

/// A wrapper that changes a decoder's error `.damaged` to `.truncated` if the file is truncated, because the
/// libraries report a truncated header as damage.
public struct TruncationReportingDecoder: ImageDecoder {
  private let decoder: any ImageDecoder

  public init(_ decoder: any ImageDecoder) { self.decoder = decoder }

  public var libraries: [LibraryVersion] { decoder.libraries }

  public func probe(_ source: ImageSource) throws(RenderError) -> DocumentInfo {
    do throws(RenderError) {
      return try decoder.probe(source)
    } catch {
      throw Self.corrected(error, source)
    }
  }

  public func decode(
    _ source: ImageSource, page: Int, side: Int
  ) throws(RenderError) -> DecodedPage {
    do throws(RenderError) {
      let decoded = try decoder.decode(source, page: page, side: side)
      guard let damage = decoded.damage else { return decoded }
      return DecodedPage(
        info: decoded.info, raster: decoded.raster, orientation: decoded.orientation,
        damage: Self.corrected(damage, source))
    } catch {
      throw Self.corrected(error, source)
    }
  }

  private static func corrected(_ error: RenderError, _ source: ImageSource) -> RenderError {
    guard error.code == .damaged, TruncationCheck.isCut(ByteView(source.bytes), source.format)
    else {
      return error
    }
    return .truncated(source.format)
  }
}
