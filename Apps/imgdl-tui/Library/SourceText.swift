import LibraryAPI
import Models
import SystemCalls

/// What a user typed as a source.
enum SourceText {
  /// - Throws: `LibraryError`, `SystemError`.
  static func request(_ text: String, isLazy: Bool) throws -> SourceRequest {
    SourceRequest(
      location: try location(text), again: true, isLazy: isLazy, outlivesClient: true)
  }

  private static func location(_ text: String) throws -> SourceRequest.Location {
    if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
      let scheme = text[..<colon].lowercased()
      guard scheme == "http" || scheme == "https" else {
        throw LibraryError(.source, "\(text): only http and https URLs can be fetched")
      }
      do {
        return .url(try HTTPURL(text))
      } catch {
        throw LibraryError(.source, "\(text): not a URL that can be fetched: \(error)")
      }
    }
    return .file(try FileSystem.realPath(expanded(text)))
  }

  private static func expanded(_ text: String) -> String {
    guard text == "~" || text.hasPrefix("~/"), let home = Machine.environment("HOME") else {
      return text
    }
    return home + text.dropFirst()
  }
}
