import Decoding
import Models
import Rendering
import RenderingCodecs

/// Makes samples of datasets.
final class SampleService {
  private let encoder: SampleEncoder

  init() throws(RenderError) { encoder = try SampleEncoder() }

  func sample(
    of source: ImageSource, _ options: SampleOptions, _ decoder: any ImageDecoder
  ) throws(RenderError) -> RenderResult {
    // Vector images and documents have no pixels of their own.
    guard source.format.kind == .image, ![.svg, .svgz].contains(source.format) else {
      throw RenderError(.unsupported, "no sample (\(source.format.mediaType))")
    }
    let exif = options.wantsEXIF ? exif(source) : nil
    if options.encoding == .never {
      let info = try decoder.probe(source)
      return RenderResult(
        info: info, renditions: [],
        sample: SampleResult(imageWidth: info.width, imageHeight: info.height, exif: exif))
    }
    let page = try decoder.decode(source, page: 0, side: try side(source, options, decoder))
    let (width, height) = page.storedSize
    func result(_ rejection: SampleRejection?, _ renditions: [Rendition]) -> RenderResult {
      RenderResult(
        info: page.info, renditions: renditions,
        damage: page.damage.map { RenderError($0.code, escaping: $0.detail) },
        sample: SampleResult(
          imageWidth: width, imageHeight: height, rejection: rejection, exif: exif))
    }
    if let rejection = options.rejection(width: width, height: height) {
      return result(rejection, [])
    }
    let geometry = SampleGeometry(imageWidth: width, imageHeight: height, options)
    if options.passesThrough(source.format, geometry, hasAlpha: page.raster.hasAlpha) {
      return result(nil, [])
    }
    try check(geometry, options, source.limits)
    return result(nil, [try encoder.encode(page.raster.sample(geometry), options)])
  }

  /// Rejects a sample whose scaling needs more pixels than an image may have, or that the codec cannot encode.
  private func check(
    _ geometry: SampleGeometry, _ options: SampleOptions, _ limits: RenderLimits
  ) throws(RenderError) {
    try limits.check(width: geometry.scaledWidth, height: geometry.scaledHeight)
    try limits.check(width: geometry.width, height: geometry.height)
    // Three planes of the scaled image, or one of four components, each twice during the second pass.
    try limits.check(
      bytesPerPixel: 8, width: geometry.scaledWidth, height: geometry.scaledHeight)
    guard max(geometry.width, geometry.height) <= options.codec.maximumSide else {
      throw RenderError(
        .limit, "\(geometry.width) × \(geometry.height) pixels exceed what the codec encodes")
    }
  }

  /// Returns the longest side in pixels with which an image is decoded.
  private func side(
    _ source: ImageSource, _ options: SampleOptions, _ decoder: any ImageDecoder
  ) throws(RenderError) -> Int {
    guard options.decodesScaled else { return DocumentInfo.maximumSide }
    let info = try decoder.probe(source)
    let geometry = SampleGeometry(imageWidth: info.width, imageHeight: info.height, options)
    guard !geometry.isUnchanged else { return DocumentInfo.maximumSide }
    return max(geometry.scaledWidth, geometry.scaledHeight)
  }

  private func exif(_ source: ImageSource) -> String? {
    let text = EXIFTags.json(ByteView(source.bytes), format: source.format)
    return (text?.utf8.count ?? 0) <= SampleResult.maximumEXIFLength ? text : nil
  }
}

extension DecodedPage {
  /// The size of the image as it is stored, in pixels.
  fileprivate var storedSize: (width: Int, height: Int) {
    orientation.swapsAxes ? (info.height, info.width) : (info.width, info.height)
  }
}

extension Raster {
  fileprivate var hasAlpha: Bool { layout == .rgba(isOpaque: false) }
}

extension SampleOptions.Codec {
  /// The longest side in pixels that the format can store.
  fileprivate var maximumSide: Int {
    switch self {
    case .jpeg: 65_500
    case .png: 1_000_000
    case .webp: 16_383
    }
  }
}
