import TestSupport
import StoreContracts
import Models
import Persistence

/// One random call, the same for every store.
enum RandomStep: Sendable {
  case begin(SourceDraft)
  case complete(SourceID)
  case note(SourceState, SourceID)
  case discard(SourceID)
  case record(RecordDraft, InsertPosition)
  case standalone
  case insert(Int, RecordID, InsertPosition)
  case apply([ResourceChange])
  /// Reads resources as the scheduler does.
  case load(ResourceState)
  /// Changes whose transaction is rolled back.
  case rollBack([ResourceChange])
  case change(RecordVerb, RecordID)
  case advance(RecordID, Int)
  case pause(Bool, RecordID)
  case prioritise(RecordPriority, RecordID)
  case remove(RecordID)
  case removeRows(RecordID, Int)
  case removeAll
  case state(LibraryState)

  static let requests = (0..<6).map { makeRequest($0) }
  static let digests = (0..<8).map { makeDigest($0) }

  static func random(using generator: inout SeededGenerator) -> RandomStep {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    let source = SourceID(Int64(number(1...6)))
    let record = RecordID(Int64(number(1...12)))
    let flag = number(0...1) == 0
    let place = number(0...2) == 0 ? InsertPosition.top : .end
    switch number(0...99) {
    case 0..<5:
      return .begin(SourceDraft(key: "key \(number(0...2))", location: "l", isLazy: flag))
    case 5..<11: return .complete(source)
    case 11: return .discard(source)
    case 12..<20:
      let folder = "f\(number(0...11))"
      return .record(
        RecordDraft(source: source, title: folder, folder: folder, isLazy: number(0...4) == 0),
        place)
    case 20: return .standalone
    case 21..<31: return .insert(number(0...9), record, place)
    case 31..<34: return .change(.retry(processing: "reason \(number(0...9))"), record)
    case 34: return .change(.reload, record)
    case 35: return .change(.cancel(reason: "given up"), record)
    case 36: return .advance(record, number(0...9))
    case 37..<39: return .pause(flag, record)
    case 39..<41:
      return .prioritise(RecordPriority(rawValue: number(-1...1)) ?? .normal, record)
    case 45..<49: return .load(flag ? .queued : .stored)
    case 49: return .rollBack((0..<number(1...9)).map { _ in randomChange(using: &generator) })
    case 41 where flag: return .remove(record)
    case 41: return .removeRows(record, number(0...9))
    case 42 where number(0...9) == 0: return .removeAll
    case 43:
      return
        .note(
          SourceState(
            nextPage: flag ? "n" : nil, isPublic: flag, layout: flag ? nil : "lines",
            format: flag ? "json" : nil, isCut: flag,
            setsCookies: flag),
          source)
    case 44:
      var state = LibraryState()
      state.isPaused = flag
      state.concurrency = number(0...3)
      return .state(state)
    default:
      return .apply((0..<number(1...20)).map { _ in randomChange(using: &generator) })
    }
  }

  private static func randomChange(using generator: inout SeededGenerator) -> ResourceChange {
    func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
    let id = ResourceID(Int64(number(1...120)))
    let request = makeRequest(UInt64(number(0...5)))
    let answer = StoredFile.Answer(
      request: request, asOf: ResourceID(Int64(number(1...4))),
      freshUntil: number(0...1) == 0 ? nil : 5)
    let reason = number(0...1) == 0 ? nil : "reason \(number(0...9))"
    let pages = makePages(number(0...3))
    switch number(0...12) {
    case 0: return .attempted(id)
    case 1:
      return .partial(
        request,
        PartialDownload(
          validator: Validator(), totalBytes: nil, bootID: "b", syncedBytes: Int64(number(0...9))))
    case 2: return .partialDeleted(request)
    case 3, 4:
      let file = makeFile(
        UInt8(number(0...7)), bytes: Int64(number(0...1_000)),
        answer: reason == nil ? nil : answer)
      return .stored(id, file)
    case 5: return .fetched(id)
    case 6: return .finished(id, pages: pages, reason: reason)
    case 7: return .failed(id, reason: reason ?? "", pages: pages)
    case 8: return .answering(id, number(0...1) == 0 ? nil : answer)
    case 9 where number(0...2) == 0: return .removed(id)
    case 10: return .named(id, number(0...2) > 0)
    case 12: return .kept(id, remark: reason ?? "", needsPages: reason == nil)
    case 11: return .queuedAgain(id, mustReload: reason == nil)
    default: return .requeued(id, reason: reason)
    }
  }

  /// - Returns: what the call gave, errors included, as text.
  func run(on store: any LibraryStore) -> String {
    do throws(StoreError) {
      switch self {
      case .begin(let draft): return "\(try store.beginSource(draft))"
      case .complete(let id): try store.completeSource(id)
      case .note(let state, let id): try store.setState(state, of: id)
      case .discard(let id): try store.discardSource(id)
      case .record(let draft, let place):
        return "\(try store.appendRecord(draft, at: place))"
      case .standalone: return "\(try store.standaloneRecord(folder: "f1"))"
      case .insert(let count, let record, let place):
        return "\(try store.insertResources(makeDrafts(count), into: record, at: place))"
      case .apply(let changes): try store.apply(changes)
      case .load(let state):
        return "\(try store.resources(in: state, of: nil, after: nil, limit: 50).map(\.id))"
      case .rollBack(let changes):
        try store.addToGroup { () throws(StoreError) in
          try store.apply(changes)
          throw StoreError(.io, "a change that belongs to the same transaction has failed")
        }
      case .change(let verb, let record): try store.beginChange(verb, of: record)
      case .advance(let record, let limit):
        return try store.advance(record, limit: limit).map { "\($0)" } ?? "over"
      case .pause(let paused, let record): try store.setPaused(paused, record: record)
      case .prioritise(let priority, let record):
        try store.setPriority(priority, record: record)
      case .remove(let record): try store.markRemoved(record)
      case .removeRows(let record, let limit):
        return "\(try store.removeRows(of: record, limit: limit))"
      case .removeAll: try store.removeAll()
      case .state(let state): try store.setLibraryState(state)
      }
      return "done"
    } catch {
      return error.code.rawValue
    }
  }
}
