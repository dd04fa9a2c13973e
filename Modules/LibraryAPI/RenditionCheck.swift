import Models
package import Persistence
import SystemCalls

/// Tells whether the files of renditions are whole, by their lengths in the cache usage and by their first bytes.
///
/// Renditions are not synced, because they can be made again. A power cut may therefore leave an empty file, a part of
/// one, or zeros. Each use of a rendition treats such a file like one that was evicted.
package struct RenditionCheck: Sendable {
  package enum State: Sendable {
    case missing, damaged, whole
  }

  private let layout: LibraryLayout
  /// The lengths by the names of the renditions.
  private let sizes: [String: Int64]

  /// - Parameter entries: The entries of the renditions in the cache usage; the last entry of a name counts. A rendition
  ///   without an entry is recognised by its first bytes only.
  package init(_ layout: LibraryLayout, _ entries: [CacheEntry]) {
    self.layout = layout
    sizes = Dictionary(entries.map { ($0.name, $0.bytes) }) { $1 }
  }

  /// Blocks.
  package func isWhole(_ name: String) -> Bool { state(of: name) == .whole }

  /// Blocks. A file that cannot be opened counts as missing.
  package func state(of name: String) -> State {
    guard let file = try? layout.folder.open(layout.rendition(name)),
      let status = try? file.status(), status.kind == .file
    else { return .missing }
    guard status.size == sizes[name] ?? status.size,
      var head = try? file.bytes(count: ResourceFormat.sniffLength, at: 0)
    else { return .damaged }
    if ResourceFormat(sniffing: head).isUndecided {
      // The first element of an SVG may come late.
      head = (try? file.bytes(count: ResourceFormat.prologLimit, at: 0)) ?? head
    }
    return Self.isImage(head) ? .whole : .damaged
  }

  /// Like `isWhole`, for the bytes of a file that was read.
  package func isWhole(_ name: String, content: [UInt8]) -> Bool {
    Int64(content.count) == sizes[name] ?? Int64(content.count) && Self.isImage(content)
  }

  private static func isImage(_ head: [UInt8]) -> Bool {
    ResourceFormat(sniffing: head).kind == .image
  }
}

extension LibraryReader {
  /// Returns the check of renditions by their lengths in the cache usage.
  package func renditionCheck(
    of names: [String], _ layout: LibraryLayout
  ) async throws(StoreError) -> RenditionCheck {
    RenditionCheck(layout, try await entries(named: names, in: .renditions))
  }
}
