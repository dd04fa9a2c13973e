public import Models
import Rendering
import SystemCalls
import Threading

/// Draws contact sheets: small images of a record with their names.
public struct ContactSheet: Sendable {
  private let tools: ImageExportTools

  public init(_ tools: ImageExportTools) { self.tools = tools }

  /// Draws the sheets of a record.
  /// - Parameters:
  ///   - tile: The maximum width and height of an image in pixels.
  ///   - put: Receives each sheet as JPEG, with its number from 1 and the number of all sheets.
  ///   - problem: Receives the images that cannot be shown, and those that are damaged.
  /// - Returns: The number of images on the sheets, the number of sheets, which is 0 if the record has no
  ///   images, and the number of labels with characters that the font of the sheets does not have.
  public func draw(
    _ record: Record, tile: Int, columns: Int,
    put: @escaping @Sendable (_ sheet: Int, _ of: Int, _ jpeg: [UInt8]) throws -> Void,
    problem: (ImageProblem) throws -> Void
  ) async throws -> (images: ExportedImageCount, sheets: Int, incompleteLabels: Int) {
    var all: [RecordImage] = []
    try await tools.images.forEach(in: record) {
      all.append($0)
    } problem: {
      try problem($0)
    }
    guard !all.isEmpty else { return (ExportedImageCount(), 0, 0) }
    let layout = SheetLayout(count: all.count, tile: tile, columns: columns)
    let sheets = (all.count + layout.perSheet - 1) / layout.perSheet
    var count = ExportedImageCount()
    var incomplete = 0
    for sheet in 0..<sheets {
      let start = sheet * layout.perSheet
      let part = Array(all[start..<min(start + layout.perSheet, all.count)])
      let title = sheets > 1 ? "\(record.title) (\(sheet + 1)/\(sheets))" : record.title
      let tiles = try await tiles(part, layout, record)
      for (image, tile) in zip(part, tiles) {
        let change = try await tools.change(of: image, readsContent: false)
        try report(image, tile, change, &count, problem)
      }
      let (jpeg, labels) = try await drawSheet(part, tiles, layout, title)
      incomplete += labels
      try await tools.queue.run { try put(sheet + 1, sheets, jpeg) }
    }
    return (count, sheets, incomplete)
  }

  /// Counts an image that was drawn, and reports the image's problem, if it has one.
  private func report(
    _ image: RecordImage, _ tile: Result<Rendition, ImageProblem>, _ change: OriginalChange?,
    _ count: inout ExportedImageCount, _ problem: (ImageProblem) throws -> Void
  ) throws {
    switch tile {
    case .success:
      count.total += 1
      if let damage = image.problem {
        if damage.cause == .failure { count.damaged += 1 }
        try problem(damage)
      } else if let change {
        // The sheet shows the thumbnail, which was made when the file was intact.
        count.damaged += 1
        try problem(ImageProblem(image, change))
      }
    case .failure(let error):
      try problem(change.map { ImageProblem(image, $0) } ?? error)
    }
  }

  private func drawSheet(
    _ part: [RecordImage], _ tiles: [Result<Rendition, ImageProblem>], _ layout: SheetLayout,
    _ title: String
  ) async throws -> (jpeg: [UInt8], incompleteLabels: Int) {
    let scratch = tools.scratch
    let incomplete = try await tools.queue.run {
      let document = try SheetDocument(scratch, layout, count: part.count, title: title)
      for (image, tile) in zip(part, tiles) {
        try document.add(
          (try? tile.get()).flatMap { PixelRendition($0) },
          label: "\(image.number)  \(image.label)")
      }
      try document.finish()
      return document.incompleteLabels
    }
    // The default limits apply, since no server determines the size of a sheet.
    let side = max(layout.width, layout.height(of: part.count))
    var job = RenderJob(path: scratch, sides: [side], quality: 90)
    job.limits = RenderLimits()
    let sheet = try await tools.draw(job)
    try await tools.queue.run { try FileSystem.remove(scratch) }
    return (try sheet.get().bytes, incomplete)
  }

  /// Renders the small images of a sheet. Those of an archive that must be extracted are rendered together, so that only
  /// one archive is extracted at a time.
  private func tiles(
    _ part: [RecordImage], _ layout: SheetLayout, _ record: Record
  ) async throws -> [Result<Rendition, ImageProblem>] {
    let isSmall = layout.tile <= tools.settings.rendering.thumbnailSide
    func archive(_ image: RecordImage) -> String? {
      image.isInArchive && !(isSmall && image.thumbnail != nil) ? image.path : nil
    }
    var tiles: [Result<Rendition, ImageProblem>] = []
    var rest = part[...]
    while let first = rest.first {
      let run = rest.prefix { archive($0) == archive(first) }
      rest = rest.dropFirst(run.count)
      tiles += try await self.tiles(Array(run), isSmall: isSmall, layout, record)
    }
    return tiles
  }

  /// Renders small images concurrently. The renderer limits the number of workers.
  private func tiles(
    _ part: [RecordImage], isSmall: Bool, _ layout: SheetLayout, _ record: Record
  ) async throws -> [Result<Rendition, ImageProblem>] {
    var paths: [Result<String, ImageProblem>] = []
    for image in part {
      if isSmall, let thumbnail = image.thumbnail {
        paths.append(.success(thumbnail))
      } else {
        paths.append(try await tools.path(of: image, record))
      }
    }
    return try await withThrowingTaskGroup(of: (Int, Result<Rendition, ImageProblem>).self) {
      group in
      for (index, image) in part.enumerated() {
        group.addTask { [tools, paths] in
          try Task.checkCancellation()
          let path: String
          switch paths[index] {
          case .success(let found): path = found
          case .failure(let error): return (index, .failure(error))
          }
          let job = tools.job(
            path, page: isSmall && image.thumbnail != nil ? nil : image.documentPage,
            side: layout.tile, quality: 0, of: record)
          return (index, try await tools.draw(job).mapError { ImageProblem(image, $0) })
        }
      }
      var tiles: [Int: Result<Rendition, ImageProblem>] = [:]
      for try await (index, tile) in group { tiles[index] = tile }
      return part.indices.compactMap { tiles[$0] }
    }
  }
}
