/// Whether a name or a media type is that of a file that imgdl shows: an image, a PDF, or an archive of images.
/// Documents that list files of all kinds are narrowed by it.
public enum SupportedFile {
  private static let extensions: Set<String> = [
    "jpg", "jpeg", "jpe", "jfif", "png", "webp", "avif", "gif", "tif", "tiff", "heic", "heif",
    "bmp", "jxl", "jp2", "j2k", "svg", "svgz", "ico", "cur", "tga", "pnm", "ppm", "pgm", "pbm",
    "pfm",
    "hdr", "pdf", "zip", "cbz", "7z", "cb7", "rar", "cbr",
    "tar", "cbt",
  ]
  private static let mediaTypes: Set<String> = [
    "application/pdf", "application/zip", "application/x-zip-compressed",
    "application/vnd.comicbook+zip", "application/x-cbz", "application/vnd.comicbook-rar",
    "application/x-cbr", "application/x-7z-compressed", "application/vnd.rar", "application/x-tar",
  ]

  /// Whether the last segment of a URL's path, or of a path, has the extension of such a file.
  public static func isNamed(by url: String) -> Bool {
    let end = url.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    let path = url.utf8[..<(end ?? url.utf8.endIndex)]
    guard let dot = path.lastIndex(of: UInt8(ascii: ".")) else { return false }
    let suffix = path[path.index(after: dot)...]
    guard (2...5).contains(suffix.count) else { return false }
    return extensions.contains(String(decoding: suffix, as: UTF8.self).lowercased())
  }

  /// Whether a media type (RFC 9110 §8.3.1), with or without parameters, is that of such a file; nil for a
  /// type that says nothing, such as `application/octet-stream`.
  public static func isOfType(_ mediaType: String) -> Bool? {
    let type = mediaType.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    if type.isEmpty || type == "application/octet-stream" || !type.contains("/") { return nil }
    return type.hasPrefix("image/") || mediaTypes.contains(type)
  }
}
