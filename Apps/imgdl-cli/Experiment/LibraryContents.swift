import Hashing
import Composition
import LibraryAPI
import Models
import Persistence
import SystemCalls
import Threading

/// The contents of a library after a run: the files on the disk and the rows of the store.
struct LibraryContents: Sendable, Equatable {
  /// An image that was extracted from an archive and may have been evicted from the cache since.
  enum ExtractedImage: Sendable, Equatable {
    case here(Digest)
    case missing
  }

  /// The digests of the originals, by path relative to the library.
  var digests: [String: Digest] = [:]
  /// The extracted images, by the path of the archive and the page number.
  var images: [String: ExtractedImage] = [:]
  /// The total size of the originals in bytes.
  var bytes: Int64 = 0
  /// Whether the store has rows. Without rows, extracted images are not compared.
  var hasRows = false

  /// - Parameter path: The path of the library, for which no engine is running.
  static func read(_ path: String, settings: Settings) async throws -> LibraryContents {
    var contents = try await BlockingThread.run("experiment-hash") {
      var contents = LibraryContents()
      try contents.addFiles(below: path, prefix: "")
      return contents
    }
    if let store = try await LibraryOpener.openStore(at: path, settings: settings) {
      do {
        try await contents.addRows(store, LibraryLayout(root: path))
      } catch {
        await store.close()
        throw error
      }
      await store.close()
    }
    return contents
  }

  private mutating func addFiles(below root: String, prefix: String) throws {
    for entry in try FileSystem.list(root + "/" + prefix) where prefix + entry.name != ".imgdl" {
      let name = prefix + entry.name
      let status = try FileSystem.status(root + "/" + name, followingLinks: false)
      if status.kind == .folder {
        try addFiles(below: root, prefix: name + "/")
      } else {
        digests[name] = try SHA256Hasher.hash(file: root + "/" + name)
        bytes += status.size
      }
    }
  }

  private mutating func addRows(_ store: any LibraryReader, _ layout: LibraryLayout) async throws {
    var position = 0
    while case let page = try await store.records(offset: position, limit: 500), !page.isEmpty {
      position += page.count
      hasRows = true
      for record in page { try await addResources(of: record, store, layout) }
    }
  }

  private mutating func addResources(
    of record: Record, _ store: any LibraryReader, _ layout: LibraryLayout
  ) async throws {
    var position = 0
    while case let page = try await store.resources(of: record.id, offset: position, limit: 1_000),
      !page.isEmpty
    {
      position += page.count
      for resource in page {
        guard let file = resource.file, file.format.kind == .archive else { continue }
        try await addImages(of: resource, "\(record.folder)/\(file.name)", store, layout)
      }
    }
  }

  private mutating func addImages(
    of resource: Resource, _ name: String, _ store: any LibraryReader, _ layout: LibraryLayout
  ) async throws {
    let pages = try await store.pages(of: resource.id)
    let found = try await BlockingThread.run("experiment-hash") {
      try pages.map { page -> (String, ExtractedImage) in
        let path = page.file.map(layout.rendition)
        let image: ExtractedImage =
          if let path, FileSystem.exists(path) {
            .here(try SHA256Hasher.hash(file: path))
          } else {
            .missing
          }
        return ("\(name) page \(page.number)", image)
      }
    }
    for (name, image) in found { images[name] = image }
  }
}

extension LibraryContents {
  /// The maximum number of differences that are described individually.
  private static let exampleLimit = 3

  /// Describes the differences from `reference` in a sentence; nil if there are none.
  func difference(from reference: LibraryContents) -> String? {
    var names = Set(digests.keys).union(reference.digests.keys)
      .filter { digests[$0] != reference.digests[$0] }
    if hasRows && reference.hasRows {
      names.formUnion(
        Set(images.keys).union(reference.images.keys)
          .filter { Self.differ(images[$0], reference.images[$0]) })
    }
    guard !names.isEmpty else { return nil }
    let examples = names.sorted().prefix(Self.exampleLimit).map { name in
      "\(name) (\(word(name)), not \(reference.word(name)))"
    }
    let more = names.count - examples.count
    return examples.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
  }

  private static func differ(_ one: ExtractedImage?, _ other: ExtractedImage?) -> Bool {
    one != other && one != .missing && other != .missing
  }

  private func word(_ name: String) -> String {
    if let digest = digests[name] { return Self.short(digest) }
    guard case .here(let digest)? = images[name] else { return "missing" }
    return Self.short(digest)
  }

  private static func short(_ digest: Digest) -> String {
    "SHA-256 \(digest.description.prefix(12))"
  }
}
