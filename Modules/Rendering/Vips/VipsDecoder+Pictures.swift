import CVips
import Decoding
import Models
import Rendering

// MARK: - Images of libvips

extension VipsDecoder {
  /// An image of libvips, which is released on deinitialization.
  final class Picture {
    let image: UnsafeMutablePointer<VipsImage>
    private let release: (UnsafeMutableRawPointer) -> Void

    fileprivate init(
      _ image: UnsafeMutablePointer<VipsImage>,
      _ release: @escaping (UnsafeMutableRawPointer) -> Void
    ) {
      self.image = image
      self.release = release
    }

    deinit { release(image) }
  }

  func load(
    _ source: ImageSource, _ options: imgdl_vips_options
  ) throws(RenderError) -> Picture {
    guard let loader = source.format.vipsLoader,
      let image = imgdl_vips_load(
        &functions, loader, source.bytes.baseAddress, source.bytes.count, options)
    else { throw library.failure(source.format) }
    let picture = own(image)
    guard source.format == .tiff, functions.vips_image_get_bands(image) > 4,
      functions.vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK,
      hasUnspecifiedSample(source, page: Int(options.page))
    else { return picture }
    // libvips takes the sample for alpha.
    return try self.picture(source.format) {
      imgdl_vips_first_bands(&functions, picture.image, 4, &$0)
    }
  }

  private func hasUnspecifiedSample(_ source: ImageSource, page: Int) -> Bool {
    guard let tiff = TIFFDecoder.library, let file = TIFFFile(tiff, source, page: page) else {
      return false
    }
    return TIFFLayout(tiff, file.handle).hasUnspecifiedSample
  }

  private func own(_ image: UnsafeMutablePointer<VipsImage>) -> Picture {
    let release = functions.g_object_unref
    return Picture(image) { release?($0) }
  }

  /// Calls a libvips function that creates an image.
  func picture(
    _ format: ResourceFormat, _ body: (inout UnsafeMutablePointer<VipsImage>?) -> Int32
  ) throws(RenderError) -> Picture {
    var result: UnsafeMutablePointer<VipsImage>?
    guard body(&result) == 0, let result else { throw library.failure(format) }
    return own(result)
  }

  func size(_ picture: Picture) -> PixelSize {
    PixelSize(
      width: Int(functions.vips_image_get_width(picture.image)),
      height: Int(functions.vips_image_get_height(picture.image)))
  }

  /// Returns the intent with which the image's colour profile is applied; nil without a profile for its number of
  /// components. libvips would convert the components that the profile describes and take another one for alpha.
  func intent(_ picture: Picture) -> VipsIntent? {
    var data: UnsafeRawPointer?
    var count = 0
    guard functions.vips_image_get_typeof(picture.image, VIPS_META_ICC_NAME) != 0,
      functions.vips_image_get_blob(picture.image, VIPS_META_ICC_NAME, &data, &count) == 0
    else { return nil }
    let components =
      Int(functions.vips_image_get_bands(picture.image))
      - (functions.vips_image_hasalpha(picture.image) != 0 ? 1 : 0)
    let profile = ByteView(UnsafeRawBufferPointer(start: data, count: count))
    guard ColourProfile.fits(profile, components: components) else { return nil }
    return ColourProfile.isOnlyPerceptual(profile) ? VIPS_INTENT_PERCEPTUAL : VIPS_INTENT_RELATIVE
  }

  /// Returns the image with what its loader leaves undone: without a profile that does not fit, with colours that are
  /// not multiplied by alpha, and with grey of the full range.
  func adjusted(
    _ picture: Picture, _ source: ImageSource, _ header: Header
  ) throws(RenderError) -> Picture {
    var picture = picture
    let image = picture.image
    if header.intent == nil, functions.vips_image_get_typeof(image, VIPS_META_ICC_NAME) != 0 {
      picture = try self.picture(source.format) { imgdl_vips_copy(&functions, image, &$0) }
      _ = functions.vips_image_remove(picture.image, VIPS_META_ICC_NAME)
    }
    if let profile = header.profile {
      picture = try self.picture(source.format) { imgdl_vips_copy(&functions, picture.image, &$0) }
      profile.withUnsafeBytes {
        functions.vips_image_set_blob_copy(
          picture.image, VIPS_META_ICC_NAME, $0.baseAddress, $0.count)
      }
    }
    let bands = Int(functions.vips_image_get_bands(image))
    let format = functions.vips_image_get_format(image)
    let largest: Double = format == VIPS_FORMAT_UCHAR ? 255 : 65_535
    guard format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_USHORT else { return picture }
    if source.isPremultiplied, functions.vips_image_hasalpha(image) != 0 {
      let divided = try self.picture(source.format) {
        imgdl_vips_unpremultiply(&functions, picture.image, &$0)
      }
      picture = try self.picture(source.format) {
        imgdl_vips_cast(&functions, divided.image, format, &$0)
      }
    }
    if source.isGreyOfLimitedRange {
      let unit = (largest + 1) / 256
      let colours = bands - (functions.vips_image_hasalpha(image) != 0 ? 1 : 0)
      let factor = largest / (219 * unit)
      let factors = (0..<bands).map { $0 < colours ? factor : 1 }
      let summands = (0..<bands).map { $0 < colours ? -16 * unit * factor : 0 }
      let wide = try self.picture(source.format) {
        imgdl_vips_linear(
          &functions, picture.image, factors, summands, Int32(clamping: bands), &$0)
      }
      picture = try self.picture(source.format) {
        imgdl_vips_cast(&functions, wide.image, format, &$0)
      }
    }
    return picture
  }
}
