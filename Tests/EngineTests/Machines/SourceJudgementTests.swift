import HTTP1
import Manifests
import Models
import Testing
import Transport

@testable import Engine

/// Which bodies are received as sources, and which are left to the download of a resource.
@Suite struct SourceJudgementTests {
  private static let png: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]
  private static let zip: [UInt8] = [0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0]
  private static let data: [UInt8] = [0, 1, 2, 3, 0xfe, 0xff, 0x80, 0x81]
  private static let link = ("Link", "<http://b/f>; rel=duplicate")

  private func head(_ fields: [(String, String)]) throws -> ResponseHead {
    var all = HTTPFields()
    for (name, value) in [("ETag", "\"1\"")] + fields { all.append(name, value) }
    return ResponseHead(status: 200, url: try HTTPURL("http://a/f"), fields: all)
  }

  private func isResource(
    _ bytes: [UInt8], total: Int64? = 1 << 30, format: ManifestFormat? = nil, segments: Int = 4,
    _ fields: (String, String)...
  ) throws -> Bool {
    var settings = Settings()
    settings.network.segments = segments
    let judgement = SourceJudgement(format: format, settings)
    guard case .isResource = judgement.verdict(try head(fields), bytes, total: total) else {
      return false
    }
    return true
  }

  @Test("Only an error of a bucket is refused as one, with its code")
  func bucketError() throws {
    let judgement = SourceJudgement(format: nil, Settings())
    for (text, code) in [
      (
        "<?xml version='1.0'?>\n<Error><Code>SlowDown</Code><Message>x</Message></Error>",
        "SlowDown"
      ),
      ("\u{feff}<Error xmlns='x'><Message/><Code>A</Code></Error>", "A"), ("<Error/>", nil),
      ("<x><Error><Code>A</Code></Error></x>", nil), ("# <Error><Code>A</Code>", nil),
    ] {
      let verdict = judgement.verdict(try head([]), Array(text.utf8), total: nil)
      var reason = ""
      if case .refused(let words) = verdict { reason = words }
      if let code {
        #expect(reason == "is an error of a bucket, not a list: \"\(code)\"", "\(text)")
      } else {
        #expect(!reason.contains("bucket"), "\(text)")
      }
    }
  }

  @Test("Markup that is not read is refused with the name of its first element")
  func otherMarkup() throws {
    let judgement = SourceJudgement(format: nil, Settings())
    let verdict = judgement.verdict(try head([]), Array("<plist><array/>".utf8), total: nil)
    guard case .refused(let reason) = verdict else {
      Issue.record("\(verdict)")
      return
    }
    #expect(reason.contains("<plist>") && reason.contains("--format resource"))
  }

  @Test("The limit of the recognised or demanded kind is that of the body")
  func limits() throws {
    var settings = Settings()
    settings.limits.manifestBytes = 1_000
    for (text, format, origin) in [
      ("<p><img src=a.png>", nil, "limits.manifestBytes"), ("<rss>", nil, "limits.manifestBytes"),
      ("http://h/1\n", nil, "limits.manifestBytes"), ("x", .html, "limits.manifestBytes"),
      ("x", .sitemap, "limits.manifestBytes"), ("[", .feed, "limits.manifestBytes"),
    ] as [(String, ManifestFormat?, String)] {
      let judgement = SourceJudgement(format: format, settings)
      let verdict = judgement.verdict(try head([]), Array(text.utf8), total: nil)
      guard case .accepted(let limit) = verdict else {
        Issue.record("\(text): \(verdict)")
        return
      }
      #expect(limit.byteCount == 1_000, "\(text)")
      #expect(
        limit.reason?.contains("1000 bytes") == true && limit.reason?.contains(origin) == true)
    }
    let page = SourceJudgement(format: nil, Settings())
      .verdict(try head([]), Array("<html>".utf8), total: nil)
    guard case .accepted(let limit) = page else {
      Issue.record("\(page)")
      return
    }
    #expect(limit.byteCount == 32 << 20 && limit.reason?.contains("no setting") == true)
    // A compressed list has its limit when it is decoded, and a resource that of resources.
    for bytes in [[0x1f, 0x8b, 8, 0], Self.zip] {
      let verdict = SourceJudgement(format: nil, settings).verdict(try head([]), bytes, total: nil)
      guard case .accepted(let limit) = verdict else {
        Issue.record("\(verdict)")
        return
      }
      #expect(limit.byteCount == 4 << 30 && limit.reason == nil)
    }
  }

  @Test("A preview needs no byte of a resource, whatever its length")
  func preview() throws {
    for (format, bytes) in [(nil, Self.png), (.singleResource, Self.zip)]
      as [(ManifestFormat?, [UInt8])]
    {
      let judgement = SourceJudgement(format: format, wantsResource: false, Settings())
      let verdict = judgement.verdict(try head([]), bytes, total: nil)
      guard case .isResource = verdict else {
        Issue.record("\(verdict)")
        return
      }
    }
  }

  @Test("Large files are left to the download over several connections", arguments: [png, data])
  func large(bytes: [UInt8]) throws {
    #expect(try isResource(bytes))
    #expect(try isResource(bytes, total: 16 << 20))
    #expect(try !isResource(bytes, total: (16 << 20) - 1))
    #expect(try !isResource(bytes, total: nil))
    #expect(try !isResource(bytes, segments: 1))
    #expect(try !isResource(bytes, ("Accept-Ranges", "none")))
  }

  @Test("A file of any size with mirrors or a description is left to the download from them")
  func mirrors() throws {
    let digest = ("Digest", "SHA-256=" + String(repeating: "A", count: 43) + "=")
    #expect(try isResource(Self.png, total: 100, segments: 1, Self.link, digest))
    #expect(
      try isResource(
        Self.png, total: 100,
        ("Link", "<http://a/f.meta4>; rel=describedby; type=\"application/metalink4+xml\"")))
    #expect(try !isResource(Self.png, total: 100, ("Link", "<http://b/f>; rel=next")))
  }

  @Test(
    "Lists, pages and archives are received, as they may name others",
    arguments: [
      Array("[\"http://a/1.png\"]".utf8), Array("http://a/1.png\n".utf8), Array("<html>".utf8),
      Array("<?xml version=\"1.0\"?><rss>".utf8), zip,
      [0x1f, 0x8b, 8, 0], [0x28, 0xb5, 0x2f, 0xfd, 4, 0],
    ])
  func sources(bytes: [UInt8]) throws {
    #expect(try !isResource(bytes))
    #expect(try isResource(bytes, format: .singleResource))
  }

  @Test("A demanded format is not checked against the content")
  func demanded() throws {
    #expect(try !isResource(Self.data, format: .json))
  }
}
