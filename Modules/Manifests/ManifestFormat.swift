/// The forms of a source. The raw values are the arguments of `--format`.
public enum ManifestFormat: String, Sendable, CaseIterable, Hashable {
  /// JSON: an array of URLs or of objects with `url`, `{"name": url}`, or an object whose `items`, `urls` or
  /// `resources` is such an array, with an optional `next`. ``ContentFormat`` distinguishes `{"name": url}`.
  case json
  /// A JSON string or an object with `url` on each line.
  case jsonLines = "json-lines"
  /// A URL on each line, with an optional title after a tab.
  case text
  /// A table with commas or semicolons between its columns (RFC 4180), one of which has the URLs.
  case csv
  /// A table with tabs between its columns, one of which has the URLs.
  case tsv
  /// An input file of aria2: a URL and its mirrors on each line, then indented options.
  case aria2
  /// The messages that `gallery-dl -J` writes, as one JSON array or as JSON Lines.
  case galleryDL = "gallery-dl"
  /// `{"id": String, "slices": [String]}`, the response to `GET BASE/series`.
  case series
  /// A manifest or collection of the IIIF Presentation API, version 2 or 3.
  case iiif
  /// An archive in which each JSON file is a list.
  case zip
  /// A web page, whose images are the entries.
  case html
  /// The page with which a web server lists a folder: the files are the entries, and its folders are sources of
  /// records of their own.
  case listing
  /// RSS, Atom, Media RSS or JSON Feed: the attachments and images of its items are the entries.
  case feed
  /// A sitemap or an index of sitemaps: the images of its pages are the entries.
  case sitemap
  /// Metalink 3 or 4.
  case metalink
  /// The objects of an S3 bucket (ListObjectsV2).
  case bucket
  /// A single image, PDF or archive.
  case singleResource = "resource"

  /// Whether a document of the format `other` can be a later version, or a further page, of a source whose first
  /// document has this format. Of some formats the content tells only whether it is long or varied enough.
  public func admits(_ other: ManifestFormat) -> Bool {
    if self == other { return true }
    return switch self {
    case .text, .csv, .tsv, .aria2: [.text, .csv, .tsv, .aria2].contains(other)
    case .json, .jsonLines, .galleryDL: [.json, .jsonLines, .galleryDL].contains(other)
    case .html: other == .listing
    case .series, .iiif, .zip, .listing, .feed, .sitemap, .metalink, .bucket, .singleResource: false
    }
  }

  /// Whether a list of this form is text of any content, which may begin as a file of another format does.
  var isLines: Bool { [.text, .csv, .tsv, .aria2].contains(self) }
}
