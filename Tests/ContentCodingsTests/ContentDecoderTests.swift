import ContentCodings
import TestSupport
import Testing

/// The rules that every decoder keeps.
@Suite("Decoders of content codings")
struct ContentDecoderTests {
  @Test("A body is decoded alike in pieces of any size", arguments: ContentCoding.allCases)
  func pieces(coding: ContentCoding) {
    let long = [UInt8](repeating: 7, count: 300_000) + CodedSample.lines
    for size in [1, 2, 3, 7, 1_000, .max] {
      #expect(
        decode(CodedSample.compressed(coding), coding, size: size) == .success(CodedSample.lines))
      #expect(decode(CodedSample.of(long, coding), coding, size: size) == .success(long))
      #expect(decode(CodedSample.of([], coding), coding, size: size) == .success([]))
    }
  }

  @Test("A body is decoded alike when it is cut in two anywhere", arguments: ContentCoding.allCases)
  func cuts(coding: ContentCoding) {
    for body in [CodedSample.compressed(coding), CodedSample.of(CodedSample.lines, coding)] {
      for cut in 0...body.count {
        #expect(decode([body[..<cut], body[cut...]], coding) == .success(CodedSample.lines))
      }
    }
  }

  @Test("A body that ends early is cut off, wherever that is", arguments: ContentCoding.allCases)
  func truncation(coding: ContentCoding) {
    for body in [CodedSample.compressed(coding), CodedSample.of(CodedSample.lines, coding)] {
      for count in 0..<body.count {
        #expect(decode(Array(body[..<count]), coding) == .failure(.truncated))
      }
    }
  }

  @Test("Data after the end is an error", arguments: ContentCoding.allCases)
  func trailing(coding: ContentCoding) {
    for body in [CodedSample.compressed(coding), CodedSample.of(CodedSample.lines, coding)] {
      for size in [1, 100, .max] {
        for surplus in [[0], [0, 0, 0, 0, 0, 0, 0, 0], Array("surplus".utf8)] as [[UInt8]] {
          #expect(decode(body + surplus, coding, size: size) == .failure(.trailingData))
        }
      }
    }
  }

  @Test("A body of another coding, or of none, is damaged", arguments: ContentCoding.allCases)
  func others(coding: ContentCoding) {
    let bodies =
      ContentCoding.allCases.filter { $0 != coding }.map { CodedSample.compressed($0) }
      + [CodedSample.lines]
    for body in bodies {
      switch decode(body, coding) {
      case .failure: break
      case .success(let output): Issue.record("decoded to \(output.count) bytes")
      }
    }
  }

  @Test(
    "A decoder of a bomb stops when its output is large enough", arguments: ContentCoding.allCases)
  func bomb(coding: ContentCoding) throws {
    let bomb = CodedSample.bomb(coding)
    #expect(bomb.count < 500_000)
    for size in [100, .max] {
      let output = try #require(decode(bomb, coding, size: size, limit: 1 << 20).bytes)
      #expect(output.count > 1 << 20 && output.count <= (1 << 20) + 65_536)
    }
  }

  @Test("Bodies damaged at random end with a result or an error", arguments: ContentCoding.allCases)
  func damage(coding: ContentCoding) {
    var generator = SeededGenerator(seed: 11)
    let body = CodedSample.compressed(coding)
    for _ in 0..<300 {
      var damaged = body
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damaged[Int.random(in: 0..<body.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      let whole = decode(damaged, coding, limit: 1 << 20)
      let pieces = decode(damaged, coding, size: 1, limit: 1 << 20)
      #expect(whole.bytes == pieces.bytes)
    }
  }

  @Test("A failure names the coding and the cause")
  func sentences() {
    let decoder = ContentCoding.br.makeDecoder()
    do throws(DecodingFailure) {
      try decoder.finish()
    } catch {
      #expect("\(error)" == "the brotli data is cut off")
    }
  }

  @Test("A coding has its registered names and no others")
  func names() {
    #expect(ContentCoding(name: "gzip") == .gzip && ContentCoding(name: "x-gzip") == .gzip)
    #expect(ContentCoding(name: "br") == .br && ContentCoding(name: "zstd") == .zstd)
    for other in ["", "deflate", "brotli", "compress", "identity", "gzip "] {
      #expect(ContentCoding(name: other) == nil)
    }
    #expect(ContentCoding.acceptEncoding == "zstd, br, gzip")
  }
}
