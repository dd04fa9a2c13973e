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
  ///   - problem: takes what has no picture, in a sentence each.
  /// - Returns: how many pictures are on the sheets.
  public func run(
    _ record: Record, tile: Int, columns: Int,
    put: @escaping @Sendable (_ sheet: Int, _ of: Int, _ jpeg: [UInt8]) throws -> Void,
    problem: (String) throws -> Void
  ) async throws -> PictureCount {
    var all: [RecordPicture] = []
    try await tools.pictures.run(record) {
      all.append($0)
    } problem: {
      try problem($0)
    }
    guard !all.isEmpty else { return PictureCount() }
    let layout = SheetLayout(count: all.count, tile: tile, columns: columns)
    let sheets = (all.count + layout.perSheet - 1) / layout.perSheet
    for sheet in 0..<sheets {
      let start = sheet * layout.perSheet
      let part = Array(all[start..<min(start + layout.perSheet, all.count)])
      let title = sheets > 1 ? "\(record.title) (\(sheet + 1)/\(sheets))" : record.title
      let jpeg = try await draw(part, layout, title, record, problem)
      try await tools.queue.run { try put(sheet + 1, sheets, jpeg) }
    }
    let damage = all.compactMap(\.damageSentence)
    for text in damage { try problem(text) }
    return PictureCount(pictures: all.count, damaged: damage.count)
  }

  private func draw(
    _ part: [RecordPicture], _ layout: SheetLayout, _ title: String,
    _ record: Record,
    _ problem: (String) throws -> Void
  ) async throws -> [UInt8] {
    let tiles = try await tiles(part, layout, record)
    for (picture, tile) in zip(part, tiles) {
      if case .failure(let error) = tile {
        try problem("\(picture.number): \(picture.label): \(error.detail)")
      }
    }
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
