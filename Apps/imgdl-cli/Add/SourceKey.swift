import Models
import SystemCalls

/// Converts a URL or path that the user typed to the key of a source in the store.
enum SourceKey {
  /// Returns the key of the source; nil if the word is neither a URL nor an existing file.
  static func key(_ word: String) -> String? {
    if Sources.scheme(of: word) != nil { return (try? Sources.url(word))?.description }
    return (try? FileSystem.realPath(word)).map { "file:" + $0 }
  }
}
