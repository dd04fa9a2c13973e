import HTTP1
import LibraryAPI
import Models
import Threading
import Transport

/// The request for the Metalink description of a content whose URLs have all failed. It is one attempt of the
/// job, so it has the slot of a transfer in the budget of its host, and is cancelled like a transfer.
struct DescriptionDownload {
  enum Result: Sendable {
    /// The URLs of the content, at least one.
    case mirrors([MirrorSelection.Candidate])
    /// The description is of no use, with the reason as a clause whose subject is the description.
    case unusable(String)
    /// The description was not received.
    case failed(DownloadFailure)
  }

  /// The largest accepted size of a description in bytes.
  static let maximumBytes: Int64 = 1 << 20

  let download: Download
  let description: ContentDescription

  func run() async -> Download.Outcome {
    let body = BoundedBody(limit: Self.maximumBytes)
    let request = download.order.request(description)
    let result: Result
    do throws(DownloadFailure) {
      let head = try await BoundedExchange(download: download).perform(request, into: body)
      result = await read(body.bytes, head)
    } catch .tooLarge {
      result = .unusable("is larger than \(ByteText.short(Self.maximumBytes))")
    } catch {
      result = .failed(error)
    }
    if case .failed(.cancelled) = result { return cancelled }
    return download.work.isCancelled ? cancelled : .described(result)
  }

  private var cancelled: Download.Outcome {
    .failed(.cancelled, partial: download.job.partial)
  }

  private func read(_ document: [UInt8], _ head: ResponseHead) async -> Result {
    // A description could be forged on the way, and its digest with it.
    guard description.url.scheme != .https || head.url.scheme == .https else {
      return .unusable("was redirected from https to http")
    }
    let context = download.downloadContext
    guard let markup = context.markup else { return .unusable("cannot be read here") }
    let reading = MetalinkReading(
      name: "the document", base: head.url, markup: markup, limits: context.settings.limits,
      maximumFiles: DescribedMirrors.maximumFiles)
    do {
      let (files, problems) = try await context.files.run { try reading.files(of: document) }
      let candidates = try mirrors(head).candidates(in: files, problems: problems)
      return candidates.isEmpty ? .unusable("names no mirror") : .mirrors(candidates)
    } catch let problem as DescribedMirrors.Problem {
      return .unusable(problem.reason)
    } catch let error as LibraryError {
      return .unusable("cannot be used: \(error.detail)")
    } catch {
      return .unusable("cannot be used")
    }
  }

  private func mirrors(_ head: ResponseHead) -> DescribedMirrors {
    let resources = download.job.subscribers.map(\.resource)
    return DescribedMirrors(
      name: String(download.job.namingLocation.name),
      listedDigests: resources.compactMap(\.expectedChecksum?.digest),
      listedSizes: resources.compactMap(\.expectedByteCount),
      statedDigest: description.digest,
      isPublicOnly: description.isPublicOnly
        || (head.remoteAddress.flatMap { IPAddress($0)?.isPublic } ?? true))
  }
}
