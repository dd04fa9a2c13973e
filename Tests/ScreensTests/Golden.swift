import Foundation
import Testing

/// Compares screens with those that were looked at and found good, in `Golden/`.
/// With `IMGDL_GOLDEN=write` in the environment they are written anew.
enum Golden {
  static func expect(
    _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Golden")
    let file = folder.appendingPathComponent(name + ".txt")
    if ProcessInfo.processInfo.environment["IMGDL_GOLDEN"] == "write" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try (text + "\n").write(to: file, atomically: true, encoding: .utf8)
      return
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(text + "\n" == expected, "\(name)", sourceLocation: sourceLocation)
  }
}
