import HTTP1
import Models

/// A response before it is sent.
struct Reply {
  enum Body {
    case bytes([UInt8])
    case file(StoredFile, Range<Int64>)

    var count: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .file(_, let range): range.upperBound - range.lowerBound
      }
    }
  }

  var status: Int
  var fields = HTTPFields()
  var body = Body.bytes([])

  /// A short answer in words.
  init(status: Int, text: String, type: String = "text/plain; charset=utf-8") {
    self.status = status
    fields.append("Content-Type", type)
    body = .bytes(Array(text.utf8))
  }

  init(json: [UInt8]) {
    status = 200
    fields.append("Content-Type", "application/json")
    body = .bytes(json)
  }

  /// A file, or the part of it that was asked for.
  init(_ file: StoredFile, _ selection: Selection, entityTag: String) {
    fields.append("ETag", entityTag)
    fields.append("Last-Modified", HTTPDate.format(file.modified))
    fields.append("Accept-Ranges", "bytes")
    switch selection {
    case .notModified:
      status = 304
      return
    case .unsatisfiable:
      status = 416
      fields.append("Content-Range", "bytes */\(file.size)")
      return
    case .whole:
      status = 200
      body = .file(file, 0..<file.size)
    case .part(let range):
      status = 206
      fields.append(
        "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)")
      body = .file(file, range)
    }
    fields.append("Content-Type", file.contentType)
  }
}
