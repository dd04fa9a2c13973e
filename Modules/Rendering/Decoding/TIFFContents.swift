/// The statements of a TIFF's directories that concern the file as a whole.
public enum TIFFContents {
  /// `ImageDescription`.
  private static let descriptionTag = 270

  /// Whether the first directory has no entries.
  public static func hasEmptyDirectory(_ file: ByteView) -> Bool {
    TIFFDirectory(file, page: 0)?.isEmpty ?? false
  }

  /// Returns the number of images that ImageJ states in the description of a file: it writes the pixels of a large stack
  /// one after the other, with a directory for the first image only. nil for any other file.
  public static func statedImages(in file: ByteView) -> Int? {
    guard let text = TIFFDirectory(file, page: 0)?.text(descriptionTag), text.hasPrefix("ImageJ=")
    else { return nil }
    let prefix = "images="
    return text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(prefix) }
      .flatMap { Int($0.dropFirst(prefix.count)) }
  }
}
