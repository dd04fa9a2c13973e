import Models
import Rendering
import WorkerProcess

/// The checks of an untrusted worker's reply. If one fails, the worker is killed and the resource gets no
/// image. The engine allocates memory according to the checked values.
extension RenderRequest {
  /// Checks the properties that the worker reports about the file.
  /// - Parameter format: The format that the program itself has detected in the file.
  func check(_ info: DocumentInfo, of format: ResourceFormat) throws(WorkerError) {
    guard info.format == format else {
      throw .untrue("the format \(info.format.rawValue) of a file that is \(format.rawValue)")
    }
    guard (1...DocumentInfo.maximumSide).contains(info.width),
      (1...DocumentInfo.maximumSide).contains(info.height)
    else { throw .untrue("an image of \(info.width) × \(info.height)") }
    // The size of a document is in points, which take no memory, so the limits do not apply to it.
    if format.kind == .image { try checkLimits(info) }
    let maximumPages = format == .pdf || format == .tiff ? limits.pages : 1
    guard (1...max(1, maximumPages)).contains(info.pageCount) else {
      throw .untrue("\(info.pageCount) pages where there are at most \(maximumPages)")
    }
    if case .render(let page, _, _) = operation, page >= info.pageCount {
      throw .untrue("page \(page &+ 1) of \(info.pageCount)")
    }
  }

  /// Checks the limits again; a sound worker has already rejected a file that exceeds them.
  private func checkLimits(_ info: DocumentInfo) throws(WorkerError) {
    do throws(RenderError) {
      try limits.check(width: info.width, height: info.height)
    } catch {
      throw .untrue("an image beyond the limits: \(error.detail)")
    }
  }

  /// Checks that there is one image for each requested side, no larger than the side, of the requested kind,
  /// and of the size that its own header states.
  func check(_ renditions: [Rendition]) throws(WorkerError) {
    switch operation {
    case .probe:
      guard renditions.isEmpty else { throw .untrue("images in the reply to a probe") }
    case .render(_, let sides, let quality): try check(renditions, sides, quality: quality)
    case .tiles(let row): try check(renditions, row)
    case .sample: break
    }
  }

  private func check(
    _ renditions: [Rendition], _ sides: [Int], quality: Int
  ) throws(WorkerError) {
    guard renditions.count == sides.count else {
      throw .untrue("\(renditions.count) images where \(sides.count) were requested")
    }
    for (rendition, side) in zip(renditions, sides) {
      guard rendition.width > 0, rendition.height > 0,
        max(rendition.width, rendition.height) <= side
      else {
        throw .untrue(
          "an image of \(rendition.width) × \(rendition.height), at most \(side) wanted")
      }
      if quality > 0 {
        try checkHeader(rendition)
      } else if PixelRendition(rendition) == nil {
        throw .untrue("bytes that are not pixels of the stated size")
      }
    }
  }

  private func checkHeader(_ rendition: Rendition) throws(WorkerError) {
    guard
      EncodedSize(rendition.bytes, format: rendition.format)
        == EncodedSize(width: rendition.width, height: rendition.height)
    else {
      throw .untrue("bytes that are not a \(rendition.format.rawValue) of the stated size")
    }
  }

  /// Checks a worker's reply to a request for a sample: its verdict, size and format must be those that the
  /// request's options yield for an image of the size that the worker reported.
  func check(
    _ sample: SampleResult?, _ info: DocumentInfo, _ renditions: [Rendition]
  ) throws(WorkerError) {
    guard case .sample(let options) = operation else {
      guard sample == nil else { throw .untrue("a sample that was not requested") }
      return
    }
    guard let sample, renditions.count <= 1,
      [sample.imageWidth, sample.imageHeight].sorted() == [info.width, info.height].sorted(),
      sample.exif == nil || options.wantsEXIF
    else { throw .untrue("a sample of another image") }
    if options.encoding != .never {
      let rejection = options.rejection(width: sample.imageWidth, height: sample.imageHeight)
      guard sample.rejection == rejection else { throw .untrue("a wrong verdict about a size") }
    }
    let geometry = SampleGeometry(
      imageWidth: sample.imageWidth, imageHeight: sample.imageHeight, options)
    guard let rendition = renditions.first else {
      guard sample.rejection != nil || options.passesThrough(info.format, geometry, hasAlpha: false)
      else { throw .untrue("no image for a sample") }
      return
    }
    guard sample.rejection == nil, rendition.format == options.codec.format,
      rendition.width == geometry.width, rendition.height == geometry.height
    else { throw .untrue("a sample of another size or format") }
    try checkHeader(rendition)
  }
}

extension RenderError.Code {
  /// Whether a worker may report this code. Only the program decides whether a job was cancelled or a worker
  /// failed, because after a cancellation the engine leaves the resource unfinished.
  var isForWorkers: Bool {
    switch self {
    case .io, .unsupported, .damaged, .truncated, .encrypted, .limit: true
    case .worker, .cancelled: false
    }
  }
}

extension WorkerError {
  fileprivate static func untrue(_ claim: String) -> WorkerError {
    WorkerError(.malformed, "the worker's reply is not credible: \(claim)")
  }
}
