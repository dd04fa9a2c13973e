import HTTP1
import LibraryAPI
import Models
import Synchronization

extension Router {
  /// Returns the routes for sources that clients upload: one stores the file, and another previews it.
  /// Afterwards `POST /v1/sources` adds the stored file as a source.
  static func uploads(_ uploads: Uploads, _ reading: LibraryReading) -> [Route] {
    [
      Route("POST", "/v1/sources/upload", query: ["name"], takesFile: true) { call in
        guard var file = call.request.upload else {
          throw ControlError(.badRequest, "the body is the file, which no other call can contain")
        }
        file.name = UploadName.cleaned(call.request.target["name"] ?? "")
        let id = uploads.insert(file)
        return try .json(
          UploadMessage(upload: HexadecimalID.text(id), byteCount: file.byteCount))
      },
      Route("POST", "/v1/sources/preview") { call in
        let id = try HexadecimalID.value(
          call.message(PreviewRequestMessage.self).upload, of: "upload")
        let file = try uploads.file(id)
        let counts = Mutex(PreviewCounts())
        let request = SourceRequest(location: .file(file.path), displayName: file.name)
        let problems = try await reading.preview(request) { entry in
          counts.withLock { $0.append(entry) }
        }
        return try .json(
          counts.withLock { counts in
            counts.set(problems: problems)
            return counts.message
          })
      },
    ]
  }
}

/// The name of an uploaded file.
enum UploadName {
  /// The maximum length of a file name in UTF-8 bytes, as in most file systems (`NAME_MAX`).
  static let limit = 255
  static let missing = "upload"

  /// Returns the last component of a path. A browser may send a path of Windows or of POSIX.
  static func cleaned(_ text: String) -> String {
    var name = text.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    while name.utf8.count > limit { name = name.dropFirst() }
    return name.isEmpty || name == "." || name == ".." ? missing : String(name)
  }
}
