public import Models
public import Rendering
import SystemCalls

/// Hands out the pictures of a record as files, one after the other: originals as they are, pages of
/// documents drawn now if they were not before.
public struct PictureExport: Sendable {
  private let pictures: RecordPictures
  private let renderer: any Renderer
  private let settings: Settings
  /// For a page on its way.
  private let scratch: String
  private let queue = BlockingQueue("export")

  /// - Parameter scratch: the path of a file that may be written and removed.
  public init(
    _ pictures: RecordPictures, _ renderer: any Renderer, _ settings: Settings, scratch: String
  ) {
    self.pictures = pictures
    self.renderer = renderer
    self.settings = settings
    self.scratch = scratch
  }

  /// - Parameters:
  ///   - put: takes a name that sorts as the record does, and a file that may be gone afterwards;
  ///     on a thread that may block.
  ///   - problem: takes what cannot be had, in a sentence each.
  /// - Returns: how many pictures were handed out.
  public func run(
    _ record: Record, put: @escaping @Sendable (_ name: String, _ path: String) throws -> Void,
    problem: (String) throws -> Void
  ) async throws -> Int {
    let digits = String(record.counts.total).count
    var count = 0
    try await pictures.run(record) { picture in
      let name = picture.name(width: digits)
      if picture.drawing == nil {
        try await queue.run { try put(name, picture.path) }
      } else if let reason = try await draw(picture, record) {
        return try problem("\(picture.position): \(picture.label): \(reason)")
      } else {
        try await queue.run { [scratch] in
          defer { try? FileSystem.remove(scratch) }
          try put(name, scratch)
        }
      }
      count += 1
    } problem: {
      try problem($0)
    }
    return count
  }

  /// Draws a page of a document into the scratch file.
  /// - Returns: why it cannot be drawn.
  private func draw(_ picture: RecordPicture, _ record: Record) async throws -> String? {
    var job = RenderJob(
      path: picture.path, page: picture.drawing ?? 0, sides: [settings.rendering.pageSide],
      quality: settings.rendering.quality)
    job.limits = RenderLimits(settings.limits(for: record))
    do throws(RenderError) {
      let result = try await renderer.render(job)
      try await write(result.renditions.first?.bytes ?? [])
      return nil
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      return error.detail
    }
  }

  private func write(_ bytes: [UInt8]) async throws(RenderError) {
    do {
      try await queue.run { [scratch] in
        let file = try FileSystem.open(scratch, .writing, create: .replacing)
        try file.write(all: bytes.span.bytes)
      }
    } catch {
      throw RenderError(.io, escaping: "\(error)")
    }
  }
}
