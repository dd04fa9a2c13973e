import Decoding
import Models
import Rendering

extension VipsDecoder {
  /// Rejects an SVG whose elements are nested so deeply that librsvg would exceed its stack, and one that states that
  /// nothing of it is drawn.
  /// - Returns: A remark about the parts of the SVG that librsvg does not draw; nil if there are none.
  func checkDrawing(_ source: ImageSource) throws(RenderError) -> String? {
    switch source.format {
    case .svg: return try checkDrawing(ByteView(source.bytes))
    case .svgz:
      return try CompressedSVG.text(source.bytes).withUnsafeBufferPointer {
        (text) throws(RenderError) -> String? in
        try checkDrawing(ByteView(UnsafeRawBufferPointer(text)))
      }
    default: return nil
    }
  }

  private func checkDrawing(_ file: ByteView) throws(RenderError) -> String? {
    if SVGRoot(file)?.isEmpty == true {
      throw .unsupported(.svg, "states a width or height of zero, with which nothing is shown")
    }
    let (depth, remark) = SVGText.findings(file)
    guard depth <= SVGText.maximumDepth else {
      throw RenderError(
        .limit,
        "the elements of the SVG file are nested \(depth) levels deep, more than "
          + "\(SVGText.maximumDepth)")
    }
    return remark
  }
}
