import CSpng
import Decoding
import Glibc
import Models
import Rendering

/// Encodes PNG with 8 bits.
enum PNGEncoder {
  /// - Parameter plane: Red, green, blue and alpha, not premultiplied.
  static func encode(_ plane: Plane) throws(RenderError) -> [UInt8] {
    try encode(plane, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, level: nil)
  }

  /// - Parameters:
  ///   - raster: A raster without transparency, whose colour planes are as large as the luminance.
  ///   - level: The compression level of zlib, 0...9.
  static func encode(_ raster: Raster, level: Int) throws(RenderError) -> [UInt8] {
    try raster.layout == .grey
      ? encode(raster.planes[0], SPNG_COLOR_TYPE_GRAYSCALE, level: level)
      : encode(raster.pixels(size: 3), SPNG_COLOR_TYPE_TRUECOLOR, level: level)
  }

  private static func encode(
    _ plane: Plane, _ type: spng_color_type, level: Int?
  ) throws(RenderError) -> [UInt8] {
    guard let context = spng_ctx_new(Int32(SPNG_CTX_ENCODER.rawValue)) else {
      throw .noMemory(.png)
    }
    defer { spng_ctx_free(context) }
    var header = spng_ihdr()
    header.width = UInt32(clamping: plane.width)
    header.height = UInt32(clamping: plane.height)
    header.bit_depth = 8
    header.color_type = UInt8(type.rawValue)
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1)
    if let level { spng_set_option(context, SPNG_IMG_COMPRESSION_LEVEL, Int32(clamping: level)) }
    spng_set_ihdr(context, &header)
    let code = spng_encode_image(
      context, plane.bytes, plane.bytes.count, Int32(SPNG_FMT_PNG.rawValue),
      Int32(SPNG_ENCODE_FINALIZE.rawValue))
    var (size, error) = (0, Int32(0))
    guard code == 0, let buffer = spng_get_png_buffer(context, &size, &error) else {
      let words = spngMessage(code != 0 ? code : error)
      throw RenderError(.io, "the decoded image cannot be written as a PNG (\(words))")
    }
    defer { free(buffer) }
    return Array(UnsafeRawBufferPointer(start: buffer, count: size))
  }
}

func spngMessage(_ code: Int32) -> String {
  spng_strerror(code).map { String(cString: $0) } ?? "error \(code)"
}
