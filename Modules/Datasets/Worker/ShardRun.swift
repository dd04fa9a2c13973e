import Datasets
import Models
import Rendering
import SystemCalls
import Threading
import Transport

/// Executes the actions of a shard's machine. Confined to the thread that calls `complete`; results of other
/// threads arrive in the mailbox.
final class ShardRun {
  enum Message: Sendable {
    case line([UInt8])
    case inputEnded(ShardError)
    case fetched(Int, Result<TransportResponse, TransportError>)
    case rendered(Int, Result<RenderResult, RenderError>)
    case written(Result<ShardOutput.Written, ShardError>)
  }

  /// A sample in progress.
  struct Sample {
    let line: SampleLine
    /// The time at which the first transfer began; nil before.
    var start: Double?
    var body: SampleBody?
    var transfer: (any Cancellable)?
    /// The host of the running transfer, which has one of its slots; nil while none runs.
    var host: String?
    var attempts = 0
    var decodings = 0
    var hash: String?
  }

  let shard: ShardDescription
  let services: ShardWorker.Services
  let mailbox: Mailbox<Message>
  let storage: BodyStorage
  let clock: any MonotonicClock
  private let reader: LineReader
  private let output: ShardOutput
  private let inputQueue = BlockingQueue("dataset-input")
  private let poller: Poller
  private let start: Double
  /// The number of the shard's own line in the input.
  private let lineNumber: Int
  private var machine: ShardMachine
  /// The actions of the machine that are not executed yet. A sample may fail within an action, so that the
  /// machine is asked again before the other actions are executed.
  private var actions: [ShardMachine.Action] = []
  private var isPerforming = false
  var samples: [Int: Sample] = [:]
  private var finished: [Int: FinishedSample] = [:]
  var spill: SpillFile
  /// The transfers from each host.
  var hosts: HostSlots
  /// The samples whose next transfer begins at a later time.
  var delayed: [(time: Double, index: Int)] = []
  /// The number of decodings that failed one after another because of the decoder.
  var decoderFailures = 0
  private var linesRead = 0
  var downloadedBytes: Int64 = 0
  private var isPastDeadline = false
  private var isComplete = false
  /// The samples that the machine passes to the output in the current turn.
  private var batch: [FinishedSample] = []

  /// The time in seconds after the deadline of the shard for the input and the output to end.
  private static let grace = 30.0

  init(
    _ shard: ShardDescription, _ services: ShardWorker.Services, _ reader: LineReader,
    output report: OwnedDescriptor
  ) throws(ShardError) {
    self.shard = shard
    self.services = services
    clock = services.clock
    self.reader = reader
    output = try ShardOutput(shard, report: report, queue: BlockingQueue("dataset-output"))
    do throws(SystemError) {
      poller = try Poller()
    } catch {
      throw .failed(error.description)
    }
    mailbox = Mailbox(wakeUp: poller.wakeUp)
    hosts = HostSlots(limit: shard.transfersPerHost)
    let folder = FileSystem.parentFolder(of: FileSystem.canonicalPath(shard.tar))
    storage = BodyStorage(folder: folder)
    spill = SpillFile(folder: folder)
    start = clock.now()
    lineNumber = reader.lineCount
    // There is a socket for each transfer, and a file for each transfer and each body that waits.
    machine = ShardMachine(
      count: shard.count,
      ShardMachine.Limits(
        transfers: min(shard.transfers, services.maximumTransfers * 2 / 3),
        renderings: 2 * services.rendererWidth))
  }

  /// Runs the shard to its end. Blocks.
  func complete() throws(ShardError) {
    do throws(ShardError) {
      defer { end() }
      try run()
      try output.complete(downloadedBytes: downloadedBytes, seconds: clock.now() - start)
    } catch {
      if case .failed = error { output.reportFailure(error) }
      throw error
    }
  }

  private func run() throws(ShardError) {
    try perform(machine.begin())
    let events = Poller.Events()
    var messages: [Message] = []
    while !isComplete {
      if mailbox.drain(into: &messages) {
        for message in messages { try handle(message) }
        messages.removeAll(keepingCapacity: true)
      } else {
        poller.wait(for: events, milliseconds: millisecondsToNextTime)
        for index in 0..<events.count { _ = poller.event(index, of: events) }
      }
      try checkTimes()
      sendBatch()
    }
  }

  /// Parses the line of the next sample.
  private func line(_ bytes: [UInt8]) throws(ShardError) -> SampleLine {
    do throws(ShardError) {
      return try SampleLine(line: bytes, index: linesRead)
    } catch {
      throw error.inLine(lineNumber + 1 + linesRead)
    }
  }

  private func end() {
    for sample in samples.values { sample.transfer?.cancel() }
    _ = mailbox.close()
  }

  // MARK: - Times

  private var millisecondsToNextTime: Int32 {
    var next = delayed.map(\.time).min() ?? .infinity
    if let deadline = shard.shardDeadline {
      next = min(next, start + deadline + (isPastDeadline ? Self.grace : 0))
    }
    guard next < .infinity else { return -1 }
    return Int32(clamping: Int(max(0, next - clock.now()) * 1_000) + 1)
  }

  private func checkTimes() throws(ShardError) {
    let now = clock.now()
    if !delayed.isEmpty {
      let due = delayed.filter { $0.time <= now }
      delayed.removeAll { $0.time <= now }
      for (_, index) in due { try fetch(index) }
    }
    guard let deadline = shard.shardDeadline, now - start >= deadline else { return }
    if !isPastDeadline {
      isPastDeadline = true
      delayed = []
      try tell(.deadline)
    } else if now - start >= deadline + Self.grace {
      throw .failed("the driver neither sent all samples nor read all reports in time")
    }
  }

  /// The time in seconds for the transfers of a sample; 0 if it is over.
  func secondsToTransfer(_ sample: Sample) -> Double {
    let end = (sample.start ?? clock.now()) + shard.sampleDeadline
    return max(0, min(end - clock.now(), secondsToDeadline))
  }

  /// The time in seconds for the decoding of a sample. It begins with the decoding: a decoder that is slower
  /// than the network must not fail the samples that wait for it.
  var secondsToDecode: Double { min(shard.sampleDeadline, secondsToDeadline) }

  /// The time in seconds until the deadline of the shard; 0 if it has passed.
  private var secondsToDeadline: Double {
    shard.shardDeadline.map { max(0, start + $0 - clock.now()) } ?? .infinity
  }

  // MARK: - Events and actions

  private func handle(_ message: Message) throws(ShardError) {
    switch message {
    case .line(let bytes):
      samples[linesRead] = Sample(line: try line(bytes))
      linesRead += 1
      try tell(.lineRead)
    case .inputEnded(let error): throw error
    case .fetched(let index, let result): try fetched(index, result)
    case .rendered(let index, let result): try rendered(index, result)
    case .written(let result):
      let written = try result.get()
      spill.forget(written.memory)
      try tell(.written(written.count))
    }
  }

  /// Passes an event to the machine, and executes its actions.
  func tell(_ event: ShardMachine.Event) throws(ShardError) { try perform(machine.handle(event)) }

  private func perform(_ new: [ShardMachine.Action]) throws(ShardError) {
    actions += new
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    var next = 0
    while next < actions.count {
      try perform(actions[next])
      next += 1
    }
    actions.removeAll(keepingCapacity: true)
  }

  private func perform(_ action: ShardMachine.Action) throws(ShardError) {
    switch action {
    case .readLines(let count): readLines(count)
    case .fetch(let index): try fetch(index)
    case .render(let index): try render(index)
    case .write(let index):
      if let sample = finished.removeValue(forKey: index) { batch.append(sample) }
    case .abandon(let index): settle(index, .deadline)
    case .complete: isComplete = true
    }
  }

  private func readLines(_ count: Int) {
    inputQueue.start { [mailbox, reader] in
      for _ in 0..<count {
        do throws(ShardError) {
          guard let line = try reader.next() else {
            throw .malformed("the input ends before the last sample of the shard")
          }
          guard mailbox.post(.line(line)) else { return }
        } catch {
          _ = mailbox.post(.inputEnded(error))
          return
        }
      }
    }
  }

  private func sendBatch() {
    guard !batch.isEmpty else { return }
    output.write(batch) { [mailbox] result in _ = mailbox.post(.written(result)) }
    batch = []
  }

  // MARK: - Ends of samples

  func finish(
    _ index: Int, _ report: SampleReport, _ image: SampleImage? = nil
  ) throws(ShardError) {
    settle(index, report, image)
    try tell(.finished(index))
  }

  private func settle(_ index: Int, _ report: SampleReport, _ image: SampleImage? = nil) {
    guard let sample = samples.removeValue(forKey: index) else { return }
    sample.transfer?.cancel()
    var report = report
    if report.status == .success { report.hash = sample.hash }
    if let start = sample.start { report.milliseconds = Int((clock.now() - start) * 1_000) }
    finished[index] = FinishedSample(line: sample.line, report: report, image: image)
  }
}
