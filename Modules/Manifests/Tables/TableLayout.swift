import Models

/// The meaning of a table's columns, which are counted from 0.
struct TableLayout: Sendable, Equatable {
  var delimiter: UInt8
  /// The line of the header; nil if there is none. Rows up to this line are not entries.
  var headerLine: Int?
  /// The cells of the header; empty if there is none.
  var header: [String] = []
  /// The number of columns of the header, or of most rows.
  var columnCount: Int
  var url: Int
  /// The file's name.
  var name: Int?
  /// The entry's own title.
  var title: Int?
  /// The title of the record to which the entry belongs.
  var record: Int?
  var sha256: Int?
  /// The columns of checksums by other algorithms, the strongest one first. Their names tell the algorithms.
  var otherChecksums: [ChecksumColumn] = []

  struct ChecksumColumn: Sendable, Equatable {
    var index: Int
    var algorithm: Checksum.Algorithm
  }
}

/// The usual names of columns, as ``key(_:)`` writes them, the most specific ones first.
enum ColumnNames {
  static let url = [
    "imageurl", "imgurl", "imageuri", "imagelink", "photourl", "pictureurl", "mediaurl",
    "originalurl", "fullurl", "fileurl", "downloadurl", "contenturl", "url", "urls", "uri", "src",
    "href", "link", "image", "img", "photo", "picture",
  ]
  /// The names that make a single cell a header: without a delimiter, the other names could be a word of a
  /// text.
  static let lone: Set<String> = ["url", "urls", "uri", "imageurl", "imgurl", "fileurl"]
  static let name = ["filename", "imagename", "name", "file"]
  static let record = ["record", "recordtitle", "album", "gallery", "collection"]
  static let recordOrTitle = "title"
  static let title = ["caption", "text", "alt", "alttext", "description", "label"]
  static let sha256 = names(of: .sha256)
  /// The names of checksums whose algorithm is not known, which are not titles either.
  static let unnamedChecksum = [
    "checksum", "hash", "digest", "filehash", "imagehash", "phash", "crc", "crc32", "crc32c",
    "adler32",
    "etag",
  ]
  /// The column of files' names in many tables, and that of paths within the library in the tables that `export`
  /// writes.
  static let file = "file"
  /// The first columns of the tables that `export` writes.
  static let exported = ["url", file, "sha256", "status", "reason", "bytes", "ms"]

  /// Returns the names of columns with checksums by an algorithm.
  static func names(of algorithm: Checksum.Algorithm) -> [String] {
    let name = key(algorithm.rawValue)
    return ["", "sum", "hash", "hex"].map { name + $0 }
  }

  /// Whether a column with this name has checksums of any kind.
  static func isChecksum(_ name: String) -> Bool {
    let key = key(name)
    return unnamedChecksum.contains(key)
      || Checksum.Algorithm.allCases.contains { names(of: $0).contains(key) }
  }

  /// Returns the columns of checksums by other algorithms than SHA-256, the strongest one first.
  static func otherChecksums(in header: [String], except: Set<Int>) -> [TableLayout.ChecksumColumn]
  {
    Checksum.Algorithm.allCases.reversed().filter { $0 != .sha256 }.compactMap { algorithm in
      column(names(of: algorithm), in: header, except: except).map {
        TableLayout.ChecksumColumn(index: $0, algorithm: algorithm)
      }
    }
  }

  /// Returns a name without case, spaces and punctuation: `Image URL`, `image_url` and `#imageUrl` are the
  /// same name.
  static func key(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter {
          $0.value > 0x7f || $0.properties.isAlphabetic || ("0"..."9") ~= $0
        }
      )
    ).lowercased()
  }

  /// Returns the index of the first of `names` that a header has, in the order of `names`.
  static func column(_ names: [String], in header: [String], except: Set<Int> = []) -> Int? {
    let keys = header.map(key)
    for name in names {
      let found = keys.indices.first { keys[$0] == name && !except.contains($0) }
      if let found { return found }
    }
    return nil
  }
}
