public import Decoding
import Models
import Rendering

/// Registers the decoder `codecs`.
public enum CodecsPlugin: DecoderPlugin {
  public static let decoders = [
    DecoderDescriptor(
      "codecs", formats: [.jpeg, .png, .webp, .bmp, .ico, .cur, .tga, .pnm, .hdr],
      library: LibraryVersion("codecs", nil, for: "JPEG, PNG, WebP")
    ) { () throws(RenderError) in try CodecsDecoder() }
  ]
}
