public import LibraryAPI
public import Models
public import Persistence
import SystemCalls
import Threading

/// An image of a record: an image resource, a page of a document, or an image in an archive.
public struct RecordImage: Sendable, Equatable {
  /// The position of the resource in the record's order, from 1, by which exported files are sorted.
  public let position: Int
  /// The number of the resource, as in `show` and in file names.
  public let index: Int
  /// The number of the page in the resource, from 1, or nil if the resource has only one.
  public let page: Int?
  /// The display name: the name of the resource's file, or of the archive entry.
  public let label: String
  /// The absolute path of the image, of its document if `documentPage` is set, or of its archive if `isInArchive` is.
  public let path: String
  public let format: ResourceFormat
  /// The page of the document at `path` to render, from 0; nil if the file at `path` is the image itself.
  public let documentPage: Int?
  /// Whether the image must be extracted from the archive at `path` (`ArchiveImages`), because the cache does not contain
  /// it, or only a damaged file.
  public let isInArchive: Bool
  /// The absolute path of the thumbnail, or nil if no thumbnail exists.
  public let thumbnail: String?
  /// The row of the original at `path`; nil if the file at `path` was made from the original.
  let original: StoredFile?
  /// The damage of the image, or nil if it is intact.
  public let damage: ImageDamage?

  /// The damage as a problem for the user, or nil if the image is intact.
  var problem: ImageProblem? {
    damage.map {
      ImageProblem(
        "\(number): \(label) \($0.isPartial ? "is shown in part" : "cannot be shown")", $0.reason)
    }
  }

  /// The number of the image in the record, as in `view 1:8.3`: the number of the resource, followed by that
  /// of the page if the resource has several.
  public var number: String { page.map { "\(index).\($0)" } ?? "\(index)" }

  /// Returns a file name that sorts in the order of the record.
  /// - Parameter width: The number of digits of the position.
  public func name(width: Int) -> String {
    let number = Self.padded(position, max(4, width))
    let part = page.map { "-p" + Self.padded($0, 4) } ?? ""
    let suffix = documentPage == nil ? format.fileExtension : ResourceFormat.jpeg.fileExtension
    return "\(number)\(part).\(suffix)"
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Lists the images of a record in reading order. The rows are read a page at a time.
public struct RecordImages: Sendable {
  private let store: any LibraryReader
  let layout: LibraryLayout
  private let disk = BlockingQueue("renditions")

  private static let pageSize = 500

  public init(store: any LibraryReader, layout: LibraryLayout) {
    self.store = store
    self.layout = layout
  }

  /// Passes each image of a record, and each problem, to a closure.
  /// - Parameters:
  ///   - each: Receives the images that exist, damaged ones included.
  ///   - problem: Receives a description of each missing image or page.
  public func forEach(
    in record: Record, _ each: (RecordImage) async throws -> Void,
    problem: (ImageProblem) async throws -> Void
  ) async throws {
    var position = 0
    while case let rows = try await store.resources(
      of: record.id, offset: position, limit: Self.pageSize), !rows.isEmpty
    {
      for resource in rows {
        try Task.checkCancellation()
        position += 1
        guard let file = resource.file else {
          let reason = resource.reason ?? "not downloaded"
          try await problem(
            ImageProblem("\(resource.index)", reason, followedBy: ": \(resource.url)"))
          continue
        }
        let pages = resource.pageCount > 0 ? try await store.pages(of: resource.id) : []
        let renditions = try await wholeRenditions(of: pages)
        let found = images(
          file, pages, in: record, ResourcePosition(position: position, index: resource.index),
          damage: resource.damage, renditions)
        for image in found.images {
          try Task.checkCancellation()
          try await each(image)
        }
        for text in found.problems { try await problem(ImageProblem("\(resource.index)", text)) }
        if let reason = resource.missingPart(pages) {
          let label = Self.label(file)
          try await problem(ImageProblem("\(resource.index): \(label)", reason))
        }
      }
    }
  }

  /// The position of a resource in its record's order, and its number in the record.
  private struct ResourcePosition {
    let position: Int
    let index: Int
  }

  private func images(
    _ file: StoredFile, _ pages: [Page], in record: Record, _ place: ResourcePosition,
    damage: String?, _ renditions: [String: String]
  ) -> (images: [RecordImage], problems: [String]) {
    let path = layout.original(file, in: record)
    let label = Self.label(file)
    switch file.format.kind {
    case .image where pages.count <= 1:
      return (
        [
          RecordImage(
            position: place.position, index: place.index, page: nil, label: label, path: path,
            format: file.format,
            documentPage: nil, isInArchive: false,
            thumbnail: pages.first?.thumbnail.flatMap { renditions[$0] }, original: file,
            damage: damage.map { ImageDamage(reason: $0, isPartial: !pages.isEmpty) })
        ], []
      )
    case .image, .document:
      return (
        pages.map { page in
          let drawn = page.file.flatMap { renditions[$0] }
          return RecordImage(
            position: place.position, index: place.index, page: page.number,
            label: "\(label), \(page.number)",
            path: drawn ?? path, format: drawn == nil ? file.format : .jpeg,
            documentPage: drawn == nil ? page.number - 1 : nil, isInArchive: false,
            thumbnail: page.thumbnail.flatMap { renditions[$0] },
            original: drawn == nil ? file : nil,
            damage: page.partialDamage
              ?? (file.format.kind == .image && page.number == 1
                ? damage.map { ImageDamage(reason: $0, isPartial: true) } : nil))
        }, []
      )
    case .archive:
      var problems: [String] = []
      let found = pages.compactMap { page -> RecordImage? in
        guard let name = page.file else {
          problems.append("\(label), \(page.number): it contains no image")
          return nil
        }
        let suffix = name.split(separator: ".").last ?? ""
        return RecordImage(
          position: place.position, index: place.index, page: page.number,
          label: page.label ?? "\(label), \(page.number)", path: renditions[name] ?? path,
          format: ResourceFormat(fileExtension: suffix) ?? .unknown, documentPage: nil,
          isInArchive: renditions[name] == nil,
          thumbnail: page.thumbnail.flatMap { renditions[$0] },
          original: renditions[name] == nil ? file : nil, damage: page.damage)
      }
      return (found, problems)
    case .other:
      return ([], ["\(label) is not an image (\(file.format.mediaType))"])
    }
  }

  private static func label(_ file: StoredFile) -> String {
    file.name.split(separator: "/").last.map { String($0) } ?? file.name
  }

  /// Returns the paths of those renditions of the pages whose files are whole, by their names.
  private func wholeRenditions(of pages: [Page]) async throws -> [String: String] {
    let names = pages.flatMap(\.fileNames)
    guard !names.isEmpty else { return [:] }
    let check = try await store.renditionCheck(of: names, layout)
    return try await disk.run { [layout] in
      var paths: [String: String] = [:]
      for name in names where check.isWhole(name) { paths[name] = layout.rendition(name) }
      return paths
    }
  }
}

extension Resource {
  /// The reason why the resource failed, or nil if it did not. For a resource with a file, this is the damage
  /// of its image.
  fileprivate var damage: String? { state == .failed ? reason : nil }

  /// The reason why a document or an archive lacks pages; nil if no page is missing, or if the missing pages
  /// have reasons of their own.
  fileprivate func missingPart(_ pages: [Page]) -> String? {
    guard let kind = file?.format.kind, kind == .document || kind == .archive else { return nil }
    if pages.isEmpty { return reason ?? "its pages are not rendered yet" }
    if hasUnreadEntries { return reason }
    guard let damage else { return nil }
    // If only some pages failed, the reason of the resource ends with the reason of the first of them.
    let first = pages.first { $0.reason != nil }?.reason
    return first.map { damage.hasSuffix($0) } ?? false ? nil : damage
  }
}

extension Page {
  fileprivate var damage: ImageDamage? {
    reason.map { ImageDamage(reason: $0, isPartial: hasImage) }
  }

  fileprivate var partialDamage: ImageDamage? { hasImage ? damage : nil }
}
