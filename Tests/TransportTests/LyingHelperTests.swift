import Models
import SystemCalls
import TestSupport
import Testing
import Transport
import WorkerProcess

@testable import TransportURLSession

/// A helper program that was taken over may send any events.
@Suite struct LyingHelperTests {
  @Test("One head, acknowledged progress and one end are the events of an exchange")
  func order() throws {
    var sequence = ExchangeSequence(maxBodyBytes: 10)
    try sequence.receiveHead()
    try sequence.receiveProgress(4)
    sequence.acknowledge()
    try sequence.receiveProgress(10)
    try sequence.receiveEnd(10)
  }

  @Test("A head that is repeated or follows the body is refused")
  func heads() throws {
    var twice = ExchangeSequence(maxBodyBytes: 10)
    try twice.receiveHead()
    #expect(throws: WorkerError.self) { try twice.receiveHead() }
    var late = ExchangeSequence(maxBodyBytes: 10)
    try late.receiveProgress(4)
    #expect(throws: WorkerError.self) { try late.receiveHead() }
  }

  @Test("Progress that is not acknowledged, does not grow or exceeds the limit is refused")
  func progress() throws {
    for next: Int64 in [0, 3, 4, 11, .max] {
      var sequence = ExchangeSequence(maxBodyBytes: 10)
      try sequence.receiveHead()
      try sequence.receiveProgress(4)
      #expect(throws: WorkerError.self) { try sequence.receiveProgress(5) }
      sequence.acknowledge()
      #expect(throws: WorkerError.self) { try sequence.receiveProgress(next) }
    }
  }

  @Test("An end before the progress or beyond the limit is refused", arguments: [3, 11, Int64.max])
  func end(_ total: Int64) throws {
    var sequence = ExchangeSequence(maxBodyBytes: 10)
    try sequence.receiveHead()
    try sequence.receiveProgress(4)
    #expect(throws: WorkerError.self) { try sequence.receiveEnd(total) }
  }

  @Test("A body without a head fails its transfer and never reaches the sink")
  func noHead() async throws {
    let (error, sink) = try await result(
      of: [HelperEvent.done(exchange: 1, bytes: 3, time: 1).frame])
    #expect(error?.code == .protocolViolation && error?.sinkError == nil)
    #expect(sink.heads.isEmpty && sink.text.isEmpty)
  }

  @Test("An event of an exchange that was not started ends the helper")
  func unknownExchange() async throws {
    let (error, _) = try await result(
      of: [HelperEvent.done(exchange: 1_000, bytes: 0, time: 1).frame])
    #expect(error?.code == .helperDied)
    #expect(error?.detail.contains("not started") == true, "\(error?.detail ?? "")")
  }

  @Test("Omitted, repeated, exchanged and changed events end in an error that is none of the disk")
  func mutations() async throws {
    let honest = [
      HelperEvent.head(exchange: 1, status: 200, fields: HTTPFields(), time: 1).frame,
      HelperEvent.progress(exchange: 1, bytes: 3, time: 2).frame,
      HelperEvent.progress(exchange: 1, bytes: 6, time: 3).frame,
      HelperEvent.done(exchange: 1, bytes: 9, time: 4).frame,
    ]
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let (error, sink) = try await result(of: mutate(honest, &random))
      // The spool file is empty, so that no body is complete.
      #expect(error?.sinkError == nil, "seed \(seed): \(error?.detail ?? "")")
      #expect(sink.text.isEmpty, "seed \(seed)")
    }
  }

  private func mutate(_ honest: [Frame], _ random: inout SeededGenerator) -> [Frame] {
    var frames = honest
    for _ in 0...Int.random(in: 0...2, using: &random) {
      guard let index = frames.indices.randomElement(using: &random) else { return honest }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: frames.remove(at: index)
      case 1: frames.insert(frames[index], at: index)
      case 2: frames.swapAt(index, frames.startIndex)
      default:
        var bytes = frames[index].payload
        guard let place = bytes.indices.randomElement(using: &random) else { continue }
        bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        frames[index] = Frame(kind: frames[index].kind, payload: bytes)
      }
    }
    return frames
  }

  /// Performs a request by a helper that answers the first command with these frames, and ends.
  private func result(of frames: [Frame]) async throws -> (TransportError?, RecordingSink) {
    let script = """
      printf '\(Self.text(HelperEvent.ready.frame))' >&3
      dd bs=65536 count=1 <&3 >/dev/null 2>&1
      printf '\(frames.map(Self.text).joined())' >&3
      """
    let transport = try URLSessionTransport(
      URLSessionTransport.Configuration(
        program: WorkerProgram(path: "/bin/sh", arguments: ["-c", script]),
        spoolFolder: Machine.environment("TMPDIR") ?? "/tmp"))
    let request = TransportRequest(url: try HTTPURL("http://127.0.0.1:1/"), addresses: .any)
    let sink = RecordingSink()
    var failure: TransportError?
    do throws(TransportError) {
      _ = try await transport.perform(request, into: sink)
    } catch {
      failure = error
    }
    await transport.shutdown()
    return (failure, sink)
  }

  /// The frame as octal escapes of printf(1).
  private static func text(_ frame: Frame) -> String {
    let count = UInt32(clamping: frame.payload.count)
    let header = (0..<4).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) } + [frame.kind, 0]
    return (header + frame.payload).map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }
}
