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

  func seconds(for format: ResourceFormat) -> Double {
    format.kind == .document ? pageSeconds : imageSeconds
  }

  func explain(_ error: WorkerError, _ format: ResourceFormat) -> String {
    guard error.code == .timedOut else { return error.description }
    let setting = format.kind == .document ? "limits.pageSeconds" : "limits.thumbnailSeconds"
    return "not decoded within \(setting) (\(seconds(for: format)) s); the worker was stopped"
  }
}
