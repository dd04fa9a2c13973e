import Models
import TestSupport
import Testing
import Transport

@Suite struct SentenceTests {
  @Test(
    "An error of a transfer without a detail of its own says what its code means",
    arguments: TransportError.Code.allCases)
  func codes(_ code: TransportError.Code) throws {
    let error = TransportError(code, url: try HTTPURL("http://h/"), detail: "")
    #expect(error.detail == code.sentence)
    expectSentence(error.detail)
  }
}
