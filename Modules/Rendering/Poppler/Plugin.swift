public import Decoding
import Models
import Rendering

/// Registers the decoder `poppler`, which renders PDF.
public enum PopplerPlugin: DecoderPlugin {
  public static let decoders = [
    DecoderDescriptor(
      "poppler", formats: [.pdf],
      // A PDF can make poppler and cairo allocate any amount of memory.
      sandbox: SandboxProfile(readsFonts: true, memoryBytes: 512 << 20),
      library: LibraryVersion(
        "poppler", nil, for: PopplerDecoder.use, package: "libpoppler-glib8")
    ) { () throws(RenderError) in try PopplerDecoder() }
  ]
}
