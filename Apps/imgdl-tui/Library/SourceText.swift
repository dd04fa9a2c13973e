import LibraryAPI
import Models
import Persistence
import SystemCalls

/// A source as the user typed it.
enum SourceText {
  /// - Throws: `LibraryError`, `SystemError`; their texts show no credentials.
  static func request(_ text: String, isLazy: Bool) throws -> SourceRequest {
    SourceRequest(
      location: try location(text), again: true, isLazy: isLazy, outlivesClient: true)
  }

  private static func location(_ text: String) throws -> SourceRequest.Location {
    if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
      let shown = CredentialMask.masked(text)
      let scheme = text[..<colon].lowercased()
      guard scheme == "http" || scheme == "https" else {
        throw LibraryError(.source, "\(shown): only http and https URLs can be fetched")
      }
      do {
        return .url(try HTTPURL(text))
      } catch {
        throw LibraryError(.source, "\(shown): not a URL that can be fetched: \(error)")
      }
    }
    let path = expanded(text)
    _ = try FileSystem.absolutePath(path)
    return .file(try FileSystem.realPath(path))
  }

  private static func expanded(_ text: String) -> String {
    guard text == "~" || text.hasPrefix("~/"), let home = Machine.homeFolder else {
      return text
    }
    return home + text.dropFirst()
  }

  /// Returns the number of the first record of the same source; nil if there is none.
  static func earlierRecord(
    of request: SourceRequest, in store: any LibraryReader
  ) async -> Int? {
    let key: String
    switch request.location {
    case .url(let url): key = url.description
    case .file(let path): key = "file:" + path
    case .standardInput: return nil
    }
    guard let source = try? await store.source(key: key),
      let first = try? await store.records(of: source.id).first
    else { return nil }
    var offset = 0
    while let page = try? await store.records(offset: offset, limit: 1_000), !page.isEmpty {
      if let place = page.firstIndex(where: { $0.id == first.id }) { return offset + place + 1 }
      offset += page.count
    }
    return nil
  }
}

extension SourceRow {
  /// A short name of the location: the host of the URL, with the port unless it is the scheme's default, or
  /// the name of the folder that contains the file.
  var origin: String {
    if key.hasPrefix("file:") {
      return FileSystem.parentFolder(of: location).split(separator: "/").last.map(String.init)
        ?? "/"
    }
    guard let url = try? HTTPURL(location) else { return "standard input" }
    return url.port == url.scheme.defaultPort ? url.host : "\(url.host):\(url.port)"
  }
}
