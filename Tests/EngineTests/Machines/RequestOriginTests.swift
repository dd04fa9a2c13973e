import LibraryAPI
import Models
import SystemCalls
import Testing
import TestSupport
import Transport
@testable import Engine

/// Where each request of the engine may lead.
@Suite(.timeLimit(.minutes(60))) struct RequestOriginTests {
  @Test("Only a setting allows a redirect from a public to a private address")
  func table() {
    for origin in [
      RequestOrigin.sourceOfUser, .caller, .privateList, .publicPage,
    ] {
      #expect(AddressPolicy(origin, .allow) == .any)
      #expect(AddressPolicy(origin, .auto) != .any)
      #expect(AddressPolicy(origin, .refuse) != .any)
    }
    #expect(AddressPolicy(.publicPage, .auto) == .publicOnly)
    #expect(AddressPolicy(.caller, .refuse) == .publicOnly)
  }

  @Test("Every request of the engine is subject to the address policy, for any origin")
  func everywhere() async throws {
    let lab = try Lab()
    lab.serveImages(1...2)
    lab.serveList([Lab.url(3)], at: "http://192.168.1.9/lazy.txt")
    lab.web.serve(
      "http://192.168.1.9/pages.json",
      FakeAnswer(body: Array(#"{"items":["/p/4.png"],"next":"more.json"}"#.utf8)))
    lab.web.serve("http://192.168.1.9/p/7.png", .file(Lab.image(7)))
    let engine = try await lab.started()
    let record = try await engine.add(Lab.request()).records[0]
    _ = try await engine.add(Lab.request("http://192.168.1.9/p/7.png"))
    _ = try? await engine.add(Lab.request("http://192.168.1.9/pages.json"))
    _ = try await engine.refresh(record)
    _ = try await engine.reload(record)
    let lazy = try await engine.add(
      SourceRequest(location: .url(HTTPURL("http://192.168.1.9/lazy.txt")), isLazy: true))
    await engine.setVisibleRange(0..<1, of: lazy.records[0], for: ViewerID(1))
    _ = try await engine.resource(at: HTTPURL(Lab.url(5)))
    _ = try await engine.resource(at: HTTPURL(Lab.url(5)), .reloaded)
    while !lab.web.requests.contains(where: { $0.url == Lab.url(3) }) {
      let ended = lab.web.activity.value.ended
      try await lab.web.activity.until { $0.ended > ended }
    }
    try await engine.waitUntilIdle()
    await engine.stop()
    let asked = Set(lab.web.requests.map(\.url))
    #expect(asked.isSuperset(of: [1, 2, 3, 5].map { Lab.url($0) }))
    #expect(asked.contains("http://192.168.1.9/more.json"))
    #expect(lab.web.requests.allSatisfy { $0.addresses != .any })
  }
}
