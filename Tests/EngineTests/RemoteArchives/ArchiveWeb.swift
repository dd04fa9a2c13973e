import Models
import TestSupport
import Transport

/// A transport to one archive that is served by ranges, and to the lists and images of a lab.
final class ArchiveWeb: Transport {
  struct Activity: Sendable, Equatable {
    var active = 0
    var peak = 0
  }

  let archive: RangeServer
  private let web: FakeTransport
  /// Where every request for the archive waits.
  let gate = Gate()
  let activity = Watched(Activity())

  init(_ archive: RangeServer, besides web: FakeTransport, isOpen: Bool = true) {
    (self.archive, self.web) = (archive, web)
    if isOpen { gate.open() }
  }

  @concurrent
  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    guard request.url.lastPathComponent.hasSuffix("zip") else {
      return try await web.perform(request, into: sink)
    }
    activity.update { activity in
      activity.active += 1
      activity.peak = max(activity.peak, activity.active)
    }
    defer { activity.update { $0.active -= 1 } }
    do {
      try await gate.pass()
    } catch {
      throw TransportError(.cancelled, url: request.url, detail: "cancelled")
    }
    return try await archive.perform(request, into: sink)
  }

  func shutdown() async { await web.shutdown() }
}
