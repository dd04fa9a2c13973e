import LibraryAPI
import Models
import ProgressTree
import Testing
@testable import CLIProgram

/// The stable form of events, and what displays make of pauses.
@Suite struct EventLineTests {
  private static let record = RecordID(7)
  private static let resource = ResourceID(9)

  static let lines: [(LibraryEvent.Kind, String)] = [
    (
      .sourceReading(location: "a", bytes: 3, total: 9),
      #""bytes":3,"event":"reading","seq":1,"total":9,"url":"a""#
    ),
    (
      .sourceLoading(location: "http://u:p@h/", entries: 3),
      #""count":3,"event":"loading","seq":1,"url":"http://***@h/""#
    ),
    (.sourceLoading(location: "a", entries: 3), #""count":3,"event":"loading","seq":1,"url":"a""#),
    (.problem("x"), #""event":"problem","reason":"x","seq":1"#),
    (.recordAdded(record, title: "t"), #""event":"record","record":7,"seq":1,"title":"t""#),
    (.entriesAdded(record, count: 2), #""count":2,"event":"entries","record":7,"seq":1"#),
    (.recordRemoved(record), #""event":"removed","record":7,"seq":1"#),
    (.started(resource, record: record), #""event":"started","record":7,"resource":9,"seq":1"#),
    (
      .retrying(resource, record: record, reason: "r", after: 1.5),
      #""event":"retrying","reason":"r","record":7,"resource":9,"seconds":1.5,"seq":1"#
    ),
    (.finished(resource, record: record), #""event":"finished","record":7,"resource":9,"seq":1"#),
    (
      .failed(resource, record: record, url: "u", reason: "r"),
      #""event":"failed","reason":"r","record":7,"resource":9,"seq":1,"url":"u""#
    ),
    (
      .hostWaits(host: "http://h", seconds: 2, reason: "HTTP 429"),
      #""event":"host-waits","reason":"HTTP 429","seconds":2,"seq":1,"url":"http://h""#
    ),
    (.paused(nil), #""event":"paused","seq":1"#),
    (.paused(record), #""event":"paused","record":7,"seq":1"#),
    (.resumed(nil), #""event":"resumed","seq":1"#),
    (.cancelled(record, count: 4), #""count":4,"event":"cancelled","record":7,"seq":1"#),
    (.reloading(record, count: 4), #""count":4,"event":"reloading","record":7,"seq":1"#),
    (.retried(nil, count: 4), #""count":4,"event":"retried","seq":1"#),
    (.priorityChanged(record, .low), #""event":"priority","priority":"low","record":7,"seq":1"#),
    (.concurrencyChanged(5), #""count":5,"event":"concurrency","seq":1"#),
    (.perHostChanged(6), #""count":6,"event":"per-host","seq":1"#),
    (.rateLimitChanged(7), #""bytes":7,"event":"limit-rate","seq":1"#),
    (.wasReset, #""event":"reset","seq":1"#),
    (.stopped(LibraryError(.io, "broken")), #""event":"stopped","reason":"broken","seq":1"#),
  ]

  @Test("each kind of event is one line of JSON with its fields", arguments: lines)
  func events(_ kind: LibraryEvent.Kind, _ expected: String) {
    let line = JSONOutput.line(EventLine(LibraryEvent(seq: 1, kind: kind)))
    #expect(line == "{\(expected)}")
  }

  @Test("a pause applies to its record or to all, until that is resumed")
  func pauses() {
    var pauses = PauseState()
    pauses.update(with: .paused(RecordID(1)))
    #expect(pauses.covers(RecordID(1)) && !pauses.covers(RecordID(2)))
    pauses.update(with: .paused(nil))
    #expect(pauses.covers(RecordID(2)))
    pauses.update(with: .resumed(RecordID(1)))
    #expect(pauses.covers(RecordID(1)), "the library is paused still")
    pauses.update(with: .paused(RecordID(3)))
    pauses.update(with: .resumed(nil))
    #expect(pauses == PauseState(), "everything goes on")
  }

  @Test("plain lines tell a pause and its end once")
  func plainLines() {
    var plain = PlainProgress()
    var progress = LibraryProgress()
    progress.total = 2
    progress.records = [
      RecordProgress(
        id: RecordID(1), title: "a\u{1b}", total: 2, finished: 0, failed: 0,
        activity: ActivityCounts(), fraction: 0, bytes: 0)
    ]
    #expect(plain.lines(progress, isLast: false) == ["1 record, 2 resources"])
    var pauses = PauseState(isLibraryPaused: true, records: [RecordID(1)])
    #expect(
      plain.lines(progress, pauses, isLast: false) == ["a\\u{1b}: Paused", PauseState.sentence])
    #expect(plain.lines(progress, pauses, isLast: false) == [])
    pauses = PauseState()
    #expect(plain.lines(progress, pauses, isLast: false) == ["Resumed"])
  }

  @Test("what the user has cancelled is no failure, in plain and in drawn lines")
  func cancelledLines() {
    func progress(failed: Int) -> (LibraryProgress, RecordProgress) {
      var progress = LibraryProgress()
      (progress.total, progress.failed) = (3, failed)
      let record = RecordProgress(
        id: RecordID(1), title: "a", total: 3, finished: 0, failed: failed,
        activity: ActivityCounts(), fraction: 1, bytes: 0)
      progress.records = [record]
      return (progress, record)
    }
    var cancelled = CancelledCounts()
    #expect(cancelled.unknown(progress(failed: 1).0).isEmpty, "the record has not ended")
    let (ended, record) = progress(failed: 3)
    #expect(cancelled.unknown(ended) == [record])
    cancelled.set(2, of: record)
    #expect(cancelled.unknown(ended).isEmpty)
    var plain = PlainProgress()
    let lines = plain.lines(ended, PauseState(), cancelled, isLast: true)
    #expect(lines.last == "a: Finished, 1 failed, 2 cancelled")
    let drawn = ProgressLines.render(
      ended, RecordRates(), PauseState(), cancelled, columns: 100, rows: 24)
    #expect(drawn.last?.contains("1 failed, 2 cancelled") == true)
    cancelled.update(with: .retried(record.id, count: 3))
    #expect(cancelled.unknown(ended) == [record] && cancelled[record] == 0)
  }

  @Test("a paused record says so in its line, without a rate")
  func drawnLines() {
    var progress = LibraryProgress()
    progress.total = 2
    progress.bytesPerSecond = 1_000
    progress.secondsLeft = 10
    progress.records = [
      RecordProgress(
        id: RecordID(1), title: "a", total: 2, finished: 1, failed: 0,
        activity: ActivityCounts(downloading: 1), fraction: 0.5, bytes: 0)
    ]
    let paused = ProgressLines.render(
      progress, RecordRates(), PauseState(isLibraryPaused: true), columns: 100, rows: 24)
    #expect(paused[0].contains("Paused") && !paused[0].contains("Downloading"))
    #expect(!paused[1].contains("/s") && !paused[1].contains("ETA"))
    let running = ProgressLines.render(progress, RecordRates(), columns: 100, rows: 24)
    #expect(running[0].contains("Downloading...") && running[1].contains("1.0 kB/s"))
  }
}
