import Models
public import Rendering

/// The kinds of PNG that no decoder reads. Such a file is sound.
public enum PNGKind {
  /// Throws for a file in the variant that Xcode makes for devices of Apple: another chunk is before the header, the order
  /// of colours is another one, and the compressed data have no header.
  public static func check(_ file: ByteView) throws(RenderError) {
    guard file.starts(with: "CgBI", at: 12) else { return }
    throw .unsupported(
      .png, "is of a variant for Apple's devices (CgBI), which imgdl does not read")
  }
}
