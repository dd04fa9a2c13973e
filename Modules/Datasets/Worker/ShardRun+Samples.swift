import Datasets
import HTTP1
import Models
import Rendering
import SystemCalls
import Threading
import Transport

/// The transfers of samples.
extension ShardRun {
  /// Begins a transfer of a sample, as soon as its host has a slot.
  func fetch(_ index: Int) throws(ShardError) {
    guard var sample = samples[index] else { return }
    guard let text = sample.line.url, let url = try? HTTPURL(text) else {
      return try finish(index, SampleReport(.failedToDownload, message: "unknown url type"))
    }
    guard hosts.begin(index, at: url.host) else { return }
    sample.host = url.host
    // The time in which a sample waits for its host is not its own.
    if sample.start == nil { sample.start = clock.now() }
    let body = SampleBody(shard, storage)
    sample.body = body
    sample.attempts += 1
    var request = TransportRequest(
      url: url, addresses: shard.allowsPrivate ? .any : .publicOnly)
    request.limits.connectTimeout = shard.timeout
    request.limits.idleTimeout = shard.timeout
    // 0 would mean no limit.
    request.limits.totalTimeout = max(0.001, secondsToTransfer(sample))
    request.limits.maxBodyBytes = shard.maximumBytes
    if let token = shard.userAgentToken {
      request.fields.append("User-Agent", "imgdl (compatible; \(token))")
    }
    sample.transfer = services.transport.begin(request, into: body) { [mailbox] result in
      _ = mailbox.post(.fetched(index, result))
    }
    samples[index] = sample
  }

  func fetched(
    _ index: Int, _ result: Result<TransportResponse, TransportError>
  ) throws(ShardError) {
    guard let sample = samples[index], let body = sample.body else { return }
    samples[index]?.transfer = nil
    samples[index]?.host = nil
    downloadedBytes += body.byteCount
    if let host = sample.host, let next = hosts.end(at: host) { try fetch(next) }
    switch result {
    case .failure(let error):
      if error.sinkError?.isOfDisk == true { throw .failed(error.detail) }
      guard !repeats(index, sample, error.isRetryable) else { return }
      try finish(index, .failed(error))
    case .success(let response):
      if let refusal = body.refusal {
        let status = response.head.status
        let isTemporary = status == 408 || status == 429 || (500...504).contains(status)
        let now = Machine.unixSeconds
        let wait = response.head.fields["Retry-After"].flatMap {
          RetryAfter.parse($0, now: now)?.delay(now: now)
        }
        guard !repeats(index, sample, isTemporary && status != 501, after: wait) else { return }
        return try finish(index, refusal)
      }
      try verify(index, sample, body)
    }
  }

  /// Plans another transfer of a sample, if the shard and the deadline of the sample allow it.
  /// - Parameter seconds: The time that the server asks to wait; nil if it asks for none.
  private func repeats(
    _ index: Int, _ sample: Sample, _ isTemporary: Bool, after seconds: Int64? = nil
  ) -> Bool {
    var policy = services.retries
    policy.retries = shard.retries
    // A wait beyond the deadline of the sample is none that a shorter one could replace.
    policy.ceiling = .infinity
    let decision = policy.decide(
      attempts: sample.attempts, isRetryable: isTemporary, retryAfter: seconds.map { Double($0) },
      chance: .random(in: 0..<1))
    guard case .retry(let wait) = decision, wait < secondsToTransfer(sample) else { return false }
    delayed.append((clock.now() + wait, index))
    return true
  }

  private func verify(_ index: Int, _ sample: Sample, _ body: SampleBody) throws(ShardError) {
    let hash = body.finishHash()
    if shard.verifiesHash, sample.line.hash != hash {
      return try finish(index, SampleReport(.failedToDownload, message: "hash mismatch"))
    }
    samples[index]?.hash = hash
    if shard.sample.encoding == .never, !shard.sample.wantsEXIF {
      return try finishUnchanged(index, SampleReport(.success))
    }
    guard body.file != nil else {
      return try finish(index, .failed(RenderError(.damaged, "the file is empty")))
    }
    try tell(.fetched(index))
  }
}

/// The decoding of samples.
extension ShardRun {
  /// The number of failures of the decoder one after another after which the shard fails: files alone hardly
  /// cause so many.
  private static let maximumDecoderFailures = 16

  func render(_ index: Int) throws(ShardError) {
    guard let file = samples[index]?.body?.file else { return }
    let seconds = secondsToDecode
    guard seconds > 0 else { return try finish(index, .decodingDeadline) }
    samples[index]?.decodings += 1
    services.renderer.makeSample(of: file, shard.sample, within: seconds) { [mailbox] result in
      _ = mailbox.post(.rendered(index, result))
    }
  }

  func rendered(
    _ index: Int, _ result: Result<RenderResult, RenderError>
  ) throws(ShardError) {
    guard samples[index] != nil else { return }
    if case .failure(let error) = result, error.code == .worker {
      guard try !repeatsDecoding(index, error) else { return }
    } else {
      decoderFailures = 0
    }
    // Bytes that are passed through need not be an image.
    if shard.sample.encoding == .never {
      var report = SampleReport(.success)
      report.exif = (try? result.get())?.sample?.exif
      return try finishUnchanged(index, report)
    }
    switch result {
    case .failure(let error): try finish(index, .failed(error))
    case .success(let result): try finish(index, result)
    }
  }

  /// Decodes a sample once more if its worker died, which may be the fault of another file or of the system.
  /// - Throws: `.failed` if no worker can be started, or if workers die one after another: the files of the
  ///   shard are not at fault then.
  private func repeatsDecoding(_ index: Int, _ error: RenderError) throws(ShardError) -> Bool {
    guard error.workerCause != .timedOut else { return false }
    decoderFailures += 1
    if error.workerCause == .unavailable || decoderFailures > Self.maximumDecoderFailures {
      throw .failed("the decoders do not work: \(error.detail)")
    }
    guard let sample = samples[index], sample.decodings < 2 else { return false }
    try render(index)
    return true
  }

  private func finish(_ index: Int, _ result: RenderResult) throws(ShardError) {
    if let rejection = result.sample?.rejection { return try finish(index, .rejected(rejection)) }
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

  /// Finishes a sample whose bytes are those of the response.
  private func finishUnchanged(_ index: Int, _ report: SampleReport) throws(ShardError) {
    guard let body = samples[index]?.body else { return }
    let image = try body.file.map { (file) throws(ShardError) in
      try spill.keep(file, count: body.byteCount)
    }
    try finish(index, report, image ?? .memory([]))
  }
}
