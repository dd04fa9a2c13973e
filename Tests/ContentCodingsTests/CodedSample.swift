import ContentCodings
import TestSupport

/// Bodies in each coding.
enum CodedSample {
  /// What `compressed` decodes to.
  static let lines = (0..<200).flatMap { Array("http://a.example/p/\($0).jpg\n".utf8) }

  /// The bytes in a body made by hand, which compresses nothing or little.
  static func of(_ bytes: [UInt8], _ coding: ContentCoding) -> [UInt8] {
    switch coding {
    case .gzip: GzipMember.of(bytes)
    case .br: BrotliStream.of(bytes)
    case .zstd: ZstdFrame.of(bytes)
    }
  }

  /// `lines` as the libraries of the codings compress them: brotli of quality 11, zstd of level 19 with a
  /// checksum.
  static func compressed(_ coding: ContentCoding) -> [UInt8] {
    switch coding {
    case .gzip: GzipMember.of(lines)
    case .br: base64(brotliLines)
    case .zstd: base64(zstdLines)
    }
  }

  /// 64 MiB of zeros in a small body.
  static func bomb(_ coding: ContentCoding) -> [UInt8] {
    let count = 64 << 20
    return switch coding {
    case .gzip:
      GzipMember.wrap(
        Deflate.compress(repeating: 0, count: count), 0, UInt32(truncatingIfNeeded: count))
    case .br: base64(brotliZeros)
    case .zstd: ZstdFrame.repeating(0, count: count)
    }
  }

  private static func base64(_ text: String) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var output: [UInt8] = []
    var bits = 0
    var count = 0
    for byte in text.utf8 {
      guard let digit = alphabet.firstIndex(of: byte) else { continue }
      bits = (bits << 6 | digit) & 0xffff
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> count))
      }
    }
    return output
  }

  private static let brotliLines = """
    G6kUAIzEOCbyKp7UdGwYq7tAbbaCy0sYitqNx7p4qAEGEnHWw8YY392SINprfLbd2+95/ggJRBKZQqWhpRtCfwaMJrPF
    amNL1/gMRpPZYrWxpWt6BqPJbLHa2NI1P4PRZLZYbWzpWp7BaDJbrDa2dK3PYDSZLVYbW7o2z2A0mS1WG1u6ts9gNJkt
    VhtbunbPYDSZLVYb29efNHwgkCg0BouDaxfxEEgUGoPFwbWLfAgkCo3B4uDaRT0EEoXGYHFw7aIfAolCY7A4uHYxD4FE
    oTFYHFy72IdAotAYLA6uXZyHQKLQGCwOrl3ch0Ci0BgsDq5dvIdAotAYLA7uOg==
    """
  private static let zstdLines = """
    KLUv/WSqE00IACZVMBWwaTnAdmWqURIVIqWUKaWU5A0VBQEyACYAIwByl4sXjdzlwkUjd7lo0chdLlg0cpdb0chdDqDg
    cBAQhoOBAOGQMLBAEDBgMAgcFBQMApvJPq/jtlgFxYTEw9FgLCJWNHKXiyoaucsFFY3c5WKKRu5yIUUTIXX6XP77Pb/H
    y+Sx+LZreg5XqVPp67bsGi0Sh8LTLMkxWKMABYeDgCqqKamXq8VaRRURDQmdTCXSKKiGZkbm4+lwNjElJCMiF0uFMgmA
    x6gR4PX2PwPwpTUR/I8QzOEP6P/+73//93//93//97//e448CNsVAKiANgEzBFAQbSBmgKBA1bLjrxW2oq0olhEDsgoL
    Sght
    """
  private static let brotliZeros = """
    y///P/gnAOKxQCD3/o///3/wTwDEYRGA7v0f////4J8AiMMCAN37P/7//8E/ARCHBQC693/8//+DfwIgDgsAdO//+P//
    B/8EQBwWAOje//H//w/+CYA4LADQvf/j//8f/BMAcVgAoHv/Nw==
    """
}
