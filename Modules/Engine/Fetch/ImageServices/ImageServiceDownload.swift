import HTTP1
import IIIF
import ImageHeaders
import LibraryAPI
import Models
import Synchronization
import SystemCalls
import Threading
import Transport

/// The download of a resource that an image service delivers (IIIF Image API). The requests follow an
/// `ImageServicePlan`, one after the other, so that the transfer keeps its one slot in the budget of the host.
struct ImageServiceDownload {
  let download: Download
  /// The base URI of the service.
  let base: HTTPURL

  private var context: Download.Context { download.downloadContext }
  private var job: Job { download.job }

  /// Requests the description of the image, and then the largest image that the service permits.
  func run(from partial: PartialDownload?, isAnew: Bool) async -> Download.Outcome {
    let rows = context.tileProgress.take(job.request)
    // The rows of one server are not continued by another, unless its partial file is.
    let earlier = job.mirrors == nil || job.partial != nil ? rows : nil
    var plan = ImageServicePlan(base: base)
    let description: Description
    do throws(DownloadFailure) {
      description = try await information(plan.informationURL)
    } catch {
      return .failed(Self.missingInformation(error), partial: keepPartial(earlier))
    }
    let (information, validator) = (description.information, description.validator)
    let continued = earlier.flatMap { $0.continues(information, validator) ? $0 : nil }
    var action = plan.begin(information, with: continued?.grid)
    var received: (file: StoredFile, size: ImageInformation.Size?)?
    while true {
      switch action {
      case .requestImage(let url):
        // Only the bytes of the first choice can be continued: several services give all sizes of an image
        // the same validator.
        let isFirst = plan.isFirstChoice
        let outcome = await download.fetch(url, from: partial, isAnew: isAnew || !isFirst)
        if case .complete(let file) = outcome {
          let size = await imageSize()
          received = (file, size)
          action = plan.receive(size)
        } else if let status = outcome.refusal {
          action = plan.refuse(status: status)
        } else if plan.hasImage, outcome.isFinal {
          action = plan.skip()
        } else {
          return isFirst ? outcome : outcome.notResumable
        }
      case .requestTiles(let grid):
        let start = continued ?? TileProgress(information, validator, grid)
        switch await TileJoining(download: download, plan: plan).run(start) {
        case .refused(let status): action = plan.refuse(status: status)
        case .ended(.complete(var file)):
          file.remark = plan.remark(nil)
          return .complete(file)
        case .ended(let outcome):
          guard plan.hasImage, outcome.isFinal else { return outcome }
          action = plan.skip()
        }
      case .keepReceived:
        guard var received else { return .failed(.content("no image was received"), partial: nil) }
        received.file.remark = plan.remark(received.size)
        return .complete(received.file)
      case .fail(let reason):
        return .failed(.content(reason), partial: nil)
      }
    }
  }

  /// Returns the size of the image in the partial file; nil if its header does not tell.
  private func imageSize() async -> ImageInformation.Size? {
    let (folder, path) = (context.layout.folder, download.path)
    let state = try? await context.files.run {
      let file = try folder.open(path)
      var header = ImageHeader()
      var offset: Int64 = 0
      while header.state == .needsMore {
        let bytes = try file.bytes(count: 64 << 10, at: offset)
        guard !bytes.isEmpty else { break }
        header.append(bytes.span.bytes)
        offset += Int64(bytes.count)
      }
      return header.state
    }
    guard case .dimensions(let dimensions)? = state else { return nil }
    return ImageInformation.Size(width: Int(dimensions.width), height: Int(dimensions.height))
  }

  /// Keeps the partial file and the rows of tiles in it, after a failure before the first request for the image.
  private func keepPartial(_ progress: TileProgress?) -> PartialDownload? {
    if let progress { context.tileProgress.store(progress, for: job.request) }
    return job.partial
  }

  /// Returns the failure with a reason that names the file, unless the same request may succeed later.
  private static func missingInformation(_ failure: DownloadFailure) -> DownloadFailure {
    guard case .status(let status, _, _) = failure, !failure.isRetryable else { return failure }
    return .content("the image service has no info.json: \(ReasonPhrase.describe(status))")
  }

  private typealias Description = (information: ImageInformation, validator: Validator)

  private func information(_ url: HTTPURL) async throws(DownloadFailure) -> Description {
    let body = BoundedBody(limit: Int64(ImageInformation.maximumBytes))
    let head = try await BoundedExchange(download: download).perform(url, into: body)
    do throws(ImageInformation.Problem) {
      return (try ImageInformation(parsing: body.bytes.span.bytes), Validator(head.fields))
    } catch {
      throw .content("the image service cannot be used: \(error.description)")
    }
  }
}

extension Download.Outcome {
  /// The status by which the service refused the requested size; nil for every other outcome.
  fileprivate var refusal: Int? {
    guard case .failed(.status(let status, _, _), _) = self, ImageServicePlan.isRefusal(status)
    else { return nil }
    return status
  }

  /// Whether the failure leaves nothing to continue, and concerns this image rather than the connection or the
  /// disk.
  fileprivate var isFinal: Bool {
    guard case .failed(let failure, partial: nil) = self else { return false }
    return switch failure {
    case .status, .content, .tooLarge, .protocolViolation: true
    case .transport, .disk, .everyMirror, .cancelled: false
    }
  }

  fileprivate var notResumable: Download.Outcome {
    if case .failed(let failure, _) = self { .failed(failure, partial: nil) } else { self }
  }
}
