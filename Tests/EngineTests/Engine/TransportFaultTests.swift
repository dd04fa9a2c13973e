import Models
import SystemCalls
import TestSupport
import Testing
import Transport

@testable import Engine

/// An error that is none of the disk concerns one resource, whatever the transport does.
@Suite(.timeLimit(.minutes(60))) struct TransportFaultTests {
  @Test("A body without a head fails its resource, and the others are stored")
  func noHead() async throws {
    let lab = try Lab()
    lab.settings.network.retries = 0
    lab.serveImages(1...3)
    lab.web.serve(Lab.url(2), FakeAnswer.file(Lab.image(2)).withoutHead())
    try await lab.run()
    #expect(try await lab.allResources().map(\.state) == [.finished, .failed, .finished])
  }

  @Test("Only an error of a system call counts as one of the disk")
  func disk() throws {
    let url = try HTTPURL("http://h/")
    func failure(_ cause: SinkError) -> DownloadFailure {
      DownloadFailure(TransportError(.sink, url: url, detail: "", sinkError: cause))
    }
    #expect(failure(SinkError("not open")) == .protocolViolation("not open"))
    let full = SystemError(errno: 28, call: "write to")
    #expect(failure(SinkError(full)) == .disk(full.description, isFull: true))
  }
}
