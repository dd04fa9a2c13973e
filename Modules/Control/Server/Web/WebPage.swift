import CWebPage
import HTTP1
import Hashing
import Models

/// The files of the web page: HTML, style sheets, which become one in their order, and scripts. They are part of the
/// program.
///
/// The scripts are served from a folder whose name is a hash of their contents, so that a
/// browser may cache them for ever and never mixes two versions.
struct WebPage: Sendable {
  static let shared = WebPage()

  private struct File {
    let type: String
    let bytes: [UInt8]
  }

  private let documents: [WebDocument.View: WebDocument]
  private let files: [String: File]
  /// The name of the folder of the files, without slashes.
  private let version: String

  private init() {
    var files: [String: File] = [:]
    var scripts: [String: String] = [:]
    var (index, style) = ("", "")
    let hasher = SHA256Hasher()
    var number = 0
    while let entry = imgdl_page_file(number)?.pointee {
      let name = String(cString: entry.name)
      let bytes = [UInt8](UnsafeBufferPointer(start: entry.bytes, count: entry.length))
      hasher.update(bytes.span.bytes)
      if name == "index.html" {
        index = String(decoding: bytes, as: UTF8.self)
      } else if name.hasSuffix(".css") {
        style += String(decoding: bytes, as: UTF8.self)
      } else {
        let isScript = name.hasSuffix(".js")
        let served = isScript ? ScriptText.withoutComments(bytes) : bytes
        files[name] = File(type: Self.mediaType(name), bytes: served)
        if isScript { scripts[name] = String(decoding: served, as: UTF8.self) }
      }
      number += 1
    }
    let version = String(hasher.finalize().description.prefix(16))
    self.version = version
    self.files = files
    documents = Dictionary(
      uniqueKeysWithValues: WebDocument.View.allCases.map {
        let document = WebDocument(
          $0, template: index, scripts: scripts, style: style, folder: "/files/\(version)/")
        return ($0, document)
      })
  }

  /// Returns the response to a request for the page or one of its files. Everyone may read these files, since
  /// they contain no data of the library.
  func response(to request: ControlRequest) -> ControlResponse {
    guard request.isSafe else {
      var response = Self.refusal(.methodNotAllowed, "this path supports GET, HEAD")
      response.fields.append("Allow", "GET, HEAD")
      return response
    }
    let segments = request.target.segments
    if segments.first == "files" {
      guard segments.count == 3, segments[1] == version, let file = files[segments[2]] else {
        return Self.refusal(.notFound, "there is no such file")
      }
      return Self.response(
        file.bytes, file.type, "public, max-age=31536000, immutable", tag: version)
    }
    guard let view = WebDocument.View(segments), let document = documents[view] else {
      return Self.refusal(.notFound, "there is no such page")
    }
    if FileResponse.isNotModified(request, tag: version) {
      return ControlResponse(
        status: 304, fields: HTTPFields(["ETag": "\"\(version)\"", "Cache-Control": "no-cache"]),
        body: [])
    }
    return Self.response(
      document.bytes, "text/html; charset=utf-8", "no-cache", tag: version, document: document)
  }

  private static func response(
    _ bytes: [UInt8], _ type: String, _ caching: String, tag: String,
    document: WebDocument? = nil
  ) -> ControlResponse {
    var fields = HTTPFields(["Content-Type": type, "Cache-Control": caching, "ETag": "\"\(tag)\""])
    for (name, value) in ProtectiveFields.fields(policy: policy(document)) {
      fields.append(name, value)
    }
    return ControlResponse(status: 200, fields: fields, body: bytes)
  }

  private static func refusal(_ code: ControlError.Code, _ detail: String) -> ControlResponse {
    var response = ControlResponse.problem(ProblemMessage(ControlError(code, detail)))
    for (name, value) in ProtectiveFields.api { response.fields.append(name, value) }
    return response
  }

  /// Returns the Content-Security-Policy of the page: it may only load its own files and call the API of its
  /// own origin.
  /// - Parameter document: The document that the response contains, whose own script and style sheet apply.
  private static func policy(_ document: WebDocument?) -> String {
    let (script, style) = (document?.scriptHash ?? "", document?.styleHash ?? "'none'")
    return
      "default-src 'none'; script-src 'self' \(script); style-src \(style); img-src 'self' blob: data:; "
      + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
  }

  private static func mediaType(_ name: String) -> String {
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".svg") { return "image/svg+xml" }
    return "application/octet-stream"
  }
}
