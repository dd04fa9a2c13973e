public import Models
import Rendering
import SystemCalls
import Threading

/// Exports the images of a record as files, one after the other: originals unchanged, and pages of documents,
/// which are rendered now unless a rendition exists.
public struct PictureExport: Sendable {
  private let tools: PictureTools

  public init(_ tools: PictureTools) { self.tools = tools }

  /// Exports the images of a record.
  /// - Parameters:
  ///   - put: Receives a file name that sorts in the order of the record, and the path of the image, which
  ///     may be valid only during the call. Runs on a thread that may block.
  ///   - problem: Receives the images that cannot be exported, and those that are damaged.
  /// - Returns: The number of exported images.
  public func run(
    _ record: Record, put: @escaping @Sendable (_ name: String, _ path: String) throws -> Void,
    problem: (PictureProblem) throws -> Void
  ) async throws -> PictureCount {
    let digits = String(record.counts.total).count
    var count = PictureCount()
    try await tools.pictures.run(record) { picture in
      let name = picture.name(width: digits)
      if picture.drawing == nil {
        try await tools.queue.run { try put(name, picture.path) }
      } else if let error = try await draw(picture, record) {
        return try problem(PictureProblem(picture, error))
      } else {
        try await tools.queue.run { [scratch = tools.scratch] in
          defer { try? FileSystem.remove(scratch) }
          try put(name, scratch)
        }
      }
      count.pictures += 1
      if let damage = picture.problem {
        // An image that is incomplete because of a limit is not known to be damaged.
        if damage.cause == .failure { count.damaged += 1 }
        try problem(damage)
      }
    } problem: {
      try problem($0)
    }
    return count
  }

  /// Renders a page of a document into the scratch file.
  /// - Returns: The error if the page could not be rendered or written; nil otherwise.
  private func draw(_ picture: RecordPicture, _ record: Record) async throws -> RenderError? {
    let rendering = tools.settings.rendering
    let job = tools.job(
      picture.path, page: picture.drawing, side: rendering.pageSide, quality: rendering.quality,
      of: record)
    switch try await tools.draw(job) {
    case .success(let rendition): return try await write(rendition.bytes)
    case .failure(let error): return error
    }
  }

  /// Writes the scratch file.
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
