public import SystemCalls

/// Finds the helper programs that belong to this program: beside it in a build folder, in
/// `../libexec/imgdl` in an installation, or where the user says.
public struct HelperLocator: Sendable, Equatable {
  /// The folders in the order of the search.
  public let folders: [String]

  /// - Parameters:
  ///   - explicit: the only folder to search when it is given: the user's word. By default
  ///     `IMGDL_HELPERS`.
  ///   - extra: folders to search before the usual ones.
  ///   - executable: the running program. Under `swift test` that is the test binary, which lies
  ///     beside the programs too.
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

  /// The path of a helper program.
  /// - Throws: `.notFound`, with the list of the places looked at.
  public func path(of name: String) throws(WorkerError) -> String {
    for folder in folders {
      let candidate = folder + "/" + name
      if FileSystem.isExecutable(candidate) { return candidate }
    }
    let places = folders.isEmpty ? "nowhere to look" : folders.joined(separator: ", ")
    throw WorkerError(
      .notFound,
      "the helper program \(name) is missing (looked in: \(places)); set IMGDL_HELPERS to its folder"
    )
  }
}
