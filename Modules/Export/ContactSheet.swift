public import Models
import Rendering
import SystemCalls
import Threading

/// Puts small pictures of a record, with their names, on one sheet or several.
public struct ContactSheet: Sendable {
  private let tools: PictureTools

  public init(_ tools: PictureTools) { self.tools = tools }

  /// - Parameters:
  ///   - tile: pixels of a picture's longest side.
  ///   - put: takes each sheet as JPEG, with its number from 1 and how many there are.
  ///   - problem: takes what has no picture, and what is damaged.
  /// - Returns: how many pictures are on the sheets, and how many sheets there are: none of a record without
  ///   pictures.
  public func run(
    _ record: Record, tile: Int, columns: Int,
    put: @escaping @Sendable (_ sheet: Int, _ of: Int, _ jpeg: [UInt8]) throws -> Void,
    problem: (PictureProblem) throws -> Void
  ) async throws -> (pictures: PictureCount, sheets: Int) {
    var all: [RecordPicture] = []
    try await tools.pictures.run(record) {
      all.append($0)
    } problem: {
      try problem($0)
    }
    guard !all.isEmpty else { return (PictureCount(), 0) }
    let layout = SheetLayout(count: all.count, tile: tile, columns: columns)
    let sheets = (all.count + layout.perSheet - 1) / layout.perSheet
    var count = PictureCount()
    for sheet in 0..<sheets {
      let start = sheet * layout.perSheet
      let part = Array(all[start..<min(start + layout.perSheet, all.count)])
      let title = sheets > 1 ? "\(record.title) (\(sheet + 1)/\(sheets))" : record.title
      let tiles = try await tiles(part, layout, record)
      for (picture, tile) in zip(part, tiles) { try report(picture, tile, &count, problem) }
      let jpeg = try await draw(part, tiles, layout, title)
      try await tools.queue.run { try put(sheet + 1, sheets, jpeg) }
    }
    return (count, sheets)
  }

  /// Counts a picture that is on the sheet, and names what is wrong with it, once.
  private func report(
    _ picture: RecordPicture, _ tile: Result<Rendition, RenderError>, _ count: inout PictureCount,
    _ problem: (PictureProblem) throws -> Void
  ) throws {
    switch tile {
    case .success:
      count.pictures += 1
      if let damage = picture.problem {
        if damage.cause == .failure { count.damaged += 1 }
        try problem(damage)
      }
    case .failure(let error): try problem(PictureProblem(picture, error))
    }
  }

  private func draw(
    _ part: [RecordPicture], _ tiles: [Result<Rendition, RenderError>], _ layout: SheetLayout,
    _ title: String
  ) async throws -> [UInt8] {
    let scratch = tools.scratch
    try await tools.queue.run {
      let document = try SheetDocument(scratch, layout, count: part.count, title: title)
      for (picture, tile) in zip(part, tiles) {
        try document.add(
          (try? tile.get()).flatMap { PixelRendition($0) },
          label: "\(picture.number)  \(picture.label)")
      }
      try document.finish()
    }
    // Ours: its size is not a stranger's doing.
    let side = max(layout.width, layout.height(of: part.count))
    var job = RenderJob(path: scratch, sides: [side], quality: 90)
    job.limits = RenderLimits()
    let sheet = try await tools.draw(job)
    try await tools.queue.run { try FileSystem.remove(scratch) }
    return try sheet.get().bytes
  }

  /// Small pictures, as many at the same time as there are workers.
  private func tiles(
    _ part: [RecordPicture], _ layout: SheetLayout, _ record: Record
  ) async throws -> [Result<Rendition, RenderError>] {
    let isSmall = layout.tile <= tools.settings.rendering.thumbnailSide
    return try await withThrowingTaskGroup(of: (Int, Result<Rendition, RenderError>).self) {
      group in
      for (index, picture) in part.enumerated() {
        group.addTask { [tools] in
          try Task.checkCancellation()
          let small = isSmall ? picture.thumbnail : nil
          let job = tools.job(
            small ?? picture.path, page: small == nil ? picture.drawing : nil, side: layout.tile,
            quality: 0, of: record)
          return (index, try await tools.draw(job))
        }
      }
      var tiles: [Int: Result<Rendition, RenderError>] = [:]
      for try await (index, tile) in group { tiles[index] = tile }
      return part.indices.compactMap { tiles[$0] }
    }
  }
}
