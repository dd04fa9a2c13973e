public import Decoding
import Models
import Rendering

/// Registers the decoder `vips`, and `svg` as a separate decoder, since only a worker that draws text may
/// read fonts.
public enum VipsPlugin: DecoderPlugin {
  public static let decoders = [
    DecoderDescriptor(
      "vips", formats: VipsDecoder.Kind.pixels.formats, library: library
    ) { () throws(RenderError) in try VipsDecoder() },
    DecoderDescriptor(
      "svg", formats: VipsDecoder.Kind.vectors.formats,
      sandbox: SandboxProfile(readsFonts: true), library: library
    ) { () throws(RenderError) in try VipsDecoder(.vectors) },
  ]

  private static let library = LibraryVersion(
    "libvips", nil, for: VipsDecoder.use, package: "libvips42")
}
