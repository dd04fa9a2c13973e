import Engine
import Glibc
import Manifests
import Models
import SystemCalls

/// Turns the words of `add` into sources.
enum Sources {
  static let formats = ManifestFormat.allCases.map(\.rawValue)

  static func request(
    _ word: String, format: ManifestFormat?, again: Bool, spoolFolder: String
  ) throws -> SourceRequest {
    SourceRequest(
      location: try location(word, spoolFolder: spoolFolder), format: format, again: again)
  }

  private static func location(
    _ word: String, spoolFolder: String
  ) throws -> SourceRequest.Location {
    if word == "-" { return .standardInput(spool: try spool(into: spoolFolder)) }
    if let scheme = scheme(of: word) {
      guard scheme == "http" || scheme == "https" else {
        throw CommandFailure(.source, "\(word): only http and https URLs can be fetched")
      }
      do {
        return .url(try HTTPURL(word))
      } catch {
        throw CommandFailure(.source, "\(word): not a URL that can be fetched: \(error)")
      }
    }
    do throws(SystemError) {
      return .file(try FileSystem.realPath(word))
    } catch {
      throw CommandFailure(.source, error.description)
    }
  }

  private static func scheme(of word: String) -> String? {
    guard let colon = word.firstIndex(of: ":"), word[colon...].hasPrefix("://") else { return nil }
    let scheme = word[..<colon].lowercased()
    return scheme.isEmpty || scheme.contains("/") ? nil : scheme
  }

  /// Standard input can be read only once: it goes into a file first.
  private static func spool(into folder: String) throws -> String {
    try FileSystem.makeFolders(folder)
    let path = "\(folder)/stdin-\(Machine.processID).spool"
    let file = try FileSystem.open(path, .writing, create: .replacing)
    let input = OwnedDescriptor(dup(0))
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try input.read(into: buffer), count > 0 {
      try file.write(all: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return path
  }
}
