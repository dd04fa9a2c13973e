import LibraryAPI
import Models
import Testing
import TestSupport
@testable import Control

@Suite("Errors through the socket")
struct ErrorTests {
  @Test("of the engine come back as they were", arguments: LibraryError.Code.allCases)
  func thereAndBack(_ code: LibraryError.Code) async throws {
    let error = LibraryError(
      code, "cannot write to \"/a\u{e9}\u{1b}[0m\n\": No space left \\ \u{1f600}")
    try await withClient { (stage, client) async throws in
      let record = await stage.library.insert("a")
      let verbs: [@Sendable () async throws -> Void] = [
        { _ = try await client.add(SourceRequest(location: .file("/a"))) },
        { _ = try await client.refresh(record) }, { _ = try await client.loadMore(record) },
        { try await client.pause(record) }, { try await client.resume(nil) },
        { try await client.cancel(record) }, { try await client.retry(nil) },
        { try await client.reload(record) }, { try await client.remove(record) },
        { try await client.reset() }, { try await client.setConcurrency(4) },
        { try await client.setPerHost(4) }, { try await client.setRateLimit(4) },
        { try await client.setPriority(.low, of: record) },
        { _ = try await client.resource(at: try Samples.url(), .cached) },
        { _ = try await client.status() },
      ]
      for verb in verbs {
        await stage.library.fail(error)
        await #expect(throws: error) { try await verb() }
      }
    }
  }

  @Test("of a record that is not there, and of a number that is out of range, name it")
  func ordinary() async throws {
    try await withClient { (stage, client) async throws in
      for record in [RecordID(9), RecordID(-9), RecordID(.min), RecordID(.max)] {
        await #expect(throws: LibraryError(.noSuchRecord, "there is no record \(record)")) {
          try await client.pause(record)
        }
      }
      await #expect(throws: LibraryError.self) { try await client.setConcurrency(0) }
    }
  }

  static let refused: [(String, String, String?, Int, String)] = [
    ("GET", "/", nil, 404, "notFound"),
    ("GET", "/v2/status", nil, 404, "notFound"),
    ("GET", "/v1/status/", nil, 400, "badRequest"),
    ("GET", "/v1/../v1/status", nil, 400, "badRequest"),
    ("GET", "/v1/%2e%2e/status", nil, 400, "badRequest"),
    ("GET", "/v1/records/%00/pause", nil, 400, "badRequest"),
    ("PATCH", "/v1/status", nil, 405, "methodNotAllowed"),
    ("OPTIONS", "/v1/status", nil, 405, "methodNotAllowed"),
    ("GET", "/v1/pause", nil, 405, "methodNotAllowed"),
    ("POST", "/v1/records/1", nil, 405, "methodNotAllowed"),
    ("POST", "/v1/records/x/pause", nil, 400, "badRequest"),
    ("POST", "/v1/records/-1/pause", nil, 404, "noSuchRecord"),
    ("POST", "/v1/records/-0/pause", nil, 400, "badRequest"),
    ("POST", "/v1/records/01/pause", nil, 400, "badRequest"),
    ("POST", "/v1/records/+1/pause", nil, 400, "badRequest"),
    ("POST", "/v1/records/%2e%2e%2f1/pause", nil, 400, "badRequest"),
    ("POST", "/v1/records/9223372036854775808/pause", nil, 400, "badRequest"),
    ("POST", "/v1/records/7/pause", nil, 404, "noSuchRecord"),
    ("POST", "/v1/sources", nil, 400, "badBody"),
    ("POST", "/v1/sources", "{}", 400, "badBody"),
    ("POST", "/v1/sources", "[", 400, "badBody"),
    ("POST", "/v1/sources", "{\"url\":5}", 400, "badBody"),
    ("POST", "/v1/sources", "{\"url\":\"ftp://a/\"}", 422, "badValue"),
    ("POST", "/v1/sources", "{\"file\":\"../a\"}", 400, "badBody"),
    ("POST", "/v1/resources", "{\"url\":\"http://a/\",\"policy\":\"new\"}", 400, "badBody"),
    ("PUT", "/v1/settings/concurrency", "{\"limit\":\"4\"}", 400, "badBody"),
    ("PUT", "/v1/settings/concurrency", "{\"limit\":4.5}", 400, "badBody"),
    ("PUT", "/v1/settings/concurrency", "{\"limit\":1025}", 400, "badBody"),
    ("PUT", "/v1/settings/per-host", "{\"limit\":0}", 400, "badBody"),
    ("POST", "/v1/requeue", "{\"resources\":[0],\"reason\":\"\"}", 400, "badBody"),
    ("POST", "/v1/sources", "{\"standardInput\":\"/\"}", 422, "badValue"),
    ("PUT", "/v1/viewers/1/records/1", "{\"from\":0,\"to\":1000000001}", 400, "badBody"),
    ("DELETE", "/v1/records/0", nil, 404, "noSuchRecord"),
    ("DELETE", "/v1/records/1?files=delete", nil, 400, "badRequest"),
    ("PUT", "/v1/settings/rate-limit", "{\"limit\":-1}", 400, "badBody"),
    ("DELETE", "/v1/records/-1", nil, 404, "noSuchRecord"),
    ("PUT", "/v1/records/1/priority", "{\"priority\":\"urgent\"}", 400, "badBody"),
    ("PUT", "/v1/viewers/1/records/1", "{\"from\":2,\"to\":1}", 422, "badValue"),
    ("PUT", "/v1/viewers/1/records/1", "{\"from\":-2,\"to\":1}", 400, "badBody"),
    ("PUT", "/v1/viewers/18446744073709551616/records/1", "{}", 400, "badBody"),
    ("DELETE", "/v1/viewers/x", nil, 400, "badRequest"),
  ]

  @Test("of a request are problems with a status and a stable code", arguments: refused)
  func problems(
    _ method: String, _ path: String, _ body: String?, _ status: Int, _ code: String
  ) async throws {
    try await withStage { (stage) async throws in
      let answer = try #require(try await stage.ask(method, path, body: body))
      #expect(answer.status == status)
      #expect(answer.code == code)
      #expect(answer.fields["Content-Type"] == "application/problem+json")
      #expect(answer.fields["Content-Length"] == "\(answer.body.count)")
    }
  }

  @Test("say what a path takes instead")
  func allow() async throws {
    try await withStage { (stage) async throws in
      let answer = try #require(try await stage.ask("POST", "/v1/status"))
      #expect(answer.fields["Allow"] == "GET, HEAD")
      let viewer = try #require(try await stage.ask("GET", "/v1/viewers/1/records/2"))
      #expect(viewer.fields["Allow"] == "DELETE, PUT")
    }
  }

  @Test("keep pages of browsers, other types and encoded bodies out")
  func headers() async throws {
    try await withStage { (stage) async throws in
      let limit = "{\"limit\":4}"
      let path = "/v1/settings/per-host"
      let page = try await stage.ask(
        "POST", "/v1/pause", fields: ["Origin: http://localhost:8080"])
      #expect(page?.status == 403)
      #expect(page?.code == "forbidden")
      let coded = try await stage.ask(
        "PUT", path, body: limit, fields: ["Content-Encoding: gzip"])
      #expect(coded?.status == 415)
      for type in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
        let connection = try await RawConnection(stage)
        await connection.send(
          "PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: \(type)\r\nContent-Length: 11\r\n\r\n"
            + limit)
        #expect(await connection.answer()?.code == "unsupportedMediaType")
      }
      let connection = try await RawConnection(stage)
      await connection.send(
        "PUT \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: application/JSON; charset=utf-8\r\n"
          + "Content-Length: 11\r\n\r\n" + limit)
      #expect(await connection.answer()?.status == 204)
      #expect(await stage.library.state.perHost == 4)
    }
  }
}
