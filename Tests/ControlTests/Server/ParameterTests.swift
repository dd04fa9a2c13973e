import LibraryAPI
import Testing
import TestSupport
@testable import Control

@Suite("Parameters of a query")
struct ParameterTests {
  static let refused = [
    ("/v1?x=1", "x"), ("/v1/status?progress=1", "progress"), ("/v1/records?offset=3", "offset"),
    ("/v1/records?limit=1&limit=2", "limit"), ("/v1/records?limit=", "limit"),
    ("/v1/records?limit=0", "limit"), ("/v1/records?limit=1001", "limit"),
    ("/v1/records?limit=%2B1", "limit"), ("/v1/records?limit=01", "limit"),
    ("/v1/records?after=1", "after"), ("/v1/records?after=1-0", "after"),
    ("/v1/records?Limit=1", "Limit"), ("/v1/events?engine=1", "engine"),
    ("/v1/events?progress=2", "progress"), ("/v1/events?progress=yes", "progress"),
    ("/v1/events?progress=1&records=1,", "records"), ("/v1/events?records=a", "records"),
    ("/v1/events?progress=1&records=0", "records"), ("/v1/events?records=-1", "records"),
    ("/v1/events?records=%2B1", "records"), ("/v1/events?viewer=-1", "viewer"),
    ("/v1/events?progress=0&viewer=x", "viewer"),
    ("/v1/events?progress=1&records=1&viewer=1", "viewer"),
    (
      "/v1/events?progress=1&records=" + (1...101).map(String.init).joined(separator: ","),
      "records"
    ),
    ("/v1/viewers/7?progress=1", "progress"),
  ]

  @Test(
    "that is not known, is there twice or is malformed is refused by its name", arguments: refused)
  func refusal(_ target: String, _ name: String) async throws {
    try await withStage { (stage) async throws in
      let answer = try await stage.ask("GET", target)
      #expect(answer?.status == 400)
      #expect(answer?.code == "badRequest")
      #expect(answer?.text.contains(name) == true, "\(answer?.text ?? "")")
    }
  }

  @Test("is refused in a batch and with every method, before anything is done")
  func everywhere() async throws {
    try await withStage { (stage) async throws in
      #expect(try await stage.ask("POST", "/v1/pause?now=1")?.status == 400)
      let body = #"{"calls":[{"method":"POST","path":"/v1/pause?now=1"}]}"#
      let batch = try await stage.ask("POST", "/v1/batch", body: body)
      #expect(batch?.text.contains("\"status\":400") == true)
      #expect(await !stage.library.state.isPaused)
    }
  }
}
