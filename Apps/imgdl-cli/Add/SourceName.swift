import Models
import SystemCalls

/// A source, named by the word that the user gave to `add`.
enum SourceName {
  /// Returns the key of the source in the library; nil if the word names no source.
  static func key(_ word: String) -> String? {
    if Sources.scheme(of: word) != nil { return (try? Sources.url(word))?.description }
    return (try? FileSystem.realPath(word)).map { "file:" + $0 }
  }
}
