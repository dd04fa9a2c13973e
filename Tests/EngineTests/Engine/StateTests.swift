import LibraryAPI
import Models
import ProgressTree
import Rendering
import Testing
import TestSupport
@testable import Engine

/// States, texts and events during downloads, as a user sees them (DL2, DL8, DL13).
@Suite(.timeLimit(.minutes(60))) struct StateTests {
  @Test("A record is queuing, downloading, rendering and finished, with these texts")
  func recordTexts() async throws {
    let lab = try Lab()
    let gate = Gate()
    lab.web.serve(Lab.url(1), FakeAnswer.file(Lab.image(1)).held(by: gate))
    lab.serveImages(1...1)
    lab.renderer.hold()
    let engine = try await lab.open()
    _ = try await engine.add(Lab.request())
    func text() -> String? { engine.snapshot().records.first?.statusText() }
    #expect(text() == "Queuing...")
    let events = await EventRecorder(engine)
    try await engine.start()
    try await gate.untilWaiting()
    #expect(text() == "Downloading...")
    gate.open()
    try await lab.renderer.untilHeld()
    #expect(text() == "Rendering...")
    lab.renderer.release()
    try await engine.waitUntilIdle()
    #expect(text() == "Finished")
    #expect(engine.snapshot().active.isEmpty)
    #expect(engine.snapshot().fraction == 1)
    await engine.stop()
    events.checkNumbers()
  }

  @Test("A record with failures shows their number")
  func failedText() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1), "http://h/gone.png", "http://h/gone-too.png"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().records.first?.statusText() == "Finished, 2 failed")
    await engine.stop()
  }

  @Test("A tile shows the percentage, or the bytes if the length is unknown")
  func tileTexts() async throws {
    let lab = try Lab()
    let gate = Gate()
    var body = Lab.image(1)
    body += [UInt8](repeating: 0, count: 2_000_000 - body.count)
    lab.web.serve("http://h/known.png", FakeAnswer.file(body).held(by: gate, after: 840_000))
    lab.web.serve(
      "http://h/unknown.png", FakeAnswer.file(body).withoutLength().held(by: gate, after: 1_200_000)
    )
    lab.serveList(["http://h/known.png", "http://h/unknown.png"])
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await gate.untilWaiting(2)
    let texts = engine.snapshot().active.map {
      StatusText.resource(.queued, activity: $0.activity)
    }
    #expect(texts == ["Downloading 42%", "Downloading 1.2 MB"])
    gate.open()
    try? await engine.waitUntilIdle()
    await engine.stop()
  }

  @Test("An archive unzips before it renders")
  func unzipping() async throws {
    let lab = try Lab()
    let bytes = lab.archive.archive("a", [.init("1.png", Lab.image(1))])
    lab.web.serve("http://h/a.zip", .file(bytes))
    lab.serveList(["http://h/a.zip"])
    let stages = StageRecorder(lab.progress)
    let engine = try await Engine.open(
      root: lab.folder.path, settings: lab.settings,
      ports: EnginePorts(
        transport: lab.web, archive: lab.archive, markup: lab.markup, renderer: lab.renderer,
        progress: stages, clock: lab.clock),
      opening: GivenStoreOpening(RecordingStore(lab.disk)))
    try await engine.start()
    _ = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    await engine.stop()
    #expect(stages.stages.value.suffix(2) == [.unzipping, .rendering])
  }

  @Test("Each change is one event, numbered without gaps")
  func events() async throws {
    let lab = try Lab()
    lab.serveList([Lab.url(1), "nonsense://x", "http://h/gone.png"])
    let engine = try await lab.started()
    let recorder = await EventRecorder(engine)
    let result = try await engine.add(Lab.request())
    try await engine.waitUntilIdle()
    try await engine.setConcurrency(3)
    await engine.stop()
    let record = try #require(result.records.first)
    try await recorder.until(.concurrencyChanged(3))
    let kinds = recorder.kinds
    recorder.checkNumbers()
    #expect(kinds.contains(.recordAdded(record, title: "list")))
    #expect(kinds.contains(.sourceLoading(location: Lab.list, entries: 2)))
    #expect(
      kinds.contains { if case .problem(let text) = $0 { text.contains("line 2") } else { false } })
    let started = kinds.filter { if case .started = $0 { true } else { false } }
    let finished = kinds.filter { if case .finished = $0 { true } else { false } }
    #expect(started.count == 2 && finished.count == 1)
    #expect(
      kinds.contains {
        guard case .failed(_, record, "http://h/gone.png", "HTTP 404 Not Found") = $0 else {
          return false
        }
        return true
      })
  }

  @Test("A stream that is requested after the end is at its end")
  func eventsAfterStop() async throws {
    let engine = try await Lab().started()
    await engine.stop()
    for await event in await engine.eventStream() { Issue.record("\(event)") }
  }

  @Test("The fraction never decreases, is below 1 while work is left, and 1 at the end")
  func fraction() async throws {
    let lab = try Lab()
    lab.serveImages(1...30)
    let engine = try await lab.started()
    let recorder = await EventRecorder(engine)
    _ = try await engine.add(Lab.request())
    try await recorder.until { if case .finished = $0 { true } else { false } }
    let early = engine.snapshot()
    try await engine.waitUntilIdle()
    let last = engine.snapshot()
    #expect(early.fraction <= last.fraction)
    #expect(last.fraction == 1 && last.finished == 30 && last.active.isEmpty)
    await engine.stop()
  }

  @Test("Only active resources have progress, for any number that waits for rendering")
  func activeIsBounded() async throws {
    let lab = try Lab()
    lab.settings.rendering.workers = 1
    lab.serveImages(1...200)
    lab.renderer.hold()
    let engine = try await lab.started()
    _ = try await engine.add(Lab.request())
    try await lab.web.activity.until { $0.ended == 201 }
    try await lab.untilCommitted { counts in counts.fetched == 200 }
    await engine.run { await $0.commits.flush() }
    #expect(engine.snapshot().active.count <= 8)
    #expect(engine.snapshot().records.first?.statusText() == "Rendering...")
    lab.renderer.release()
    try await engine.waitUntilIdle()
    #expect(engine.snapshot().finished == 200)
    await engine.stop()
  }
}

/// Keeps the stages that it passes on.
private final class StageRecorder: ProgressTracking {
  private let inner: any ProgressTracking
  let stages = Watched<[ResourceStage]>([])

  init(_ inner: any ProgressTracking) { self.inner = inner }

  func addRecord(_ id: RecordID, title: String, total: Int, finished: Int, failed: Int) {
    inner.addRecord(id, title: title, total: total, finished: finished, failed: failed)
  }
  func removeRecord(_ id: RecordID) { inner.removeRecord(id) }
  func activate(_ resource: ResourceID, in record: RecordID, label: String) -> TransferCounter {
    inner.activate(resource, in: record, label: label)
  }
  func setStage(_ stage: ResourceStage, of resource: ResourceID) {
    stages.update { $0.append(stage) }
    inner.setStage(stage, of: resource)
  }
  func complete(_ resource: ResourceID, failed: Bool) { inner.complete(resource, failed: failed) }
  func suspend(_ resource: ResourceID, keepsBytes: Bool) {
    inner.suspend(resource, keepsBytes: keepsBytes)
  }
  func snapshot(of records: RecordSelection) -> LibraryProgress { inner.snapshot(of: records) }
}
