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
  /// For taking pictures out of archives.
  let unzipping: BlockingQueue
  /// For writing renditions.
  let writing: BlockingQueue
  let written: RenditionLog
  let progress: any ProgressTracking

  struct Result: Sendable {
    var pages: [Page] = []
    /// Why there is nothing to show, or what went wrong.
    var reason: String?
    var isFailure = false
    /// The original is not there any more: it is to be fetched again.
    var isMissing = false
  }

  /// So many pages of one original may kill or hang their worker; the others are not tried.
  static let workerFailureLimit = 3

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

  /// - Throws: `CancellationError`, and `SystemError` when our own files cannot be written; what is
  ///   wrong with the original is a result.
  @concurrent
  func make(_ resource: Resource, file: StoredFile, record: Record) async throws -> Result {
    let path = layout.original(file, in: record)
    guard try await isThere(path) else { return Result(isMissing: true) }
    let result = try await make(resource, file, path)
    // What our own disk did is not the resource's fault, and ends the run like a failed write.
    guard result.isFailure else { return result }
    return try await isThere(path) ? result : Result(isMissing: true)
  }

  /// - Throws: `SystemError` if it is there and cannot be read.
  private func isThere(_ path: String) async throws -> Bool {
    try await writing.run {
      do {
        try FileSystem.open(path, followingLinks: false).close()
        return true
      } catch let error as SystemError where error.isMissing {
        return false
      }
    }
  }

  private func make(
    _ resource: Resource, _ file: StoredFile, _ path: String
  ) async throws -> Result {
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
    do {
      let result = try await render(path, sides: [settings.rendering.thumbnailSide])
      let thumbnail = try await save(result.renditions.last, .thumbnail, file.digest, page: 1)
      let page = Page(
        number: 1, width: result.info.width, height: result.info.height, thumbnail: thumbnail)
      return Result(pages: [page])
    } catch let error as RenderError {
      return failure(error)
    }
  }

  private func document(_ path: String, _ file: StoredFile) async throws -> Result {
    var result = Result()
    do {
      let info = try await probe(path)
      var patience = Patience()
      for number in 1...max(1, info.pageCount) {
        do {
          try patience.check()
          result.pages.append(try await documentPage(path, file, number))
        } catch let error as RenderError {
          patience.note(error)
          result.pages.append(Page(number: number, width: 0, height: 0, reason: error.detail))
        }
      }
    } catch let error as RenderError {
      return failure(error)
    }
    return summing(result)
  }

  private func documentPage(
    _ path: String, _ file: StoredFile, _ number: Int
  ) async throws -> Page {
    var sides = [settings.rendering.pageSide]
    if settings.rendering.thumbnails { sides.append(settings.rendering.thumbnailSide) }
    let result = try await render(path, page: number - 1, sides: sides)
    let picture = result.renditions.first
    let name = try await save(picture, .picture, file.digest, page: number)
    let thumbnail =
      sides.count > 1
      ? try await save(result.renditions.last, .thumbnail, file.digest, page: number) : nil
    return Page(
      number: number, width: picture?.width ?? 0, height: picture?.height ?? 0, file: name,
      thumbnail: thumbnail)
  }

  private func pictures(
    _ path: String, _ file: StoredFile, _ resource: Resource
  ) async throws -> Result {
    let extraction = ArchiveExtraction(
      path: path, resource: resource.id, layout: layout, archive: archive)
    let extracted: ArchiveExtraction.Output
    do {
      extracted = try await unzipping.runCancellable { try extraction.run($0) }
    } catch let error as ArchiveError {
      return Result(reason: error.description, isFailure: true)
    }
    progress.stage(resource.id, .rendering)
    var result = Result()
    var patience = Patience()
    for (offset, picture) in extracted.pictures.enumerated() {
      do {
        try Task.checkCancellation()
        result.pages.append(try await archivePage(picture, file, offset + 1, &patience))
      } catch {
        let left = extracted.pictures[offset...]
        _ = try? await writing.run { ArchiveExtraction.discard(left) }
        throw error
      }
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
    _ picture: ArchiveExtraction.Picture, _ file: StoredFile, _ number: Int,
    _ patience: inout Patience
  ) async throws -> Page {
    let name = RenditionName.picture(
      file.digest, page: number, fileExtension: picture.format.fileExtension)
    let path = layout.rendition(name)
    try await writing.run { [written] in
      let size = try FileSystem.status(picture.path).size
      try RenditionFile.adopt(picture.path, as: path)
      written.note(name, bytes: size)
    }
    do {
      try patience.check()
      guard settings.rendering.thumbnails else {
        let info = try await probe(path)
        return Page(
          number: number, width: info.width, height: info.height, label: picture.label, file: name)
      }
      let result = try await render(path, sides: [settings.rendering.thumbnailSide])
      let thumbnail = try await save(
        result.renditions.last, .thumbnail, file.digest, page: number)
      return Page(
        number: number, width: result.info.width, height: result.info.height,
        label: picture.label, file: name, thumbnail: thumbnail)
    } catch let error as RenderError {
      patience.note(error)
      return Page(
        number: number, width: 0, height: 0, label: picture.label, file: name,
        reason: error.detail)
    }
  }
}

extension PageMaker {
  /// With an original that kills its workers: each page of it may cost a worker's whole time.
  private struct Patience {
    private var failures = 0

    func check() throws {
      guard failures < PageMaker.workerFailureLimit else {
        throw RenderError(.limit, "not tried: \(failures) pages of this file failed the decoder")
      }
    }

    mutating func note(_ error: RenderError) {
      if error.code == .worker { failures += 1 }
    }
  }

  private func probe(_ path: String) async throws -> DocumentInfo {
    do {
      return try await renderer.probe(path)
    } catch {
      throw error.code == .cancelled ? CancellationError() : error as any Error
    }
  }

  private func render(_ path: String, page: Int = 0, sides: [Int]) async throws -> RenderResult {
    do {
      return try await renderer.render(
        RenderJob(path: path, page: page, sides: sides, quality: settings.rendering.quality))
    } catch {
      throw error.code == .cancelled ? CancellationError() : error as any Error
    }
  }

  private enum Purpose { case picture, thumbnail }

  /// Writes a rendition below the renditions folder and returns its name there. Not synced: it can
  /// be made again.
  private func save(
    _ rendition: Rendition?, _ purpose: Purpose, _ digest: Digest, page: Int
  ) async throws -> String? {
    guard let rendition else { return nil }
    let suffix = rendition.format.fileExtension
    let name =
      switch purpose {
      case .picture: RenditionName.picture(digest, page: page, fileExtension: suffix)
      case .thumbnail:
        RenditionName.scaled(
          digest, page: page, side: settings.rendering.thumbnailSide, fileExtension: suffix)
      }
    let path = layout.rendition(name)
    let draft = "\(layout.incoming)/\(UInt64.random(in: 0 ... .max)).rendition"
    try await writing.run { [written] in
      try RenditionFile.write(rendition.bytes, to: path, draft: draft)
      written.note(name, bytes: Int64(rendition.bytes.count))
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

  /// What cannot be shown is kept all the same (RM5); what should be and cannot is a failure.
  private func failure(_ error: RenderError) -> Result {
    Result(reason: error.detail, isFailure: error.code != .unsupported)
  }
}
