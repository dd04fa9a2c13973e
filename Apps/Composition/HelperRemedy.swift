import SystemCalls

/// The way to get a missing helper program, which depends on where this program is: in the build folder of a
/// checkout, or in an installation, whose user has no checkout and no compiler.
struct HelperRemedy {
  private let isBuilt: Bool

  /// - Parameters:
  ///   - path: The path of this program; nil if it is unknown.
  ///   - exists: Whether there is a file at a path.
  init(program path: String?, exists: (String) -> Bool = { FileSystem.exists($0) }) {
    var folders = (path ?? "").split(separator: "/")[...]
    while let last = folders.last, last != ".build" { folders.removeLast() }
    isBuilt =
      !folders.isEmpty && exists("/" + folders.dropLast().joined(separator: "/") + "/Package.swift")
  }

  func text(for name: String) -> String {
    isBuilt
      ? "swift build --product \(name)"
      : "install imgdl again with Tools/install, or set IMGDL_HELPERS to the folder of \(name)"
  }
}
