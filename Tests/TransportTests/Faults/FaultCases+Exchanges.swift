import HTTP1
import Models
import Origin
import Transport
import TransportContracts

private let ok = "HTTP/1.1 200 OK\r\n"
private let body = "Content-Length: 5\r\n\r\nhello"

/// H5 to H9: ranges, refusals, slowness and redirects. What ranges and refusals mean is decided above
/// the transport: it has to hand them over as they are.
enum ExchangeFaults {
  static let cases = ranges + refusals + slowness + redirects + unusable

  private static let ranges: [FaultCase] = [
    ("206 as it should be", "206 X\r\nContent-Range: bytes 2-6/7\r\nETag: \"v1\"", "206"),
    ("206 of another place", "206 X\r\nContent-Range: bytes 3-7/8", "206"),
    ("206 without Content-Range", "206 X", "206"),
    ("206 of an unknown unit", "206 X\r\nContent-Range: lines 2-6/7", "206"),
    ("206 of several parts", "206 X\r\nContent-Type: multipart/byteranges; boundary=x", "206"),
    ("200 in place of 206", "200 OK", "200"),
    ("416 with the size", "416 X\r\nContent-Range: bytes */7", "416"),
    ("412", "412 X", "412"),
  ].map {
    FaultCase("H5", $0, "HTTP/1.1 \($1)\r\n" + body, "\($2) \"hello\"")
  }

  private static let refusals: [FaultCase] =
    [403, 404, 408, 410, 425, 429, 451, 500, 502, 503, 504, 599, 999].map {
      FaultCase(
        "H7", "status \($0)", "HTTP/1.1 \($0) X\r\nRetry-After: 2\r\n" + body, "\($0) \"hello\"")
    } + [
      FaultCase(
        "H7", "401 with a challenge",
        "HTTP/1.1 401 X\r\nWWW-Authenticate: Basic realm=\"x\"\r\n" + body, "401 \"hello\""),
      FaultCase(
        "H7", "300 with a Location", "HTTP/1.1 300 X\r\nLocation: /next\r\n" + body, "300 \"hello\""
      ),
    ]

  private static let slowness: [FaultCase] = [
    FaultCase("H8", "nothing is said", "idleTimeout", limits: .impatient) { _ in [.hold(nil)] },
    FaultCase("H8", "silence in the header", "idleTimeout", limits: .impatient) { _ in
      [.sendString(ok + "X: "), .hold(nil)]
    },
    FaultCase("H8", "silence in the body", "idleTimeout", limits: .impatient) { _ in
      [.sendString(ok + "Content-Length: 10\r\n\r\nhello"), .hold(nil)]
    },
    FaultCase(
      "H8", "a body that drips", "totalTimeout", limits: .faults.with { $0.totalTimeout = 1 }
    ) { _ in
      [
        .sendString(ok + "Content-Length: 100000\r\n\r\n"),
        .sendSlowly([UInt8](repeating: 0x78, count: 100_000), chunk: 1),
      ]
    },
    FaultCase(
      "H8", "a header that drips", "totalTimeout", limits: .faults.with { $0.totalTimeout = 1 }
    ) { _ in
      [.sendString(ok), .sendSlowly([UInt8](repeating: 0x78, count: 60_000), chunk: 1)]
    },
  ]

  /// A redirect to a place that this server knows: `/next` has the good answer.
  private static func redirect(
    _ name: String, _ location: String, status: Int = 302,
    _ expected: String = "200 \"next\", 1 redirects",
    body: String = "moved"
  ) -> FaultCase {
    FaultCase("H9", name, expected) { request in
      let host = request.head?.fields["Host"] ?? ""
      let place = location.replacing("HOST", with: host)
      return .redirect(status, to: place, body: body)
    }
  }

  private static let redirects: [FaultCase] =
    [301, 302, 303, 307, 308].map { redirect("redirect \($0)", "/next", status: $0) } + [
      redirect("relative", "next"), redirect("relative upwards", "a/../../next"),
      redirect("to a host without a scheme", "//HOST/next"),
      redirect("with a fragment", "/next#part"),
      redirect("with a large body", "/next", body: String(repeating: "x", count: 200_000)),
      redirect("with blanks around it", "  /next  "),
      FaultCase(
        "H9", "with an endless body", "200 \"next\", 1 redirects",
        limits: .faults.with { $0.idleTimeout = 2 }
      ) { _ in
        [
          .sendString("HTTP/1.1 302 X\r\nLocation: /next\r\nContent-Length: 1073741824\r\n\r\nx"),
          .hold(nil),
        ]
      },
      FaultCase("H9", "two equal Locations", "200 \"next\", 1 redirects") { _ in
        [
          .sendString(
            "HTTP/1.1 302 X\r\nLocation: /next\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
        ]
      },
      FaultCase("H9", "ten in a row", "200 \"next\", 10 redirects") { chain($0, 10) },
      FaultCase("H9", "eleven in a row", "tooManyRedirects") { chain($0, 11) },
      redirect("to itself", "/fault", "tooManyRedirects"),
      FaultCase("H9", "back and forth", "tooManyRedirects") { request in
        .redirect(to: request.head?.target == "/fault" ? "/other" : "/fault")
      },
      redirect("to 8 KiB of path", "/next?" + String(repeating: "x", count: 8_192)),
      redirect("to a path that is no UTF-8 after decoding", "/next?%ff"),
      redirect("to a path with a bad escape", "/next?%zz%"),
    ]

  private static func chain(_ request: ReceivedRequest, _ count: Int) -> [ScriptedServer.Action] {
    let number = (request.head?.target).flatMap { Int($0.dropFirst("/fault/".count)) } ?? 0
    return .redirect(to: number + 1 < count ? "/fault/\(number + 1)" : "/next")
  }

  private static let unusable: [FaultCase] =
    [
      "///", "file:///etc/passwd", "ftp://127.0.0.1/", "data:,x", "javascript:x",
      "http://user:secret@127.0.0.1/", "http://", "http://[::1", "http:next", "http://a b/",
      "http://127.0.0.1:99999/", "http:\\\\127.0.0.1\\", "/a\tb", "//",
    ].map { redirect("to \"\($0.replacing("\t", with: "<tab>"))\"", $0, "badRedirect") } + [
      FaultCase("H9", "no Location", "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n", "badRedirect"),
      FaultCase(
        "H9", "two different Locations",
        "HTTP/1.1 302 X\r\nLocation: /next\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
        "badRedirect"),
    ]
}
