import Foundation

/// A folder that is gone when the last reference to it is.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    path = NSTemporaryDirectory() + "imgdl-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file.
  /// - Returns: its path.
  public func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}
