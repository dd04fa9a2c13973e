import Testing
import Transport

@testable import TransportURLSession

@Suite struct ExchangeFailureTests {
  private func code(
    _ code: Int32, _ text: String = "", isSecure: Bool = false, hasHead: Bool = false
  ) -> TransportError.Code {
    ExchangeFailure(.urlSession, code: code, text: text)
      .code(isSecure: isSecure, hasHead: hasHead)
  }

  @Test("URLSession's few codes are mapped by the stage of the exchange")
  func stages() {
    #expect(code(-1003) == .dns)
    #expect(code(-1004) == .connectionRefused)
    #expect(code(-1005) == .connectionLost)
    #expect(code(-1005, hasHead: true) == .truncated)
    #expect(code(-1011) == .connectionLost)
    #expect(code(-1202) == .tls)
    #expect(code(-999_999) == .protocolViolation)
  }

  @Test("-1 is TLS only for https before the head, and only where the text says so")
  func unknown() {
    let certificate = "SSL certificate problem: self-signed certificate"
    #expect(code(-1, certificate, isSecure: true) == .tls)
    #expect(code(-1, certificate) == .protocolViolation)
    #expect(code(-1, "Failed writing header", isSecure: true) == .protocolViolation)
    #expect(code(-1, certificate, isSecure: true, hasHead: true) == .truncated)
    #expect(code(-1, "Malformed encoding in chunked-encoding", hasHead: true) == .protocolViolation)
  }

  @Test("errors that the helper detected itself have their own codes")
  func ownFailures() {
    let expected: [(ExchangeFailure.Kind, TransportError.Code)] = [
      (.name, .dns), (.address, .addressRefused), (.bodyLimit, .limitExceeded), (.spool, .sink),
      (.url, .invalidRequest), (.cancelled, .cancelled),
    ]
    for (kind, code) in expected {
      #expect(ExchangeFailure(kind).code(isSecure: true, hasHead: true) == code)
    }
  }
}
