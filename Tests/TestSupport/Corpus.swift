import Foundation

/// Public test files beside the package, or where `IMGDL_CORPUS` says; not part of the package.
public enum Corpus {
  public static let absent: String = "the corpus is neither in ../shared/corpus nor in IMGDL_CORPUS"

  public static var path: String {
    ProcessInfo.processInfo.environment["IMGDL_CORPUS"] ?? "../shared/corpus"
  }

  public static var isPresent: Bool { FileManager.default.fileExists(atPath: path) }

  /// The files of a set with an extension, sorted; paths relative to the set.
  public static func files(in set: String, withExtension suffix: String) -> [String] {
    let folder = path + "/" + set
    let found = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return found.filter { $0.hasSuffix("." + suffix) }.sorted()
  }
}
