import Archive
import Models
import ProgressTree
import Rendering
import SystemCalls

/// Turns one downloaded original into pages and thumbnails.
struct PageMaker: Sendable {
  let layout: LibraryLayout
  let settings: Settings
  let renderer: any Renderer
  let archive: any ArchiveReader
  let unzipping: BlockingQueue
  let progress: any ProgressTracking

  struct Result: Sendable {
    var pages: [Page] = []
    /// Why there is nothing to show, or what went wrong.
    var reason: String?
    var isFailure = false
  }

  /// Whether a file of that format has anything to be made of it.
  static func isNeeded(_ format: ResourceFormat, settings: Settings) -> Bool {
    switch format.kind {
    case .image: settings.rendering.thumbnails
    case .document, .archive: true
    case .other: false
    }
  }

  /// The reason that goes with a file that cannot be shown (RM5).
  static func noPreview(_ format: ResourceFormat) -> String { "no preview (\(format.mediaType))" }

  @concurrent
  func make(_ resource: Resource, file: StoredFile, record: Record) async throws -> Result {
    let path = layout.original(file, in: record)
    switch file.format.kind {
    case .image:
      progress.stage(resource.id, .rendering)
      return try await image(path, file)
    case .document:
      progress.stage(resource.id, .rendering)
      return try await document(path, file)
    case .archive:
      progress.stage(resource.id, .unzipping)
      return try await pictures(path, file, resource)
    case .other:
      return Result(reason: Self.noPreview(file.format))
    }
  }

  private func image(_ path: String, _ file: StoredFile) async throws -> Result {
    do throws(RenderError) {
      let result = try await renderer.render(job(path, sides: [settings.rendering.thumbnailSide]))
      let thumbnail = try await save(result.renditions.last, file.digest, page: 1)
      let page = Page(
        number: 1, width: result.info.width, height: result.info.height, thumbnail: thumbnail)
      return Result(pages: [page])
    } catch {
      return try failure(error, file.format)
    }
  }

  private func document(_ path: String, _ file: StoredFile) async throws -> Result {
    do throws(RenderError) {
      let info = try await renderer.probe(path)
      var result = Result()
      for number in 1...max(1, info.pageCount) {
        result.pages.append(try await documentPage(path, file, number))
      }
      return summing(result)
    } catch {
      return try failure(error, file.format)
    }
  }

  private func documentPage(
    _ path: String, _ file: StoredFile, _ number: Int
  ) async throws(RenderError) -> Page {
    do throws(RenderError) {
      var sides = [settings.rendering.pageSide]
      if settings.rendering.thumbnails { sides.append(settings.rendering.thumbnailSide) }
      let result = try await renderer.render(job(path, page: number - 1, sides: sides))
      let picture = result.renditions.first
      let name = try await save(picture, file.digest, page: number, isScaled: false)
      let thumbnail =
        settings.rendering.thumbnails
        ? try await save(result.renditions.last, file.digest, page: number) : nil
      return Page(
        number: number, width: picture?.width ?? 0, height: picture?.height ?? 0, file: name,
        thumbnail: thumbnail)
    } catch {
      if error.code == .cancelled || error.code == .io { throw error }
      return Page(number: number, width: 0, height: 0, reason: error.detail)
    }
  }

  private func pictures(
    _ path: String, _ file: StoredFile, _ resource: Resource
  ) async throws -> Result {
    let extraction = ArchiveExtraction(
      path: path, resource: resource.id, layout: layout, archive: archive, limits: settings.limits)
    let extracted: ArchiveExtraction.Output
    do {
      extracted = try await unzipping.run { try extraction.run() }
    } catch let error as ArchiveError {
      return Result(reason: error.description, isFailure: true)
    }
    progress.stage(resource.id, .rendering)
    var result = Result()
    for (offset, picture) in extracted.pictures.enumerated() {
      try Task.checkCancellation()
      result.pages.append(try await archivePage(picture, file, offset + 1))
    }
    if let problem = extracted.problem {
      result.reason = problem
      result.isFailure = true
      return result
    }
    if result.pages.isEmpty { result.reason = "no pictures in this archive" }
    return summing(result)
  }

  private func archivePage(
    _ picture: ArchiveExtraction.Picture, _ file: StoredFile, _ number: Int
  ) async throws -> Page {
    let name = RenditionName.picture(
      file.digest, page: number, fileExtension: picture.format.fileExtension)
    try RenditionFile.adopt(picture.path, as: layout.rendition(name))
    do throws(RenderError) {
      guard settings.rendering.thumbnails else {
        let info = try await renderer.probe(layout.rendition(name))
        return Page(
          number: number, width: info.width, height: info.height, label: picture.label, file: name)
      }
      let result = try await renderer.render(
        job(layout.rendition(name), sides: [settings.rendering.thumbnailSide]))
      let thumbnail = try await save(result.renditions.last, file.digest, page: number)
      return Page(
        number: number, width: result.info.width, height: result.info.height,
        label: picture.label, file: name, thumbnail: thumbnail)
    } catch {
      if error.code == .cancelled || error.code == .io { throw error }
      return Page(
        number: number, width: 0, height: 0, label: picture.label, file: name,
        reason: error.detail)
    }
  }

  private func job(_ path: String, page: Int = 0, sides: [Int]) -> RenderJob {
    RenderJob(path: path, page: page, sides: sides, quality: settings.rendering.quality)
  }

  /// Writes a rendition below the renditions folder and returns its name there. Not synced: it can
  /// be made again.
  private func save(
    _ rendition: Rendition?, _ digest: Digest, page: Int, isScaled: Bool = true
  ) async throws(RenderError) -> String? {
    guard let rendition else { return nil }
    let suffix = rendition.format.fileExtension
    let name =
      isScaled
      ? RenditionName.scaled(
        digest, page: page, side: settings.rendering.thumbnailSide, fileExtension: suffix)
      : RenditionName.picture(digest, page: page, fileExtension: suffix)
    do {
      try RenditionFile.write(rendition.bytes, to: layout.rendition(name))
    } catch {
      throw RenderError(.io, error.description)
    }
    return name
  }

  /// A resource of which some pages have no picture is a failure that names them; the others stay.
  private func summing(_ result: Result) -> Result {
    var result = result
    let bad = result.pages.filter { $0.reason != nil }
    guard let first = bad.first else { return result }
    let place = first.label.map { "page \(first.number) (\($0))" } ?? "page \(first.number)"
    result.reason =
      bad.count == 1
      ? "\(place): \(first.reason ?? "")"
      : "\(bad.count) of \(result.pages.count) pages; \(place): \(first.reason ?? "")"
    result.isFailure = true
    return result
  }

  private func failure(_ error: RenderError, _ format: ResourceFormat) throws -> Result {
    switch error.code {
    case .cancelled: throw CancellationError()
    case .io: throw EngineError(.io, error.detail)
    case .unsupported: return Result(reason: error.detail)
    default: return Result(reason: error.detail, isFailure: true)
    }
  }
}
