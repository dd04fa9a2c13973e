/// A file that a client has uploaded.
struct UploadedFile: Sendable, Equatable {
  /// The absolute path.
  let path: String
  /// The size in bytes.
  let byteCount: Int64
  /// The name that the client gave it, for display.
  var name = ""
}
