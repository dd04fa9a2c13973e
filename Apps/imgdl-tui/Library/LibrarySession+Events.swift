import LibraryAPI
import Models
import Screens

/// Combines events into changes, which are posted at most thirty times per second.
extension LibrarySession {
  func handle(_ event: LibraryEvent) {
    if let lastSeq, event.seq != lastSeq &+ 1 { change.isEverything = true }
    lastSeq = event.seq
    switch event.kind {
    case .started(let id, let record): addTransition(.started, of: id, in: record, event.seq)
    case .retrying(let id, let record, _, _):
      addTransition(.retrying, of: id, in: record, event.seq)
    case .finished(let id, let record): addTransition(.finished, of: id, in: record, event.seq)
    case .failed(let id, let record, _, _): addTransition(.failed, of: id, in: record, event.seq)
    case .cancelled(let record, _), .reloading(let record, _):
      change.records.insert(record)
      countCancelledAgain()
    case .priorityChanged(let record, _): change.records.insert(record)
    case .entriesAdded(let record, _):
      change.records.insert(record)
      sources = [:]
    case .recordAdded:
      change.isListChanged = true
      sources = [:]
    case .recordRemoved(let record):
      change.isListChanged = true
      change.removed.insert(record)
      countCancelledAgain()
    case .retried(let record, _):
      if let record { change.records.insert(record) } else { change.isEverything = true }
      countCancelledAgain()
    case .paused(let record), .resumed(let record):
      if let record { change.records.insert(record) } else { change.isEverything = true }
    case .wasReset:
      change = LibraryChange()
      change.wasReset = true
      transitions.removeAll()
      sources = [:]
      cancelled = nil
      readingPositions.removePositions(of: path)
    case .problem(let text): inbox.post(.failed(text))
    case .stopped(let error): inbox.post(.lost(error.detail))
    case .sourceLoading(let location, let entries) where sourcesBeingRead > 0:
      inbox.post(
        .notice("Reading \(location): \(CountText.text(entries, "entry", "entries"))"))
    case .sourceReading(let location, let bytes, let total) where sourcesBeingRead > 0:
      inbox.post(.notice("Reading \(location): \(ByteText.progress(bytes, of: total))"))
    case .sourceReading, .sourceLoading, .hostWaits, .concurrencyChanged, .perHostChanged,
      .rateLimitChanged:
      break
    }
    startPolling()
    postSoon()
  }

  private func addTransition(
    _ kind: Transition.Kind, of id: ResourceID, in record: RecordID, _ seq: UInt64
  ) {
    let transition = Transition(kind, record, seq: seq)
    transitions.register(id, transition)
    change.transitions[id] = transition
    change.records.insert(record)
  }

  /// Makes the interface read the record and its source from the store again.
  func forgetSource(of record: RecordID) {
    sources = [:]
    change.records.insert(record)
    postSoon()
  }

  private func postSoon() {
    guard !isChangePostScheduled, !change.isEmpty else { return }
    isChangePostScheduled = true
    Task {
      try? await Task.sleep(for: .milliseconds(33))
      self.postChanges()
    }
  }

  private func postChanges() {
    isChangePostScheduled = false
    let told = change
    change = LibraryChange()
    inbox.post(.changed(told))
  }
}
