import HTTP1
import Hashing
import Models
import Testing
import Transport

@testable import Engine

/// The links of the redirects on the way to a response.
@Suite struct ResponseLogTests {
  private static let own = "https://h/a/f"
  private static let digest = SHA256Hasher.hash(of: [1])
  private static let stated = ("Digest", "SHA-256=" + Base64.encode(digest.bytes))
  private static let described = "<m>; rel=describedby; type=\"application/metalink4+xml\""

  /// A response, by default a redirect of the resource's own server.
  struct Answer: Sendable {
    var status = 302
    var url = ResponseLogTests.own
    var fields: [(String, String)]
    var address: String?
    var hasLeftOrigin = false

    func head() throws -> ResponseHead {
      var all = HTTPFields()
      for (name, value) in fields { all.append(name, value) }
      return ResponseHead(
        status: status, url: try HTTPURL(url), fields: all, remoteAddress: address,
        hasLeftOrigin: hasLeftOrigin)
    }
  }

  private static func log(
    _ redirects: [Answer], _ final: Answer? = nil, of location: String = own
  ) throws -> ResponseLog {
    var log = ResponseLog()
    for redirect in redirects {
      log.recordRedirect(try redirect.head(), of: .http(try HTTPURL(location)))
    }
    log.recordHead(try final?.head())
    return log
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let redirects: [Answer]
    var final: Answer?
    var location = ResponseLogTests.own
    var duplicates: [String] = []
    var description: String?
    var testDescription: String { name }
  }

  private static func mirror(_ target: String) -> (String, String) {
    ("Link", "<\(target)>; rel=duplicate")
  }

  @Test(
    "The links of a redirect count if the resource's own server has sent it",
    arguments: [
      Case(name: "none", redirects: []),
      Case(name: "no links", redirects: [Answer(fields: [stated])]),
      Case(
        name: "both kinds",
        redirects: [Answer(fields: [mirror("https://m/f"), ("Link", described), stated])],
        duplicates: ["https://m/f"], description: "https://h/a/m"),
      Case(
        name: "Repr-Digest",
        redirects: [
          Answer(fields: [
            mirror("https://m/f"), ("Repr-Digest", "sha-256=:\(Base64.encode(digest.bytes)):"),
          ])
        ], duplicates: ["https://m/f"]),
      Case(name: "no digest", redirects: [Answer(fields: [mirror("https://m/f")])]),
      Case(
        name: "an entity tag proves nothing",
        redirects: [
          Answer(fields: [("Link", "<https://m/f>; rel=duplicate; pref"), ("ETag", "\"v\"")])
        ]),
      Case(
        name: "a description needs no digest", redirects: [Answer(fields: [("Link", described)])],
        description: "https://h/a/m"),
      Case(
        name: "a target relative to the redirect, not to the resource",
        redirects: [
          Answer(url: "https://h/b/f", fields: [mirror("x"), ("Link", described), stated])
        ],
        duplicates: ["https://h/b/x"], description: "https://h/b/m"),
      Case(
        name: "never from https to http",
        redirects: [
          Answer(fields: [
            mirror("http://m/f"), mirror("https://n/f"), stated,
            ("Link", "<http://h/m>; rel=describedby; type=\"application/metalink4+xml\""),
          ])
        ], duplicates: ["https://n/f"]),
      Case(
        name: "from http to http",
        redirects: [Answer(url: "http://h/f", fields: [mirror("http://m/f"), stated])],
        location: "http://h/f", duplicates: ["http://m/f"]),
      Case(
        name: "another origin",
        redirects: [
          Answer(
            url: "https://o/f", fields: [mirror("https://m/f"), ("Link", described), stated],
            hasLeftOrigin: true)
        ]),
      Case(
        name: "another scheme is another origin",
        redirects: [Answer(url: "http://h/a/f", fields: [mirror("https://m/f"), stated])]),
      Case(
        name: "back at the origin after it was left",
        redirects: [Answer(fields: [mirror("https://m/f"), stated], hasLeftOrigin: true)]),
      Case(
        name: "the last redirect with links",
        redirects: [
          Answer(fields: [mirror("https://m/f"), stated]),
          Answer(url: "https://h/2", fields: [mirror("https://n/f"), stated]),
          Answer(url: "https://h/3", fields: [stated]),
          Answer(
            url: "https://o/4", fields: [mirror("https://o/f"), stated], hasLeftOrigin: true),
        ], duplicates: ["https://n/f"]),
      Case(
        name: "the final response has links of its own",
        redirects: [Answer(fields: [mirror("https://m/f"), ("Link", described), stated])],
        final: Answer(
          status: 200, url: "https://o/f",
          fields: [
            mirror("https://n/f"), ("ETag", "\"v\""), stated,
            ("Link", "<n>; rel=describedby; type=\"application/metalink4+xml\""),
          ], hasLeftOrigin: true),
        duplicates: ["https://n/f"], description: "https://o/n"),
      Case(
        name: "the final response has other links",
        redirects: [Answer(fields: [mirror("https://m/f"), ("Link", described), stated])],
        final: Answer(status: 206, fields: [("Link", "<x>; rel=next")]),
        duplicates: ["https://m/f"], description: "https://h/a/m"),
      Case(
        name: "the final response is an error",
        redirects: [Answer(fields: [mirror("https://m/f"), stated])],
        final: Answer(
          status: 404, url: "https://o/f",
          fields: [mirror("https://n/f"), ("Link", described), stated], hasLeftOrigin: true),
        duplicates: ["https://m/f"]),
    ])
  func links(_ test: Case) throws {
    let log = try Self.log(test.redirects, test.final, of: test.location)
    #expect(log.duplicates.map(\.url.description) == test.duplicates)
    #expect(log.duplicates.allSatisfy { $0.identity == .digest(Self.digest) })
    let description = log.description(ofContentAt: try HTTPURL(test.location))
    #expect(description?.url.description == test.description)
  }

  @Test(
    "A public server can only name public addresses, and so can one of an unknown address",
    arguments: [(nil, true), ("93.184.216.34", true), ("10.0.0.1", false), ("?", true)])
  func addresses(address: String?, isPublicOnly: Bool) throws {
    let answer = Answer(
      fields: [Self.mirror("https://m/f"), ("Link", Self.described), Self.stated],
      address: address)
    let log = try Self.log([answer])
    #expect(log.duplicates.map(\.isPublicOnly) == [isPublicOnly])
    let description = try #require(log.description(ofContentAt: try HTTPURL(Self.own)))
    #expect(description.isPublicOnly == isPublicOnly)
    #expect(description.digest == Self.digest && description.receivesFields)
  }

  @Test("A redirect names at most as many mirrors as a resource may have")
  func limit() throws {
    let links = (0..<99).map { Self.mirror("https://m\($0)/f") }
    let log = try Self.log([Answer(fields: links + [Self.stated])])
    #expect(log.duplicates.count == DuplicateLinks.limit)
  }

  @Test("A list's image service has no redirects of another origin")
  func imageService() throws {
    var log = ResponseLog()
    let redirect = try Answer(fields: [Self.mirror("https://m/f"), Self.stated]).head()
    log.recordRedirect(redirect, of: .imageService(try HTTPURL("https://i/iiif/x")))
    #expect(log.duplicates.isEmpty)
    log.recordRedirect(redirect, of: .file(path: "/f"))
    #expect(log.duplicates.isEmpty)
  }
}
