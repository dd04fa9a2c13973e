import Models
import SystemCalls

/// Converts the word by which a user names a source to the source's key.
enum SourceKey {
  /// Returns the key of the source in the library; nil if the word names no source.
  static func key(_ word: String) -> String? {
    if Sources.scheme(of: word) != nil { return (try? Sources.url(word))?.description }
    return (try? FileSystem.realPath(word)).map { "file:" + $0 }
  }
}
