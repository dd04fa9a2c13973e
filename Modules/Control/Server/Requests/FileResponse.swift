import HTTP1
import Models

/// A response whose body is a file of the library, or a range of one.
struct FileResponse: Sendable {
  let file: ServedFile
  /// The byte range of the file to send.
  private(set) var part: Range<Int64>
  private(set) var status = 200
  private(set) var fields: HTTPFields

  /// - Parameters:
  ///   - tag: The entity tag, different for each content.
  ///   - format: The format recognised from the file's first bytes, not from its name or the server's media
  ///     type.
  ///   - isImmutable: Whether the content at the response's address never changes.
  init(_ file: ServedFile, tag: String, format: ResourceFormat, isImmutable: Bool = false) {
    self.file = file
    part = 0..<file.length
    var fields = Self.common(tag, isImmutable)
    let (type, isShown) = Self.type(of: format)
    fields.append("Content-Type", type)
    fields.append("Content-Disposition", isShown ? "inline" : "attachment")
    // Prevents every file type from running scripts or loading resources.
    fields.append("Content-Security-Policy", "default-src 'none'; sandbox")
    fields.append("Cross-Origin-Resource-Policy", "same-origin")
    fields.append("Accept-Ranges", "bytes")
    self.fields = fields
  }

  /// Returns the reply to a request for the file: the whole file, the requested range, or 416.
  /// - Parameter tag: The entity tag of the file, which `If-Range` names (RFC 9110 §13.1.5).
  func reply(to request: ControlRequest, tag: String) throws(ControlError) -> ControlReply {
    let condition = request.fields["If-Range"]
    guard condition == nil || condition == "\"\(tag)\"" else { return .file(self) }
    switch ByteRange(request.fields["Range"], of: file.length) {
    case .whole: return .file(self)
    case .part(let range):
      var response = self
      response.part = range
      response.status = 206
      response.fields.append(
        "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.length)")
      return .file(response)
    case .unsatisfiable:
      var response = ControlResponse.problem(
        ProblemMessage(
          ControlError(
            .rangeNotSatisfiable, "the file has \(file.length) bytes, and the range begins behind"))
      )
      response.fields.append("Content-Range", "bytes */\(file.length)")
      return .whole(response)
    }
  }

  /// Returns the response for a client that already has this content (RFC 9110 §15.4.5).
  static func notModified(tag: String, isImmutable: Bool = false) -> ControlResponse {
    ControlResponse(status: 304, fields: common(tag, isImmutable), body: [])
  }

  /// Returns whether the client already has this content (RFC 9110 §13.1.2): `If-None-Match` is a list of
  /// tags, compared weakly, or `*`.
  static func isNotModified(_ request: ControlRequest, tag: String) -> Bool {
    request.fields.all("If-None-Match").contains { value in
      value.split(separator: ",").contains { item in
        let item = item.drop { $0 == " " || $0 == "\t" }
        let end = item.lastIndex { $0 != " " && $0 != "\t" }.map { item.index(after: $0) }
        let name = item[..<(end ?? item.startIndex)]
        return name == "*" || name == "\"\(tag)\"" || name == "W/\"\(tag)\""
      }
    }
  }

  private static func common(_ tag: String, _ isImmutable: Bool) -> HTTPFields {
    let caching = isImmutable ? "max-age=31536000, immutable" : "no-cache"
    return HTTPFields(["ETag": "\"\(tag)\"", "Cache-Control": "private, \(caching)"])
  }

  /// Returns the media type of a format, and whether a browser may display the file inline. Only image
  /// formats that cannot contain scripts are inline; SVG and HTML are sent as plain bytes.
  private static func type(of format: ResourceFormat) -> (type: String, isShown: Bool) {
    switch format {
    case .jpeg, .png, .webp, .gif, .tiff, .bmp, .heif, .avif, .jpegXL, .jpeg2000, .ico, .cur,
      .tga, .pnm, .hdr, .exr, .dds, .psd, .sgi, .pcx, .icns:
      (format.mediaType, true)
    case .svg, .svgz, .html, .unknown: (ResourceFormat.unknown.mediaType, false)
    case .pdf, .zip, .sevenZip, .rar, .tar, .gzip, .json, .dicom: (format.mediaType, false)
    case .text: ("text/plain; charset=utf-8", false)
    }
  }
}
