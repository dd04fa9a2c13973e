import Manifests

/// Keeps the events of a parse.
struct EventLog: JSONEventHandler {
  var events: [JSONEvent] = []

  mutating func handle(_ event: JSONEvent) { events.append(event) }
}

/// A whole parse of one text.
struct Parse: Equatable {
  var events: [JSONEvent] = []
  var error: ManifestError?

  init(_ bytes: [UInt8], limits: ManifestLimits = ManifestLimits(), chunks: [Int] = []) {
    var parser = JSONEventParser(limits: limits)
    var log = EventLog()
    do throws(ManifestError) {
      for piece in pieces(of: bytes, chunks) {
        try parser.receive(piece.span.bytes, into: &log)
      }
      try parser.finish(into: &log)
    } catch {
      self.error = error
    }
    events = log.events
  }

  init(_ text: String, limits: ManifestLimits = ManifestLimits()) {
    self.init(Array(text.utf8), limits: limits)
  }
}
