import HTTP1
import Models

/// A file of the library as an answer.
struct FileAnswer: Sendable {
  let file: LibraryFile
  let fields: HTTPFields

  /// - Parameters:
  ///   - tag: another one for each content.
  ///   - format: what its first bytes were when it came: neither its name nor what a server said.
  init(_ file: LibraryFile, tag: String, format: ResourceFormat) {
    self.file = file
    var fields = Self.common(tag)
    let (type, isShown) = Self.type(of: format)
    fields.append("Content-Type", type)
    fields.append("Content-Disposition", isShown ? "inline" : "attachment")
    // Whatever it is, nothing in it runs or loads anything.
    fields.append("Content-Security-Policy", "default-src 'none'; sandbox")
    fields.append("Cross-Origin-Resource-Policy", "same-origin")
    fields.append("Accept-Ranges", "none")
    self.fields = fields
  }

  /// The answer to whoever has it already (RFC 9110 §15.4.5).
  static func notModified(tag: String) -> ControlResponse {
    ControlResponse(status: 304, fields: common(tag), body: [])
  }

  /// Whether the client has it (RFC 9110 §13.1.2): a list of tags, compared weakly, or `*`.
  static func isHeld(_ request: ControlRequest, tag: String) -> Bool {
    request.fields.all("If-None-Match").contains { value in
      value.split(separator: ",").contains { item in
        let item = item.drop { $0 == " " || $0 == "\t" }
        let end = item.lastIndex { $0 != " " && $0 != "\t" }.map { item.index(after: $0) }
        let name = item[..<(end ?? item.startIndex)]
        return name == "*" || name == "\"\(tag)\"" || name == "W/\"\(tag)\""
      }
    }
  }

  private static func common(_ tag: String) -> HTTPFields {
    HTTPFields(["ETag": "\"\(tag)\"", "Cache-Control": "private, no-cache"])
  }

  /// Only pictures that cannot hold a script are shown in place; SVG and HTML are bytes.
  private static func type(of format: ResourceFormat) -> (type: String, isShown: Bool) {
    switch format {
    case .jpeg, .png, .webp, .gif, .tiff, .bmp, .heif, .avif, .jpegXL, .jpeg2000, .ico,
      .tga:
      (format.mediaType, true)
    case .svg, .html, .unknown: (ResourceFormat.unknown.mediaType, false)
    case .pdf, .zip, .sevenZip, .rar, .tar, .gzip, .json: (format.mediaType, false)
    case .text: ("text/plain; charset=utf-8", false)
    }
  }
}
