public import SystemCalls

/// Finds the helper programs of this program: in its own folder after a build, in `../libexec/imgdl` after an
/// installation, or in a folder that the user has set.
public struct HelperLocator: Sendable, Equatable {
  /// The folders in the order of the search.
  public let folders: [String]

  /// - Parameters:
  ///   - explicit: The only folder to search; nil or empty means the usual folders. By default the value of
  ///     `IMGDL_HELPERS`.
  ///   - extra: Folders to search before the usual ones.
  ///   - executable: The path of the running program. Under `swift test` this is the test binary, which is in
  ///     the same folder as the programs.
  public init(
    explicit: String? = Machine.environment("IMGDL_HELPERS"), searching extra: [String] = [],
    executable: String? = Machine.executablePath
  ) {
    if let explicit, !explicit.isEmpty {
      folders = [explicit]
      return
    }
    let own = executable.map { FileSystem.parentFolder(of: $0) }
    let usual = own.map { [$0, FileSystem.parentFolder(of: $0) + "/libexec/imgdl"] } ?? []
    folders = extra + usual
  }

  /// Returns the path of a helper program.
  /// - Throws: `.notFound`, with a list of the searched folders.
  public func path(of name: String) throws(WorkerError) -> String {
    for folder in folders {
      let candidate = folder + "/" + name
      if FileSystem.isExecutable(candidate) { return candidate }
    }
    let places = folders.isEmpty ? "no folder" : folders.joined(separator: ", ")
    throw WorkerError(
      .notFound,
      "the helper program \(name) is missing (looked in: \(places)); set IMGDL_HELPERS to its folder"
    )
  }
}
