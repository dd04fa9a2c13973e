import CChafa

/// libchafa, which is opened when the first image is drawn with it.
enum ChafaLibrary {
  /// The functions of the library; nil if it cannot be opened.
  ///
  /// `nonisolated(unsafe)`: the functions never change once they are found, and may be called on any thread.
  nonisolated(unsafe) static let functions: UnsafePointer<imgdl_chafa>? = {
    let functions = UnsafeMutablePointer<imgdl_chafa>.allocate(capacity: 1)
    guard imgdl_chafa_open(functions) == nil else {
      functions.deallocate()
      return nil
    }
    return UnsafePointer(functions)
  }()
}
