import Glibc

/// Prevents Foundation from creating its folders in the user's home, which this program does not need.
///
/// Every `URLSessionConfiguration`, including the ephemeral one, creates the shared cache and the shared
/// cookie storage, and both create their folder before they can be removed from the configuration. If no
/// folder can be created, they work without one.
enum FoundationFolders {
  /// A path below a device, where no folder exists and none can be created.
  private static let nowhere = "/dev/null"

  /// Sets the environment variables of Foundation's folders. Call it before Foundation is used for the
  /// first time, and before a second thread starts.
  static func close() {
    for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME"] { setenv(name, nowhere, 1) }
  }
}
