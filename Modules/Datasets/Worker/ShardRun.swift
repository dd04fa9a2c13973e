import Datasets
import Models
import Rendering
import SystemCalls
import Threading
import Transport

/// Executes the actions of a shard's machine. Confined to the thread that calls `complete`; results of other
/// threads arrive in the mailbox.
final class ShardRun {
  private enum Message: Sendable {
    case line([UInt8])
    case inputEnded(ShardError)
    case fetched(Int, Result<TransportResponse, TransportError>)
    case rendered(Int, Result<RenderResult, RenderError>)
    case written(Result<Int, ShardError>)
  }

  /// A sample in progress.
  private struct Sample {
    let line: SampleLine
    let start: Double
    var body: SampleBody?
    var transfer: (any Cancellable)?
    var attempts = 0
    var hash: String?
  }

  private let shard: ShardDescription
  private let services: ShardWorker.Services
  private let reader: LineReader
  private let output: ShardOutput
  private let inputQueue = BlockingQueue("dataset-input")
  private let poller: Poller
  private let mailbox: Mailbox<Message>
  private let storage: BodyStorage
  private let clock = SystemClock()
  private let start: Double
  private var machine: ShardMachine
  private var samples: [Int: Sample] = [:]
  private var finished: [Int: FinishedSample] = [:]
  private var spill: SpillFile
  private var linesRead = 0
  private var downloadedBytes: Int64 = 0
  private var isPastDeadline = false
  private var isComplete = false
  /// The samples that the machine passes to the output in the current turn.
  private var batch: [FinishedSample] = []

  init(
    _ shard: ShardDescription, _ services: ShardWorker.Services, _ reader: LineReader,
    output report: OwnedDescriptor
  ) throws(ShardError) {
    self.shard = shard
    self.services = services
    self.reader = reader
    output = try ShardOutput(shard, report: report, queue: BlockingQueue("dataset-output"))
    do throws(SystemError) {
      poller = try Poller()
    } catch {
      throw .failed(error.description)
    }
    mailbox = Mailbox(wakeUp: poller.wakeUp)
    let folder = FileSystem.parentFolder(of: FileSystem.canonicalPath(shard.tar))
    storage = BodyStorage(folder: folder)
    spill = SpillFile(folder: folder)
    start = clock.now()
    machine = ShardMachine(
      count: shard.count,
      ShardMachine.Limits(
        transfers: min(shard.transfers, services.maximumTransfers),
        renderings: 2 * services.rendererWidth))
  }

  /// Runs the shard to its end. Blocks.
  func complete() throws(ShardError) {
    defer { end() }
    try perform(machine.begin())
    let events = Poller.Events()
    var messages: [Message] = []
    while !isComplete {
      if mailbox.drain(into: &messages) {
        for message in messages { try handle(message) }
        messages.removeAll(keepingCapacity: true)
      } else {
        poller.wait(for: events, milliseconds: millisecondsToDeadline)
        for index in 0..<events.count { _ = poller.event(index, of: events) }
      }
      if !isPastDeadline, let deadline = shard.shardDeadline, clock.now() - start >= deadline {
        isPastDeadline = true
        try perform(machine.handle(.deadline))
      }
      sendBatch()
    }
    try output.complete(downloadedBytes: downloadedBytes, seconds: clock.now() - start)
  }

  private func end() {
    for sample in samples.values { sample.transfer?.cancel() }
    _ = mailbox.close()
    poller.close()
  }

  private var millisecondsToDeadline: Int32 {
    guard !isPastDeadline, let deadline = shard.shardDeadline else { return -1 }
    return Int32(clamping: Int(max(0, start + deadline - clock.now()) * 1_000) + 1)
  }

  private func handle(_ message: Message) throws(ShardError) {
    switch message {
    case .line(let bytes):
      let line = try SampleLine(line: bytes, index: linesRead)
      samples[linesRead] = Sample(line: line, start: 0)
      linesRead += 1
      try perform(machine.handle(.lineRead))
    case .inputEnded(let error): throw error
    case .fetched(let index, let result): try fetched(index, result)
    case .rendered(let index, let result): try rendered(index, result)
    case .written(let result): try perform(machine.handle(.written(try result.get())))
    }
  }

  private func perform(_ actions: [ShardMachine.Action]) throws(ShardError) {
    for action in actions {
      switch action {
      case .readLines(let count): readLines(count)
      case .fetch(let index):
        if let line = samples[index]?.line {
          samples[index] = Sample(line: line, start: clock.now())
          try fetch(index)
        }
      case .render(let index): render(index)
      case .write(let index):
        if let sample = finished.removeValue(forKey: index) {
          if case .memory(let bytes) = sample.image { spill.forget(bytes.count) }
          batch.append(sample)
        }
      case .abandon(let index): try settle(index, .deadline)
      case .complete: isComplete = true
      }
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

  // MARK: - Transfers

  private func fetch(_ index: Int) throws(ShardError) {
    guard var sample = samples[index] else { return }
    let url: HTTPURL
    do {
      url = try HTTPURL(sample.line.url ?? "")
    } catch {
      return try finish(index, SampleReport(.failedToDownload, message: "unknown url type"))
    }
    let body = SampleBody(shard, storage)
    sample.body = body
    sample.attempts += 1
    var request = TransportRequest(
      url: url, addresses: shard.allowsPrivate ? .any : .publicOnly)
    request.limits.connectTimeout = shard.timeout
    request.limits.idleTimeout = shard.timeout
    request.limits.totalTimeout = max(0.001, sample.start + shard.sampleDeadline - clock.now())
    if let token = shard.userAgentToken {
      request.fields.append("User-Agent", "imgdl (compatible; \(token))")
    }
    sample.transfer = services.transport.begin(request, into: body) { [mailbox] result in
      _ = mailbox.post(.fetched(index, result))
    }
    samples[index] = sample
  }

  private func fetched(
    _ index: Int, _ result: Result<TransportResponse, TransportError>
  ) throws(ShardError) {
    guard let sample = samples[index], let body = sample.body else { return }
    samples[index]?.transfer = nil
    downloadedBytes += body.byteCount
    switch result {
    case .failure(let error):
      if error.sinkError != nil { throw .failed(error.detail) }
      let mayRetry = sample.attempts <= shard.retries && error.isRetryable
      if mayRetry, clock.now() < sample.start + shard.sampleDeadline { return try fetch(index) }
      try finish(index, .failed(error))
    case .success:
      if let refusal = body.refusal { return try finish(index, refusal) }
      let hash = body.finishHash()
      if shard.verifiesHash, sample.line.hash != hash {
        return try finish(
          index, SampleReport(.failedToDownload, message: "hash mismatch"))
      }
      samples[index]?.hash = hash
      if shard.sample.encoding == .never, !shard.sample.wantsEXIF {
        return try finishUnchanged(index, SampleReport(.success))
      }
      guard body.file != nil else {
        return try finish(index, .failed(RenderError(.damaged, "the file is empty")))
      }
      try perform(machine.handle(.fetched(index)))
    }
  }

  // MARK: - Rendering

  private func render(_ index: Int) {
    guard let file = samples[index]?.body?.file else { return }
    services.renderer.makeSample(of: file, shard.sample) { [mailbox] result in
      _ = mailbox.post(.rendered(index, result))
    }
  }

  private func rendered(
    _ index: Int, _ result: Result<RenderResult, RenderError>
  ) throws(ShardError) {
    guard samples[index] != nil else { return }
    // Bytes that are passed through need not be an image.
    if shard.sample.encoding == .never {
      var report = SampleReport(.success)
      report.exif = (try? result.get())?.sample?.exif
      return try finishUnchanged(index, report)
    }
    switch result {
    case .failure(let error): try finish(index, .failed(error))
    case .success(let result):
      if let rejection = result.sample?.rejection {
        return try finish(index, .rejected(rejection))
      }
      if let damage = result.damage, shard.damage == .fail {
        return try finish(index, .failed(damage))
      }
      var report = SampleReport(.success)
      report.originalWidth = result.sample?.imageWidth
      report.originalHeight = result.sample?.imageHeight
      report.exif = result.sample?.exif
      if shard.damage == .flag { report.damage = result.damage?.detail }
      guard let image = result.renditions.first else {
        (report.width, report.height) = (report.originalWidth, report.originalHeight)
        return try finishUnchanged(index, report)
      }
      (report.width, report.height) = (image.width, image.height)
      try finish(index, report, try spill.keep(image.bytes))
    }
  }

  // MARK: - Ends

  private func finishUnchanged(_ index: Int, _ report: SampleReport) throws(ShardError) {
    guard let body = samples[index]?.body else { return }
    let count = Int(clamping: body.byteCount)
    let image = body.file.map { SampleImage.file($0, count: count) } ?? .memory([])
    try finish(index, report, image)
  }

  private func finish(
    _ index: Int, _ report: SampleReport, _ image: SampleImage? = nil
  ) throws(ShardError) {
    try settle(index, report, image)
    try perform(machine.handle(.finished(index)))
  }

  private func settle(
    _ index: Int, _ report: SampleReport, _ image: SampleImage? = nil
  ) throws(ShardError) {
    guard let sample = samples.removeValue(forKey: index) else { return }
    sample.transfer?.cancel()
    var report = report
    if report.status == .success { report.hash = sample.hash }
    if sample.start > 0 { report.milliseconds = Int((clock.now() - sample.start) * 1_000) }
    finished[index] = FinishedSample(line: sample.line, report: report, image: image)
  }

  private func sendBatch() {
    guard !batch.isEmpty else { return }
    output.write(batch) { [mailbox] result in _ = mailbox.post(.written(result)) }
    batch = []
  }
}

/// Keeps the images of samples that wait for their turn: in memory at first, then in a file without a name.
struct SpillFile {
  /// The maximum number of bytes in memory.
  private static let limit = 32 << 20

  private let folder: String
  private var memory = 0
  private var file: OwnedDescriptor?
  private var end: Int64 = 0

  init(folder: String) { self.folder = folder }

  mutating func keep(_ bytes: [UInt8]) throws(ShardError) -> SampleImage {
    guard memory + bytes.count > Self.limit else {
      memory += bytes.count
      return .memory(bytes)
    }
    do throws(SystemError) {
      let file = try openFile()
      try file.write(all: bytes.span.bytes, at: end)
      defer { end += Int64(bytes.count) }
      return .spilled(file, offset: end, count: bytes.count)
    } catch {
      throw .failed(error.description)
    }
  }

  private mutating func openFile() throws(SystemError) -> OwnedDescriptor {
    if let file { return file }
    let new = try FileSystem.unnamedFile(in: folder)
    file = new
    return new
  }

  /// Counts bytes that were passed to the output.
  mutating func forget(_ count: Int) { memory -= count }
}
