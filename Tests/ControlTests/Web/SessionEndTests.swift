import Models
import SystemCalls
import TestSupport
import Testing

@testable import Control

/// The ends of sessions, and guesses of login tokens.
@Suite(.timeLimit(.minutes(60))) struct SessionEndTests {
  private func logIn(_ stage: WebStage, _ link: WebLinkMessage) async throws -> String {
    let answer = try #require(try await attempt(stage, link, String(link.login.suffix(32))))
    #expect(answer.status == 204)
    return "Cookie: \(try #require(answer.fields["Set-Cookie"]).prefix { $0 != ";" })"
  }

  private func attempt(
    _ stage: WebStage, _ link: WebLinkMessage, _ token: String
  ) async throws -> RawConnection.Answer? {
    let host = host(link)
    return try await stage.ask(
      link.port, "POST", "/v1/login", host: host, body: "{\"token\":\"\(token)\"}",
      fields: ["Origin: http://\(host)"])
  }

  private func host(_ link: WebLinkMessage) -> String { String(link.url.dropFirst(7).dropLast()) }

  private func status(
    _ stage: WebStage, _ link: WebLinkMessage, _ cookie: String
  ) async throws -> RawConnection.Answer? {
    try await stage.ask(link.port, "GET", "/v1/status", host: host(link), fields: [cookie])
  }

  private struct Wall: WallClock {
    let seconds: Int64

    func unixSeconds() -> Int64 { seconds }
  }

  @Test("A logout ends its session for every copy and renewal of the cookie, also after a restart")
  func logout() async throws {
    let folder = try TemporaryFolder()
    let (link, ended, other) = try await withWebStage(in: folder, wallClock: Wall(seconds: 1_000)) {
      (stage) async throws in
      let link = try await stage.open()
      let cookie = try await logIn(stage, link)
      return (link, cookie, try await logIn(stage, try await stage.open(port: link.port)))
    }
    let late = 1_000 + WebAccess.sessionSeconds / 2 + 1
    let renewed = try await withWebStage(in: folder, wallClock: Wall(seconds: late)) {
      (stage) async throws in
      let field = try #require(try await status(stage, link, ended)?.fields["Set-Cookie"])
      let renewed = "Cookie: \(field.prefix { $0 != ";" })"
      let answer = try await stage.ask(
        link.port, "POST", "/v1/logout", host: host(link),
        fields: [ended, "Origin: http://\(host(link))"])
      #expect(answer?.status == 204)
      for cookie in [ended, renewed] {
        #expect(try await status(stage, link, cookie)?.status == 401)
      }
      #expect(try await status(stage, link, other)?.status == 200)
      return renewed
    }
    try await withWebStage(in: folder, wallClock: Wall(seconds: late)) { (stage) async throws in
      for cookie in [ended, renewed] {
        #expect(try await status(stage, link, cookie)?.status == 401)
      }
      #expect(try await status(stage, link, other)?.status == 200)
    }
  }

  @Test("Ended sessions are remembered until their tokens expire, up to a limit")
  func memory() {
    var credentials = WebCredentials(random: SystemRandomSource())
    credentials.endSession("a", expiry: 10, now: 0)
    credentials.endSession("b", expiry: 20, now: 9)
    #expect(credentials.ended?.map(\.id) == ["a", "b"])
    credentials.endSession("c", expiry: 30, now: 10)
    #expect(credentials.ended?.map(\.id) == ["b", "c"])
    for number in 0..<WebCredentials.endedLimit + 5 {
      credentials.endSession("\(number)", expiry: 100, now: 10)
    }
    #expect(credentials.ended?.count == WebCredentials.endedLimit)
    credentials.replace(random: SystemRandomSource())
    #expect(credentials.ended == nil)
  }

  @Test("While eight answers to wrong tokens are delayed, no further token is compared")
  func guesses() async throws {
    try await withWebStage { (stage) async throws in
      let link = try await stage.open()
      let wrong = String(repeating: "0", count: 32)
      let answers = try await withThrowingTaskGroup(of: Int?.self) { group in
        for _ in 0..<WebAccess.delayedLimit {
          group.addTask { try await attempt(stage, link, wrong)?.status }
        }
        try await stage.clock.untilSleepers(
          WebAccess.delayedLimit, for: WebAccess.wrongTokenSeconds)
        // Neither another guess nor the right token gets an answer that tells them apart.
        for token in [wrong, String(link.login.suffix(32))] {
          #expect(try await attempt(stage, link, token)?.status == 503)
        }
        stage.clock.advance(by: WebAccess.wrongTokenSeconds)
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers == Array(repeating: 401, count: WebAccess.delayedLimit))
      _ = try await logIn(stage, link)
    }
  }
}
