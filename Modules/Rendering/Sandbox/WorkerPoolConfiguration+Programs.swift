import Models
import RenderMessages
import WorkerProcess

extension WorkerPoolConfiguration {
  /// The helper program, located anew at every start, since it may have been installed in the meantime.
  func program(_ decoder: String) throws(WorkerError) -> WorkerProgram {
    WorkerProgram(
      path: try helpers.path(of: helperName),
      arguments: WorkerArguments.work(worker: decoder, sandbox).list,
      // A worker sends only bytes, never descriptors.
      limits: FrameLimits(maxPayload: RenderReply.maxFrameBytes, maxDescriptors: 0))
  }

  func seconds(for request: RenderRequest, _ format: ResourceFormat) -> Double {
    isPage(request, format) ? pageSeconds : imageSeconds
  }

  func explain(_ error: WorkerError, _ request: RenderRequest, _ format: ResourceFormat) -> String {
    let setting = isPage(request, format) ? "limits.pageSeconds" : "limits.thumbnailSeconds"
    let limit = "\(setting) (\(seconds(for: request, format)) s)"
    switch error.code {
    case .processorTime:
      return "not decoded within the processor time of \(limit); the worker was stopped"
    case .timedOut:
      return "not decoded within \(WorkTime.waitWords) \(limit); the worker was stopped"
    default: return error.description
    }
  }

  /// Whether a page of a document is requested, or an image larger than any thumbnail.
  private func isPage(_ request: RenderRequest, _ format: ResourceFormat) -> Bool {
    guard format.kind != .document, case .render(_, let sides, _) = request.operation else {
      return format.kind == .document
    }
    return sides.contains { $0 > Settings.Rendering.largestThumbnailSide }
  }
}
