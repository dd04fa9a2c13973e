import Glibc
import SystemCalls

/// Third-party files for tests, beside the project; tests that need them are skipped without.
public enum Corpus {
  /// The folder: `IMGDL_CORPUS`, or `../shared/corpus` from the package's root. nil when absent.
  public static let folder: String? = {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/")
    let candidates = [
      Machine.environment("IMGDL_CORPUS"), root + "/../shared/corpus",
      root + "/../../shared/corpus",
    ]
    // Without links: what opens files for workers follows none.
    return candidates.compactMap { $0 }.first { FileSystem.exists($0) }
      .flatMap { try? FileSystem.realPath($0) }
  }()

  public static let absent = "the corpus is neither in ../shared/corpus nor in IMGDL_CORPUS"
  public static var isPresent: Bool { folder != nil }
  /// Only to be used in suites that are enabled by `isPresent`.
  public static var path: String { folder ?? "" }

  /// The files of a set with an extension, sorted; paths relative to the set.
  public static func files(in set: String, withExtension suffix: String) -> [String] {
    files(set, endingWith: ["." + suffix]).map {
      String($0.dropFirst(path.utf8.count + set.utf8.count + 2))
    }
  }

  /// The contents of a file; the path is relative to the folder.
  public static func bytes(_ file: String) throws -> [UInt8] {
    try FileSystem.contents(of: path + "/" + file, limit: 1 << 24)
  }

  /// The files of a set and of the folders in it, sorted by path; empty when the corpus is absent.
  public static func files(_ set: String, endingWith suffixes: [String] = []) -> [String] {
    guard let folder else { return [] }
    return list(folder + "/" + set).filter { path in
      suffixes.isEmpty || suffixes.contains { path.lowercased().hasSuffix($0) }
    }.sorted()
  }

  private static func list(_ folder: String) -> [String] {
    guard let entries = try? FileSystem.list(folder) else { return [] }
    return entries.flatMap { entry in
      let path = folder + "/" + entry.name
      return entry.kind == .folder ? list(path) : [path]
    }
  }
}
