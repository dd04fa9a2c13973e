public import Models
import Rendering
import SystemCalls
import Threading

/// Exports the images of a record as files, one after the other. Originals are copied unchanged; pages of
/// documents are rendered unless a rendition exists.
public struct ImageExport: Sendable {
  private let tools: ImageExportTools

  public init(_ tools: ImageExportTools) { self.tools = tools }

  /// Exports the images of a record.
  /// - Parameters:
  ///   - put: Called on a thread that may block, with a file name that sorts in the order of the record, and
  ///     the path of the image, which may be valid only during the call.
  ///   - problem: Receives the images that cannot be exported, and those that are damaged.
  /// - Returns: The number of exported images.
  public func export(
    _ record: Record, put: @escaping @Sendable (_ name: String, _ path: String) throws -> Void,
    problem: (ImageProblem) throws -> Void
  ) async throws -> ExportedImageCount {
    let digits = String(record.counts.total).count
    var count = ExportedImageCount()
    try await tools.images.forEach(in: record) { image in
      let name = image.name(width: digits)
      // The renderer finds damage of a document, and the reader that of an archive, which is therefore not read once
      // more for each of its pages.
      let change = try await tools.change(
        of: image, readsContent: image.documentPage == nil && !image.isInArchive)
      if let change, !change.isReadable { return try problem(ImageProblem(image, change)) }
      if image.documentPage == nil {
        switch try await tools.path(of: image, record) {
        case .success(let path): try await tools.queue.run { try put(name, path) }
        case .failure(let error): return try problem(error)
        }
      } else if let error = try await draw(image, record) {
        return try problem(ImageProblem(image, error))
      } else {
        try await tools.queue.run { [scratch = tools.scratch] in
          defer { try? FileSystem.remove(scratch) }
          try put(name, scratch)
        }
      }
      count.total += 1
      if let damage = image.problem {
        // An image that is incomplete because of a limit is not known to be damaged.
        if damage.cause == .failure { count.damaged += 1 }
        try problem(damage)
      } else if let change {
        count.damaged += 1
        try problem(ImageProblem(image, change))
      }
    } problem: {
      try problem($0)
    }
    return count
  }

  /// Renders a page of a document into the scratch file.
  /// - Returns: The error if the page could not be rendered or written; nil otherwise.
  private func draw(_ image: RecordImage, _ record: Record) async throws -> RenderError? {
    let rendering = tools.settings.rendering
    let job = tools.job(
      image.path, page: image.documentPage, side: rendering.pageSide, quality: rendering.quality,
      of: record)
    switch try await tools.draw(job) {
    case .success(let rendition): return try await write(rendition.bytes)
    case .failure(let error): return error
    }
  }

  /// Writes a rendered page to the scratch file.
  /// - Returns: The error if the file could not be written; nil otherwise.
  private func write(_ bytes: [UInt8]) async throws -> RenderError? {
    try await tools.queue.run { [scratch = tools.scratch] in
      do throws(SystemError) {
        let file = try FileSystem.open(scratch, .writing, create: .replacing)
        try file.write(all: bytes.span.bytes)
        return nil
      } catch {
        return RenderError(.io, escaping: error.description)
      }
    }
  }
}
