import Archive
import LibraryAPI
import Models
import PageExtraction
import ProgressTree
import Rendering
import Synchronization
import SystemCalls
import Threading

/// Turns one downloaded original into pages and thumbnails.
struct PageMaker: Sendable {
  let layout: LibraryLayout
  let settings: Settings
  /// The limits of the original's record.
  let limits: Settings.Limits
  let renderer: any Renderer
  let archive: any ArchiveReader
  /// The queue on which images are extracted from archives.
  let unzipping: BlockingQueue
  /// The queue on which renditions are written.
  let writing: BlockingQueue
  let written: RenditionLog
  let progress: any ProgressTracking
  /// The password of an encrypted original.
  var password: DocumentPassword?

  struct Result: Sendable {
    var pages: [Page] = []
    /// The reason why there are no pages, or why the work failed.
    var reason: String?
    var isFailure = false
    /// Whether the original is missing and must be downloaded again.
    var isMissing = false
    /// Whether a password is needed, or the given one is wrong.
    var isEncrypted = false
  }

  /// The number of pages of one original that may kill or hang their worker; further pages are not tried.
  static let workerFailureLimit = 3

  /// Whether pages or thumbnails are made from files of that format.
  static func isNeeded(_ format: ResourceFormat, settings: Settings) -> Bool {
    switch format.kind {
    case .image: settings.rendering.thumbnails
    case .document, .archive: true
    case .other: false
    }
  }

  /// Makes the pages and thumbnails of the resource's original.
  /// - Throws: `CancellationError`, and `SystemError` if the library's own files cannot be written. A
  ///   damaged original is reported in the result.
  @concurrent
  func make(_ resource: Resource, file: StoredFile, record: Record) async throws -> Result {
    let path = layout.original(file, in: record)
    var result = try await make(resource, file, path)
    if result.isEncrypted, password == nil, let reason = result.reason {
      result.reason = reason + Resource.passwordHint
    }
    // Pages without a failure prove that the original exists; otherwise a missing original is downloaded
    // again. An error of the library's disk is not the resource's fault, and is thrown like that of a
    // failed write.
    guard result.isFailure || result.pages.isEmpty else { return result }
    return try await isThere(path) ? result : Result(isMissing: true)
  }

  /// Returns whether the original exists.
  /// - Throws: `SystemError` if the file exists and cannot be read.
  private func isThere(_ path: String) async throws -> Bool {
    try await writing.run { [layout] in
      do {
        try layout.folder.open(path).close()
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
    // An image that needs no thumbnail is queued here by a cancelled reload, or by an earlier engine that
    // made thumbnails.
    case .image where !Self.isNeeded(file.format, settings: settings): return Result()
    case .image:
      progress.setStage(.rendering, of: resource.id)
      return try await image(path, file)
    case .document:
      progress.setStage(.rendering, of: resource.id)
      return try await document(path, file)
    case .archive:
      progress.setStage(.unzipping, of: resource.id)
      return try await extractedPages(path, file, resource)
    case .other:
      return Result(reason: file.format.reasonWithoutPreview)
    }
  }

  private func image(_ path: String, _ file: StoredFile) async throws -> Result {
    do {
      let (result, thumbnail) = try await thumbnail(path, file.digest, page: 1)
      let info = result.info
      let page = Page(
        number: 1, width: info.width, height: info.height, thumbnail: thumbnail,
        thumbHash: result.thumbHash)
      // A TIFF file may have more pages.
      let others = info.pageCount > 1 ? 2...info.pageCount : nil
      return Result(
        pages: [page] + (others.map { $0.map { undrawnPage(file, $0) } } ?? []),
        reason: result.damage?.detail ?? result.remark, isFailure: result.damage != nil)
    } catch let error as RenderError {
      return failure(error)
    }
  }

  private func document(_ path: String, _ file: StoredFile) async throws -> Result {
    do {
      let info = try await probe(path)
      // The pages after the first one are rendered when a viewer shows them.
      var pages = (1...max(1, info.pageCount)).map { MadePage(undrawnPage(file, $0)) }
      do {
        pages[0] = try await draw(pages[0].page, path)
      } catch let error as RenderError {
        pages[0] = MadePage(
          Page(number: 1, width: 0, height: 0, reason: error.detail), isFailure: error.isFailure)
      }
      return Result(pages)
    } catch let error as RenderError {
      return failure(error)
    }
  }

  /// Returns a page with the names that its images will have once they are rendered.
  private func undrawnPage(_ file: StoredFile, _ number: Int) -> Page {
    let suffix = ResourceFormat.jpeg.fileExtension
    return Page(
      number: number, width: 0, height: 0,
      file: RenditionName.page(file.digest, page: number, fileExtension: suffix),
      thumbnail: settings.rendering.thumbnails
        ? RenditionName.scaled(
          file.digest, page: number, side: settings.rendering.thumbnailSide, fileExtension: suffix)
        : nil)
  }

  /// Renders the images of a document's page under the names that the page already has.
  private func draw(_ page: Page, _ path: String) async throws -> MadePage {
    let result = try await rendered(page, path, side: settings.rendering.pageSide)
    try await store(result) { place, _ in page.fileNames[place] }
    return MadePage(Page(drawn: page, result), isFailure: result.damage != nil)
  }

  /// Renders the images that a page names.
  /// - Parameter side: The maximum width and height of the page's image in pixels.
  func rendered(_ page: Page, _ path: String, side: Int) async throws -> RenderResult {
    let sides = [side, settings.rendering.thumbnailSide]
    return try await rendered(
      path, page: page.number - 1, sides: Array(sides.prefix(page.fileNames.count)))
  }

  private func extractedPages(
    _ path: String, _ file: StoredFile, _ resource: Resource
  ) async throws -> Result {
    // The pages may be extracted again for two callers at once.
    let extraction = ArchiveExtraction(
      path: path, folder: layout.folder,
      prefix: "\(layout.incoming)/\(resource.id)-entry-\(UInt64.random(in: 0 ... .max))",
      archive: archive, policy: ArchivePolicy(limits), password: password)
    let extracted: ArchiveExtraction.Output
    do {
      extracted = try await unzipping.runCancellable { try extraction.run($0) }
    } catch let error as ArchiveError {
      return Result(
        reason: error.description, isFailure: error.isFailure, isEncrypted: error.code == .encrypted
      )
    }
    progress.setStage(.rendering, of: resource.id)
    let pages: [MadePage]
    let patience = WorkerFailureLimit()
    do {
      // The width is that of the page stage: one more than the renderer has workers.
      pages = try await extracted.images.mapped(width: PageQueue.width(settings)) {
        try await archivePage($1, file, $0 + 1, patience)
      }
    } catch {
      _ = try? await writing.run { extraction.discard(extracted.images) }
      throw error
    }
    var result = Result(pages)
    if let problem = extracted.problem, problem.isFailure || !result.isFailure {
      result.isEncrypted = extracted.isEncrypted
      result.reason = problem.text
      result.isFailure = problem.isFailure
    } else if pages.isEmpty {
      result.reason = "this archive contains no images"
    }
    if let remark = extracted.remark {
      result.reason = result.reason.map { "\($0); \(remark)" } ?? remark
    }
    return result
  }

  private func archivePage(
    _ image: ArchiveExtraction.ExtractedImage, _ file: StoredFile, _ number: Int,
    _ patience: WorkerFailureLimit
  ) async throws -> MadePage {
    let name = RenditionName.page(
      file.digest, page: number, fileExtension: image.format.fileExtension)
    let path = layout.rendition(name)
    try await writing.run { [written, layout] in
      let size = try layout.folder.status(image.path).size
      try RenditionFile.move(image.path, as: path, in: layout.folder)
      written.recordFile(name, bytes: size)
    }
    do {
      try patience.check()
      guard settings.rendering.thumbnails else {
        let info = try await probe(path)
        return MadePage(
          Page(
            number: number, width: info.width, height: info.height, label: image.label, file: name,
            remark: Self.remark(info)))
      }
      let (result, thumbnail) = try await thumbnail(path, file.digest, page: number)
      let page = Page(
        number: number, width: result.info.width, height: result.info.height,
        label: image.label, file: name, thumbnail: thumbnail, thumbHash: result.thumbHash,
        reason: result.damage?.detail, remark: Self.remark(result.info, result.remark))
      return MadePage(page, isFailure: result.damage != nil)
    } catch let error as RenderError {
      patience.recordFailure(error)
      let page = Page(
        number: number, width: 0, height: 0, label: image.label, file: name, reason: error.detail)
      return MadePage(page, isFailure: error.isFailure)
    }
  }
}

extension PageMaker {
  /// Limits the worker failures of one original, because each failing page may use a worker's whole
  /// timeout.
  private final class WorkerFailureLimit: Sendable {
    private let failures = Atomic<Int>(0)

    func check() throws {
      let failures = failures.load(ordering: .relaxed)
      guard failures < PageMaker.workerFailureLimit else {
        throw RenderError(.limit, "not tried: \(failures) pages of this file failed the decoder")
      }
    }

    func recordFailure(_ error: RenderError) {
      if error.code == .worker { failures.wrappingAdd(1, ordering: .relaxed) }
    }
  }

  private func probe(_ path: String) async throws -> DocumentInfo {
    do {
      return try await renderer.probe(path, limits: RenderLimits(limits), password: password)
    } catch {
      throw error.code == .cancelled ? CancellationError() : error as any Error
    }
  }

  /// Renders a page and writes its images below the renditions folder.
  /// - Parameter name: Returns the name of an image, relative to that folder, from its index in `sides`.
  /// - Returns: The result and the names of the images.
  private func render(
    _ path: String, page: Int = 0, sides: [Int],
    name: @escaping @Sendable (Int, Rendition) -> String
  ) async throws -> (RenderResult, [String]) {
    let images = RenditionWriting(layout, written, name: name)
    let result = try await rendered(path, page: page, sides: sides) { images.receive($0) }
    return (result, try await images.writeDeferred(writing))
  }

  /// Renders a page.
  func rendered(
    _ path: String, page: Int = 0, sides: [Int],
    receive: @escaping @Sendable (RenderResult) -> Void = { _ in }
  ) async throws -> RenderResult {
    do {
      var job = RenderJob(
        path: path, page: page, sides: sides, quality: settings.rendering.quality)
      job.limits = RenderLimits(limits)
      job.password = password
      return try await renderer.render(job, receive: receive)
    } catch {
      throw error.code == .cancelled ? CancellationError() : error as any Error
    }
  }

  /// Writes images below the renditions folder.
  /// - Parameter name: Returns the name of an image, relative to that folder, from its index.
  func store(
    _ result: RenderResult, name: @escaping @Sendable (Int, Rendition) -> String
  ) async throws {
    let images = RenditionWriting(layout, written, name: name)
    try await writing.run { images.receive(result) }
    _ = try await images.writeDeferred(writing)
  }

  /// Renders the thumbnail of an image; the name is relative to the renditions folder.
  func thumbnail(
    _ path: String, _ digest: Digest, page: Int
  ) async throws -> (RenderResult, String?) {
    let side = settings.rendering.thumbnailSide
    let (result, names) = try await render(path, sides: [side]) { _, rendition in
      RenditionName.scaled(
        digest, page: page, side: side, fileExtension: rendition.format.fileExtension)
    }
    return (result, names.last)
  }

  /// Returns the result for a render error. A file of an unsupported format is kept without pages.
  private func failure(_ error: RenderError) -> Result {
    Result(
      reason: error.detail, isFailure: error.isFailure, isEncrypted: error.code == .encrypted)
  }
}

extension PageMaker {
  /// A page, with what the result of its original needs to know.
  fileprivate struct MadePage {
    let page: Page
    /// Whether the file is at fault for what the page lacks.
    let isFailure: Bool

    init(_ page: Page, isFailure: Bool = false) {
      self.page = page
      self.isFailure = isFailure
    }
  }

  /// Returns the remark about an image in an archive, which may have several pages, such as a TIFF file.
  /// - Parameter other: The remark about its first page.
  static func remark(_ info: DocumentInfo, _ other: String? = nil) -> String? {
    guard info.pageCount > 1 else { return other }
    let pages = "the image has \(info.pageCount) pages, of which the first is shown"
    return other.map { "\($0); \(pages)" } ?? pages
  }
}

extension PageMaker.Result {
  /// A result with the reason of the first page that has failed or, if none has, that lacks something or has a remark.
  fileprivate init(_ made: [PageMaker.MadePage]) {
    pages = made.map(\.page)
    let failed = made.filter(\.isFailure)
    isFailure = !failed.isEmpty
    let named = failed.isEmpty ? made.filter { $0.page.sentence != nil } : failed
    guard let first = named.first?.page else { return }
    let place = first.label.map { "page \(first.number) (\($0))" } ?? "page \(first.number)"
    let words = "\(place): \(first.sentence ?? "")"
    reason = named.count == 1 ? words : "\(named.count) of \(pages.count) pages; \(words)"
  }
}

extension Page {
  /// A page of a document, or of an image with several pages, whose images were drawn.
  init(drawn page: Page, _ result: RenderResult) {
    self.init(
      number: page.number, width: result.renditions.first?.width ?? 0,
      height: result.renditions.first?.height ?? 0, file: page.file, thumbnail: page.thumbnail,
      thumbHash: result.thumbHash, reason: result.damage?.detail, remark: result.remark)
  }

  fileprivate var sentence: String? { reason ?? remark }
}

// A sound file of a kind that imgdl does not read is no failure, because resources of any type may be downloaded (RM5).

extension RenderError {
  fileprivate var isFailure: Bool { code != .unsupported }
}
