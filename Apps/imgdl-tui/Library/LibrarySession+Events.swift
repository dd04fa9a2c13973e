import LibraryAPI
import Models
import Screens

/// Events become changes, at most thirty times a second.
extension LibrarySession {
  func note(_ event: LibraryEvent) {
    if let lastSeq, event.seq != lastSeq &+ 1 { change.isEverything = true }
    lastSeq = event.seq
    switch event.kind {
    case .started(let id, let record):
      settlements.forget(id)
      change.settled[id] = nil
      change.records.insert(record)
    case .retrying(_, let record, _, _): change.records.insert(record)
    case .finished(let id, let record): settled(id, record, isFailed: false, event.seq)
    case .failed(let id, let record, _, _): settled(id, record, isFailed: true, event.seq)
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
      settlements.removeAll()
      sources = [:]
      cancelled = nil
      places.forget(path)
    case .problem(let text): inbox.post(.failed(text))
    case .stopped(let error): inbox.post(.lost(error.detail))
    case .sourceLoading(let location, let entries) where sourcesBeingRead > 0:
      inbox.post(
        .told("Reading \(location): \(CountText.text(entries, "entry", "entries"))"))
    case .sourceReading(let location, let bytes, let total) where sourcesBeingRead > 0:
      inbox.post(.told("Reading \(location): \(ByteText.progress(bytes, of: total))"))
    case .sourceReading, .sourceLoading, .hostWaits, .concurrencyChanged, .perHostChanged: break
    }
    poke()
    tellSoon()
  }

  private func settled(
    _ id: ResourceID, _ record: RecordID, isFailed: Bool, _ seq: UInt64
  ) {
    let settlement = Settlement(record, isFailed: isFailed)
    settlements.note(id, settlement, seq: seq)
    change.settled[id] = settlement
    change.records.insert(record)
  }

  /// Makes the next reading of the record read its source and its row again.
  func forgetSource(of record: RecordID) {
    sources = [:]
    change.records.insert(record)
    tellSoon()
  }

  private func tellSoon() {
    guard !isTelling, !change.isEmpty else { return }
    isTelling = true
    Task {
      try? await Task.sleep(for: .milliseconds(33))
      self.tell()
    }
  }

  private func tell() {
    isTelling = false
    let told = change
    change = LibraryChange()
    inbox.post(.changed(told))
  }
}
