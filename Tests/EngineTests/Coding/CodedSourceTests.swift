import LibraryAPI
import Models
import Testing
import TestSupport
import Transport
@testable import Engine

/// Sources with content codings, and files with codings that were not requested.
@Suite(.timeLimit(.minutes(60))) struct CodedSourceTests {
  private static let list = Array(#"["/p/1.png", "/p/2.png"]"#.utf8)

  private func coded(_ body: [UInt8], _ coding: String = "gzip") -> FakeAnswer {
    FakeAnswer(body: body).with("Content-Encoding", coding)
  }

  private func failure(_ answer: FakeAnswer) async throws -> LibraryError? {
    let lab = try Lab()
    lab.web.serve(Lab.list, answer)
    let engine = try await lab.started()
    var found: LibraryError?
    let request = try Lab.request(Lab.list)
    do throws(LibraryError) {
      _ = try await engine.add(request)
    } catch {
      found = error
    }
    try await engine.waitUntilIdle()
    #expect(try await lab.records().isEmpty && lab.incomingFiles.isEmpty)
    await engine.stop()
    return found
  }

  private static func body(_ bytes: [UInt8], _ coding: String) -> [UInt8] {
    switch coding {
    case "br": BrotliStream.of(bytes)
    case "zstd": ZstdFrame.of(bytes)
    default: GzipMember.of(bytes)
    }
  }

  @Test(
    "A coded list is read like a plain one",
    arguments: ["gzip", "X-GZip", "br", "zstd"])
  func lists(coding: String) async throws {
    let lab = try Lab()
    lab.web.serve(Lab.list, coded(Self.body(Self.list, coding), coding))
    let result = try await lab.run(Lab.list)
    #expect(result.entryCount == 2)
    #expect(lab.web.requests(for: Lab.list).allSatisfy { $0.acceptEncoding == "zstd, br, gzip" })
    #expect(lab.web.requests(for: Lab.url(1)).allSatisfy { $0.acceptEncoding == "identity" })
  }

  @Test(
    "Coded data that is damaged, truncated, followed by other data or in another coding is an error"
  )
  func bad() async throws {
    let member = GzipMember.of(Self.list)
    for (answer, words) in [
      (coded(Array(member.dropLast(3))), "cut off"), (coded(member + [1]), "follows the end"),
      (coded(GzipMember.of(Self.list, checksum: 1)), "damaged"), (coded(Self.list), "damaged"),
      (coded(member, "br"), "brotli data is damaged"),
      (coded(member, "zstd"), "zstd data is damaged"),
      (coded(member, "deflate"), "encoded with deflate"),
      (coded(member, "gzip, gzip"), "gzip, gzip"), (coded(member, "zstd, br"), "zstd, br"),
      (coded([]), "cut off"), (coded([], "br"), "cut off"), (coded([], "zstd"), "cut off"),
    ] {
      let error = try await failure(answer)
      #expect(error?.code == .source)
      #expect(error?.detail.contains(words) == true, "\(String(describing: error))")
      #expect(error?.detail.contains(Lab.list) == true)
    }
  }

  @Test("A status of failure precedes the coding of its page")
  func status() async throws {
    var answer = coded([1, 2, 3])
    answer.status = 404
    let error = try await failure(answer)
    #expect(error?.detail.contains("404") == true, "\(String(describing: error))")
  }

  @Test("A decompression bomb ends at the limit of decoded bytes, as a source and as a resource")
  func bomb() async throws {
    let count = 64 << 20
    let gzip = GzipMember.wrap(
      Deflate.compress(repeating: 32, count: count), 0, UInt32(truncatingIfNeeded: count))
    let zstd = ZstdFrame.repeating(32, count: count)
    for (url, answer) in [
      (Lab.list, coded(gzip)), (Lab.url(1), coded(gzip)), (Lab.list, coded(zstd, "zstd")),
    ] {
      let lab = try Lab()
      lab.settings.limits.resourceBytes = 1 << 20
      lab.serveList([Lab.url(1)])
      lab.web.serve(url, answer)
      let engine = try await lab.started()
      let request = try Lab.request(Lab.list)
      var reason: String?
      do throws(LibraryError) {
        _ = try await engine.add(request)
        try await engine.waitUntilIdle()
      } catch {
        reason = error.detail
      }
      if reason == nil { reason = try await lab.allResources().first?.reason }
      await engine.stop()
      #expect(
        reason?.contains("larger than limits.resourceBytes (1.0 MB)") == true, "\(reason ?? "")")
      #expect(lab.incomingFiles.isEmpty)
    }
  }

  @Test(
    "An image or a list with a name that is no registered coding is read as it is",
    arguments: ["none", "UTF-8", "binary", "image/png", "aws-chunked", "identity, none", "", ","])
  func unregistered(coding: String) async throws {
    let lab = try Lab()
    lab.web.serve(Lab.list, coded(Self.list, coding))
    for number in 1...2 { lab.web.serve(Lab.url(number), coded(Lab.image(number), coding)) }
    let result = try await lab.run(Lab.list)
    #expect(result.entryCount == 2)
    let resources = try await lab.allResources()
    #expect(resources.count == 2)
    for resource in resources { #expect(resource.file != nil, "\(resource.reason ?? "")") }
  }

  @Test("An image with gzip is decoded, named by a list or added by itself")
  func pictures() async throws {
    for source in [Lab.list, Lab.url(1)] {
      let lab = try Lab()
      lab.serveList([Lab.url(1)])
      lab.web.serve(
        Lab.url(1), coded(GzipMember.of(Lab.image(1))).with("ETag", "\"coded\""))
      try await lab.run(source)
      let file = try #require(try await lab.allResources().first?.file)
      #expect(file.byteCount == Int64(Lab.image(1).count) && file.format == .png)
      try await lab.checkLibrary()
    }
  }

  @Test("Coded bytes are never continued, and never appended to others")
  func ranges() async throws {
    let lab = try Lab()
    let member = GzipMember.of(Lab.image(1))
    lab.web.serve(
      Lab.url(1), FakeAnswer.file(Lab.image(1)).cut(after: 20),
      coded(member).with("ETag", "\"v1\"").withoutRanges(),
      coded(member).with("ETag", "\"v1\"").cut(after: 30),
      coded(member).with("ETag", "\"v1\""))
    lab.serveList([Lab.url(1)])
    try await lab.run()
    #expect(
      lab.web.requests(for: Lab.url(1)).map(\.range) == [nil, "bytes=20-", nil, nil])
    #expect(try await lab.allResources().map(\.state) == [.finished])
    try await lab.checkLibrary()
  }

  @Test("A source that is resumed is requested without codings")
  func resumedSource() async throws {
    let lab = try Lab()
    let list = Array((1...3_000).map { "\(Lab.url($0))\n" }.joined().utf8)
    lab.web.serve(
      Lab.list, FakeAnswer.file(list, type: "text/plain").cut(after: 40_000),
      FakeAnswer.file(list, type: "text/plain"))
    let engine = try await lab.started()
    #expect(try await engine.add(try Lab.request(Lab.list)).entryCount == 3_000)
    await engine.stop()
    #expect(
      lab.web.requests(for: Lab.list).map { [$0.range, $0.acceptEncoding] } == [
        [nil, "zstd, br, gzip"], ["bytes=40000-", "identity"],
      ])
  }

  @Test("A file in another coding is refused; gzip and identity are accepted")
  func files() throws {
    for (coding, isRefused) in [
      ("gzip", false), ("deflate, br", true), ("br", true), ("zstd", true), ("identity", false),
      ("", false),
    ] {
      let head = ResponseHead(
        status: 200, url: try HTTPURL("http://h/x"),
        fields: HTTPFields(["Content-Encoding": coding]))
      let decision = ResumeDecision(head, known: ResumeDecision.PriorBytes())
      guard isRefused else {
        #expect(decision == .restart)
        continue
      }
      guard case .fail(.content(let reason)) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(reason.contains(coding))
    }
  }
}
