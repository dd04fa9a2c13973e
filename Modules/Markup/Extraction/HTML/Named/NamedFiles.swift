/// The URLs of image files that a page names without showing them there: in links, in the attributes of programs, in
/// scripts and in microdata.
struct NamedFiles: Sendable {
  /// The maximum number of files.
  private static let limit = 5_000
  /// The maximum number of bytes of one script that are read.
  private static let lengthLimit = 2 << 20

  private(set) var urls: [String] = []
  /// The files of the longest array of a script that names at least three of one folder.
  private(set) var series: [String] = []
  /// The largest versions of images by the smaller ones that the same objects of scripts name.
  private(set) var larger: [String: String] = [:]

  mutating func add(_ url: String) {
    if urls.count < Self.limit { urls.append(url) }
  }

  /// Adds the images of a script, which may be data or a program.
  mutating func addScript(_ text: String) {
    guard text.utf8.count <= Self.lengthLimit, urls.count < Self.limit else { return }
    let found = ScriptImages(text)
    urls += found.urls.prefix(Self.limit - urls.count)
    larger.merge(found.larger) { first, _ in first }
    if found.series.count > series.count { series = found.series }
  }
}
