import Models
import RenderMessages
import Rendering
import SystemCalls
import Testing
import WorkerProcess

@Suite("Messages of the render workers") struct RenderMessageTests {
  private let limits = RenderLimits(side: 1, pixels: 2, pages: 3)
  private let info = DocumentInfo(
    format: .pdf, width: 612, height: 792, pageCount: 3, hasAlpha: false, isAnimated: true)
  private let jpegBytes: [UInt8] = [0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]

  private func request(_ sides: [Int]) -> RenderRequest {
    RenderRequest(
      operation: .render(page: 2, sides: sides, quality: 85), limits: limits, decoder: "auto")
  }

  private func reply(_ sizes: [Int]) -> RenderReply {
    .result(
      RenderResult(
        info: info,
        renditions: sizes.map {
          Rendition(format: .jpeg, width: $0, height: 1, bytes: jpegBytes)
        }))
  }

  @Test("come out as they went in")
  func roundTrip() throws {
    let (file, _) = try Channels.pipe()
    let probe = RenderRequest(operation: .probe, limits: limits, decoder: "vips")
    for request in [request([256, 1_024]), probe] {
      #expect(try RenderRequest(request.frame(file)) == request)
    }
    let reply = reply([256, 100])
    #expect(try RenderReply(reply.frame, to: request([256, 100])) == reply)
    let failure = RenderReply.failure(RenderError(.truncated, "cut"))
    #expect(try RenderReply(failure.frame, to: probe) == failure)
  }

  @Test("that are cut anywhere are malformed")
  func cut() throws {
    let frame = reply([256]).frame
    for count in frame.payload.indices {
      let error = #expect(throws: WorkerError.self) {
        try RenderReply(
          Frame(kind: frame.kind, payload: Array(frame.payload.prefix(count))), to: request([256]))
      }
      #expect(error?.code == .malformed)
    }
  }

  @Test("that answer another question are malformed", arguments: [[], [257], [256, 256], [0]])
  func lies(_ sizes: [Int]) throws {
    #expect(throws: WorkerError.self) { try RenderReply(reply(sizes).frame, to: request([256])) }
  }

  @Test("with a picture that is none are malformed")
  func notAPicture() throws {
    let rendition = Rendition(format: .jpeg, width: 1, height: 1, bytes: Array("<html>".utf8))
    let reply = RenderReply.result(RenderResult(info: info, renditions: [rendition]))
    #expect(throws: WorkerError.self) { try RenderReply(reply.frame, to: request([256])) }
  }

  @Test("carry no control characters of a worker to a terminal")
  func escaping() throws {
    let words = RenderReply.failure(RenderError(.damaged, "bad\u{1b}[31m\u{202e}\nline"))
    guard case .failure(let error) = try RenderReply(words.frame, to: request([1])) else {
      Issue.record("no failure")
      return
    }
    #expect(error.detail == "bad\\u{1b}[31m\\u{202e} line")
  }
}
