import Foundation

/// Public test files beside the package, or where `IMGDL_CORPUS` says; not part of the package.
enum Corpus {
  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["IMGDL_CORPUS"] {
      return URL(fileURLWithPath: path)
    }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("../shared/corpus").standardizedFileURL
  }()

  static let jsonTestSuite = folder.appendingPathComponent("jsontestsuite/test_parsing")

  static var isPresent: Bool { FileManager.default.fileExists(atPath: jsonTestSuite.path) }

  /// The files whose names begin with `prefix`, sorted.
  static func names(_ prefix: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: jsonTestSuite.path)
      .filter { $0.hasPrefix(prefix) }.sorted()
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: jsonTestSuite.appendingPathComponent(name)))
  }
}
