/// A file that a client has uploaded.
struct UploadedFile: Sendable, Equatable {
  /// The absolute path.
  let path: String
  /// The size in bytes.
  let byteCount: Int64
  /// The name that the client gave the file, for display.
  var name = ""
}
