import Glibc

/// Foundation's own folders in the user's home, which this program has no use for.
///
/// Every `URLSessionConfiguration`, the ephemeral one too, begins with the shared cache and the shared
/// cookies, and both make a folder as soon as they are requested; only then can they be taken out of the
/// configuration. Where no folder can be made they do without.
enum FoundationFolders {
  /// A path below a device, where no folder exists and none can be created.
  private static let nowhere = "/dev/null"

  /// Sets the environment variables of Foundation's folders. Call it before Foundation is used for the
  /// first time, and before a second thread starts.
  static func close() {
    for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME"] { setenv(name, nowhere, 1) }
  }
}
