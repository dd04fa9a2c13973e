import Decoding
import Models
import Rendering

extension VipsDecoder {
  /// Rejects a file that its library would show otherwise than the file means it.
  /// - Returns: A remark about what the library leaves out or shows wrongly; nil if there is nothing.
  func checkMeaning(_ source: ImageSource) throws(RenderError) -> String? {
    switch source.format {
    case .svg, .svgz: try checkDrawing(source)
    case .heif, .avif: try checkProperties(source)
    default: nil
    }
  }

  /// Rejects a HEIF or AVIF with a property that readers must understand and that libheif ignores.
  /// - Returns: A remark if only the alpha has such a property.
  private func checkProperties(_ source: ImageSource) throws(RenderError) -> String? {
    let structure = HEIFStructure(ByteView(source.bytes))
    if let property = structure.unknownProperty {
      throw .unsupported(source.format, "needs a feature that imgdl does not know", property)
    }
    return structure.unknownAlphaProperty.map {
      "its transparency may be wrong: it needs a feature that imgdl does not know (\($0))"
    }
  }

  /// Rejects an SVG whose elements are nested so deeply that librsvg would exceed its stack, and one that states that
  /// nothing of it is drawn.
  /// - Returns: A remark about the parts of the SVG that librsvg does not draw; nil if there are none.
  private func checkDrawing(_ source: ImageSource) throws(RenderError) -> String? {
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
