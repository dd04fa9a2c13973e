/// The kind of a listed file by the extension of its name.
enum ListedKind: Hashable {
  case image
  /// A text, a film, a sound or a program.
  case foreign
  /// A file that may be of images, such as an archive or a PDF, or whose name does not tell.
  case unknown

  init(_ name: String) {
    let name = name.lowercased()
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), name.utf8.count > 1 else {
      self = .unknown
      return
    }
    let text = String(name[name.utf8.index(after: dot)...])
    self =
      URLShape.photoExtensions.contains(text)
      ? .image : Self.others.contains(text) ? .foreign : .unknown
  }

  private static let others: Set<String> = [
    "txt", "md", "html", "htm", "css", "js", "xml", "csv", "tsv", "log", "nfo", "doc", "docx",
    "rtf", "avi", "mp4", "m4v", "mov", "mkv", "webm", "mpg", "mpeg", "wmv", "flv", "mp3", "m4a",
    "wav", "flac", "ogg", "mid", "exe", "iso", "torrent", "md5", "sha1", "sha256", "sfv",
  ]
}
