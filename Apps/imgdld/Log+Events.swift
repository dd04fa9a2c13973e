import Composition
import LibraryAPI
import Models

extension Log {
  /// Logs the events that matter to an administrator; successful downloads of single resources do not.
  func write(_ event: LibraryDaemon.Event) {
    switch event {
    case .began: write(.info, "engine-began")
    case .listeningAgain(let socket): write(.warning, "listening-again", [("socket", socket)])
    case .ended: write(.info, "engine-ended")
    case .failed(let error, let seconds):
      write(
        .error, "engine-failed",
        [("code", error.code.rawValue), ("reason", error.detail), ("retry-in", seconds)])
    case .event(let event): log(event)
    case .web(let event): log(event)
    case .aria2(let event): log(event)
    }
  }

  private func log(_ event: WebEvent) {
    switch event {
    case .listening(let url): write(.info, "web-listening", [("url", url)])
    case .stopped: write(.info, "web-stopped")
    case .loggedIn: write(.info, "web-login")
    case .wrongToken: write(.warning, "web-login-refused")
    case .failed(let reason): write(.error, "web-failed", [("reason", reason)])
    }
  }

  private func log(_ event: Aria2Event) {
    switch event {
    case .refused: write(.warning, "aria2-refused")
    case .refusedOrigin(let origin):
      write(
        .warning, "aria2-origin-refused",
        [
          ("origin", origin),
          ("reason", "to allow this web page, start imgdld with --set aria2.allowOrigin=\(origin)"),
        ])
    case .ignoredOption(let name): write(.warning, "aria2-option-ignored", [("name", name)])
    case .problem(let reason): write(.warning, "aria2-problem", [("reason", reason)])
    case .shutDownRequested: write(.info, "aria2-shutdown")
    }
  }

  private func log(_ event: LibraryEvent) {
    let seq = ("seq", event.seq)
    switch event.kind {
    case .problem(let text): write(.warning, "problem", [seq, ("reason", text)])
    case .recordAdded(let record, let title):
      write(.info, "record-added", [seq, ("record", record), ("title", title)])
    case .entriesAdded(let record, let count):
      write(.info, "entries-added", [seq, ("record", record), ("count", count)])
    case .recordRemoved(let record): write(.info, "record-removed", [seq, ("record", record)])
    case .failed(let resource, let record, _, let reason):
      // The URL is left out, because it may contain a token.
      write(
        .warning, "failed",
        [seq, ("record", record), ("resource", resource), ("reason", reason)])
    case .hostWaits(let host, let seconds, let reason):
      write(
        .warning, "host-waits", [seq, ("host", host), ("seconds", seconds), ("reason", reason)])
    case .paused(let record): write(.info, "paused", [seq] + Self.record(record))
    case .resumed(let record): write(.info, "resumed", [seq] + Self.record(record))
    case .cancelled(let record, let count):
      write(.info, "cancelled", [seq, ("record", record), ("count", count)])
    case .reloading(let record, let count):
      write(.info, "reloading", [seq, ("record", record), ("count", count)])
    case .retried(let record, let count):
      write(.info, "retried", [seq, ("count", count)] + Self.record(record))
    case .concurrencyChanged(let limit):
      write(.info, "concurrency", [seq, ("limit", limit)])
    case .perHostChanged(let limit): write(.info, "per-host", [seq, ("limit", limit)])
    case .rateLimitChanged(let limit): write(.info, "limit-rate", [seq, ("limit", limit)])
    case .wasReset: write(.info, "reset", [seq])
    case .stopped(let error):
      write(
        .error, "stopped", [seq, ("code", error.code.rawValue), ("reason", error.detail)])
    case .sourceReading, .sourceLoading, .started, .retrying, .finished, .priorityChanged: break
    }
  }

  private static func record(_ record: RecordID?) -> [(String, any Sendable)] {
    record.map { [("record", $0)] } ?? []
  }
}
