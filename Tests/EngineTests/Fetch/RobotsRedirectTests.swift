import Foundation
import LibraryAPI
import Models
import Synchronization
import SystemCalls
import TestSupport
import Testing
import Threading
import Transport

@testable import Engine

/// Redirects of robots.txt (RFC 9309 §2.3.1.2).
@Suite(.timeLimit(.minutes(60))) struct RobotsRedirectTests {
  private static let file = "http://h/robots.txt"
  private static let rules = FakeAnswer(body: Array("User-agent: *\nDisallow: /a".utf8))

  private func isAllowed(_ url: String, _ web: RedirectingWeb) async throws -> Bool {
    let policy = RobotsPolicy(
      Download.Context(
        layout: LibraryLayout(root: "/nowhere"), settings: Settings(), transport: web,
        files: BlockingQueue("robots"), bootID: ""),
      clock: ManualClock(turnsByItself: true))
    return try await policy.isAllowed(try HTTPURL(url), namedBy: .publicPage)
  }

  @Test(
    "Five redirects are followed, also to other sites, and the rules are those of the first site")
  func five() async throws {
    let web = RedirectingWeb([Self.file: "http://i/1"])
    for number in 1...4 { web.locations["http://i/\(number)"] = "/\(number + 1)" }
    web.pages.serve("http://i/5", Self.rules)
    #expect(try await !isAllowed("http://h/a", web))
    #expect(try await isAllowed("http://h/b", web))
    // A file behind more redirects counts as one that does not exist.
    web.locations["http://i/5"] = "/6"
    web.pages.serve("http://i/6", Self.rules)
    #expect(try await isAllowed("http://h/a", web))
    #expect(web.pages.requests(for: "http://i/6").isEmpty)
  }

  @Test(
    "Redirects in a loop are a file that does not exist, and so is a redirect that is no URL of the web"
  )
  func nowhere() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/robots.txt"
    try Data("User-agent: *\nDisallow: /".utf8).write(to: URL(fileURLWithPath: path))
    for location in [
      Self.file, "/other", "file://\(path)", "file:\(path)",
      "data:text/plain,User-agent:%20*%0ADisallow:%20/", "ftp://h/robots.txt",
    ] {
      let web = RedirectingWeb([Self.file: location, "http://h/other": Self.file])
      #expect(try await isAllowed("http://h/a", web), "\(location)")
      #expect(web.pages.requests.isEmpty, "\(location)")
    }
  }
}

/// A web with redirects, which are followed as all transports follow them.
private final class RedirectingWeb: Transport {
  let pages = FakeTransport()
  private let state: Mutex<[String: String]>

  init(_ locations: [String: String]) { state = Mutex(locations) }

  /// The URLs that are redirected, and where to.
  var locations: [String: String] {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  @concurrent
  func perform(
    _ request: TransportRequest, into sink: any BodySink
  ) async throws(TransportError) -> TransportResponse {
    var policy = RedirectPolicy(request)
    while let location = locations[policy.url.description] {
      _ = try policy.handle(status: 302, fields: HTTPFields(["Location": location]))
    }
    var last = request
    last.url = policy.url
    return try await pages.perform(last, into: sink)
  }

  func shutdown() async { await pages.shutdown() }
}
