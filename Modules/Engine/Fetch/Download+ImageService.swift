import IIIF
import ImageHeaders
import LibraryAPI
import Models
import Synchronization
import SystemCalls
import Threading
import Transport

/// Resources that an image service delivers (IIIF Image API). The requests follow an `ImageServicePlan`, one
/// after the other, so that the transfer keeps its one slot in the budget of the host.
extension Download {
  /// Requests the description of the image, and then the largest image that the service permits.
  func fetchImage(
    ofService base: HTTPURL, from partial: PartialDownload?, isAnew: Bool
  ) async -> Outcome {
    let rows = downloadContext.tileProgress.take(job.request)
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
        let outcome = await fetch(url, from: partial, isAnew: isAnew || !isFirst)
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
        switch await TileJoining(download: self, plan: plan).run(start) {
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
    let (folder, path) = (downloadContext.layout.folder, path)
    let state = try? await downloadContext.files.run {
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
    if let progress { downloadContext.tileProgress.store(progress, for: job.request) }
    return job.partial
  }

  /// Returns the failure with a reason that names the file, unless the same request may succeed later.
  private static func missingInformation(_ failure: DownloadFailure) -> DownloadFailure {
    guard case .status(let status, _) = failure, !failure.isRetryable else { return failure }
    return .content("the image service has no info.json: \(HTTPStatusText.describe(status))")
  }

  private typealias Description = (information: ImageInformation, validator: Validator)

  private func information(_ url: HTTPURL) async throws(DownloadFailure) -> Description {
    let body = BoundedBody(limit: Int64(ImageInformation.maximumBytes))
    let fields = try await exchange(url, into: body)
    do throws(ImageInformation.Problem) {
      return (try ImageInformation(parsing: body.bytes.span.bytes), Validator(fields))
    } catch {
      throw .content("the image service cannot be used: \(error.description)")
    }
  }

  /// Performs an exchange that neither continues a partial file nor is conditional, in the time that is left of
  /// the attempt.
  /// - Returns: The fields of the response.
  /// - Throws: The failure, also for a status that is not of a success.
  @discardableResult
  func exchange(
    _ url: HTTPURL, into body: BoundedBody
  ) async throws(DownloadFailure) -> HTTPFields {
    var limited = request(url)
    let deadline = deadline
    guard deadline.limit(&limited, at: Machine.monotonicNanoseconds) else {
      throw deadline.failure
    }
    let request = limited
    let result: Result<TransportResponse, TransportError> = await withCheckedContinuation { ended in
      startWork {
        downloadContext.transport.begin(request, into: body) { ended.resume(returning: $0) }
      }
    }
    switch result {
    case .success(let response):
      recordRedirect(to: response.head.url)
      let status = response.head.status
      guard (200..<300).contains(status), status != 206 else {
        throw .status(status, retryAfter: response.head.fields["Retry-After"])
      }
      return response.head.fields
    case .failure(let error):
      recordRedirect(to: error.url)
      wasAnswered = body.wasAnswered
      if body.isTooLarge { throw .tooLarge(limit: body.limit) }
      throw DownloadFailure(error)
    }
  }
}

extension Download.Outcome {
  /// The status by which the service refused the requested size; nil for every other outcome.
  fileprivate var refusal: Int? {
    guard case .failed(.status(let status, _), _) = self, ImageServicePlan.isRefusal(status) else {
      return nil
    }
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

/// Receives a body of limited size into memory, or at the end of an open file.
///
/// @unchecked Sendable: by contract the transport calls one method at a time, and none after it has reported
/// completion; only then are the results read.
final class BoundedBody: BodySink, @unchecked Sendable {
  /// The largest accepted size in bytes.
  let limit: Int64
  private let file: OwnedDescriptor?
  private let start: Int64
  /// The body, if it is received into memory.
  private(set) var bytes: [UInt8] = []
  private(set) var byteCount: Int64 = 0
  private(set) var wasAnswered = false
  private(set) var isTooLarge = false

  /// - Parameters:
  ///   - file: The file to write to, from `start` on; nil for memory.
  init(limit: Int64, file: OwnedDescriptor? = nil, start: Int64 = 0) {
    self.limit = limit
    self.file = file
    self.start = start
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    wasAnswered = true
    return (200..<300).contains(head.status) ? .accept : .refuse
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard Int64(bytes.byteCount) <= limit - byteCount else {
      isTooLarge = true
      throw SinkError("too large")
    }
    if let file {
      do throws(SystemError) {
        try file.write(all: bytes, at: start + byteCount)
      } catch {
        throw SinkError(error)
      }
    } else {
      bytes.withUnsafeBytes { self.bytes.append(contentsOf: $0) }
    }
    byteCount += Int64(bytes.byteCount)
  }
}
