import Models
import SystemCalls
import Testing
import WorkerProcess

@testable import TransportURLSession

@Suite struct HelperMessageTests {
  static let samples: [HelperEvent] = [
    .ready,
    .head(
      exchange: 7, status: 206,
      fields: HTTPFields(["ETag": "\"a\"", "X-Empty": "", "X-Text": "grün"]),
      time: .max),
    .progress(exchange: 1, bytes: 1 << 40, time: 3),
    .done(exchange: .max, bytes: 0, time: 0),
    .failed(exchange: 2, bytes: 5, ExchangeFailure(.urlSession, code: -1005, text: "lost")),
  ]

  @Test("each event is read back as it was sent", arguments: samples)
  func events(event: HelperEvent) throws {
    #expect(try HelperEvent(event.frame) == event)
  }

  @Test("an event that is cut, or followed by more, is malformed", arguments: samples)
  func damagedEvents(event: HelperEvent) throws {
    var frame = event.frame
    frame.payload.append(0)
    #expect(throws: WorkerError.self) { try HelperEvent(frame) }
    for length in 0..<event.frame.payload.count {
      frame.payload = Array(event.frame.payload.prefix(length))
      #expect(throws: WorkerError.self) { try HelperEvent(frame) }
    }
  }

  @Test("an order carries its request and its spool file")
  func order() throws {
    let spool = try Channels.memoryFile("spool")
    let order = ExchangeOrder(
      exchange: 3, url: "https://example.org/a?b", fields: HTTPFields(["Range": "bytes=0-1"]),
      maxBodyBytes: .max, isPublicOnly: true)
    let frame = HelperCommand.start(order, spool: spool).frame
    guard case .start(let read, let descriptor) = try HelperCommand(frame) else {
      Issue.record("not an order")
      return
    }
    #expect(read == order)
    #expect(descriptor === spool)
    #expect(throws: WorkerError.self) {
      try HelperCommand(Frame(kind: frame.kind, payload: frame.payload))
    }
  }

  @Test("negative sizes and unknown kinds are malformed")
  func lies() throws {
    let lie = HelperEvent.progress(exchange: 1, bytes: -1, time: 0).frame
    #expect(throws: WorkerError.self) { try HelperEvent(lie) }
    #expect(throws: WorkerError.self) { try HelperEvent(Frame(kind: 1)) }
    #expect(throws: WorkerError.self) { try HelperCommand(Frame(kind: 101)) }
  }
}
