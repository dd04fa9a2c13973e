import Origin

private let ok = "HTTP/1.1 200 OK\r\n"
private let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
private let ten = ok + "Content-Length: 10\r\n\r\n"

/// H1 to H4: where a body ends, and where it breaks off.
enum BodyFaults {
  static let cases = broken + chunks + sizes + trailers + lengths

  private static let broken: [FaultCase] = [
    FaultCase("H1", "FIN before the status line", "", then: [.close], "connectionLost"),
    FaultCase("H1", "FIN in the status line", "HTTP/1.1 2", then: [.close], "connectionLost"),
    FaultCase("H1", "FIN in the header", ok + "Content-Le", then: [.close], "connectionLost"),
    FaultCase("H1", "FIN before the empty line", ok + "A: b\r\n", then: [.close], "connectionLost"),
    FaultCase("H1", "RST before the status line", "", then: [.reset], "connectionLost"),
    FaultCase("H1", "RST in the header", ok + "Content-Le", then: [.reset], "connectionLost"),
    FaultCase("H1", "FIN after the header", ten, then: [.close], "truncated"),
    FaultCase("H1", "FIN after 1 of 10 bytes", ten + "h", then: [.close], "truncated"),
    FaultCase("H1", "FIN after half of the bytes", ten + "hello", then: [.close], "truncated"),
    FaultCase("H1", "FIN before the last byte", ten + "hello you", then: [.close], "truncated"),
    FaultCase("H1", "FIN without end of TLS in the body", ten + "hello", then: [.cut], "truncated"),
    FaultCase("H1", "RST after the header", ten, then: [.reset], "connectionLost"),
    FaultCase("H1", "RST after half of the bytes", ten + "hello", then: [.reset], "connectionLost"),
    FaultCase(
      "H3", "no length, FIN", ok + "\r\nhello", then: [.close], "200 \"hello\", length unknown"),
    FaultCase(
      "H3", "no length, HTTP/1.0, FIN", "HTTP/1.0 200 OK\r\n\r\nhello", then: [.close],
      "200 \"hello\", length unknown"),
    FaultCase("H3", "no length, RST", ok + "\r\nhello", then: [.reset], "connectionLost"),
    FaultCase(
      "H3", "no length, FIN without end of TLS", ok + "\r\nhello", then: [.cut],
      "200 \"hello\", length unknown", overTLS: "truncated"),
  ]

  private static let chunks: [FaultCase] = [
    FaultCase("H2", "chunks", chunked + "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", "200 \"hello!\""),
    FaultCase("H2", "cut in a size", chunked + "5", then: [.close], "truncated"),
    FaultCase("H2", "cut in a chunk", chunked + "5\r\nhel", then: [.close], "truncated"),
    FaultCase("H2", "cut behind a chunk", chunked + "5\r\nhello", then: [.close], "truncated"),
    FaultCase("H2", "no last chunk", chunked + "5\r\nhello\r\n", then: [.close], "truncated"),
    FaultCase(
      "H2", "cut in the last line", chunked + "5\r\nhello\r\n0\r\n", then: [.close], "truncated"),
    FaultCase("H2", "RST in a chunk", chunked + "5\r\nhel", then: [.reset], "connectionLost"),
    FaultCase(
      "H2", "a chunk longer than its size", chunked + "2\r\nhello\r\n0\r\n\r\n", "protocolViolation"
    ),
    FaultCase(
      "H2", "a chunk that ends in LF", chunked + "5\r\nhello\n0\r\n\r\n", "200 \"hello\""),
    FaultCase(
      "H2", "ten thousand chunks",
      chunked + String(repeating: "1\r\nx\r\n", count: 10_000) + "0\r\n\r\n", "200 10000 bytes"),
    FaultCase(
      "H2", "1 MiB of chunk extension",
      chunked + "5;" + String(repeating: "x", count: 1 << 20) + "\r\nhello\r\n0\r\n\r\n",
      "limitExceeded"),
    FaultCase(
      "H2", "a short chunk extension", chunked + "2;a=\"b\"\r\nhi\r\n0\r\n\r\n", "200 \"hi\""),
  ]

  private static let sizes: [FaultCase] =
    [
      "ffffffffffffffff1", "8000000000000000", "-1", "0x10", "1_0", "", "+2", "2g", "٢", "2 2",
    ].map {
      FaultCase(
        "H2", "chunk size \"\($0)\"", chunked + "\($0)\r\nhi\r\n0\r\n\r\n", "protocolViolation")
    } + [
      FaultCase(
        "H2", "chunk size of 17 digits", chunked + "00000000000000002\r\nhi\r\n0\r\n\r\n",
        "limitExceeded"),
      FaultCase(
        "H2", "chunk size of 16 digits", chunked + "0000000000000002\r\nhi\r\n0\r\n\r\n",
        "200 \"hi\""),
      FaultCase("H2", "blanks behind a size", chunked + "2  \r\nhi\r\n0\r\n\r\n", "200 \"hi\""),
      FaultCase(
        "H2", "a size that ends in LF", chunked + "2\nhi\r\n0\r\n\r\n", "200 \"hi\""),
    ]

  private static let trailers: [FaultCase] = [
    ("a trailer", "X: y\r\n", "200 \"\""),
    ("a folded trailer", "X: y\r\n z\r\n", "200 \"\""),
    ("Content-Length in a trailer", "Content-Length: 9\r\n", "200 \"\""),
    ("NUL in a trailer", "X: a\0b\r\n", "protocolViolation"),
    ("a trailer without a colon", "X\r\n", "protocolViolation"),
    (
      "4 KiB of trailers and more", "X: \(String(repeating: "y", count: 4_096))\r\n",
      "limitExceeded"
    ),
    ("1 MiB of trailers", "X: \(String(repeating: "y", count: 1 << 20))\r\n", "limitExceeded"),
    ("300 trailers", String(repeating: "X: y\r\n", count: 300), "limitExceeded"),
  ].map { FaultCase("H2", $0, chunked + "0\r\n" + $1 + "\r\n", $2) }

  private static let lengths: [FaultCase] =
    [
      ("two equal lengths", "5\r\nContent-Length: 5"), ("a list of equal lengths", "5, 5"),
      ("length with zeros in front", "005"),
    ].map {
      FaultCase("H4", $0, ok + "Content-Length: \($1)\r\n\r\nhello", "200 \"hello\"")
    }
    + [
      ("two different lengths", "5\r\nContent-Length: 6"), ("a list of different lengths", "5, 6"),
      ("length +5", "+5"), ("length -5", "-5"), ("length 5x", "5x"), ("length 0x5", "0x5"),
      ("length 5.0", "5.0"), ("no digit in the length", ""), ("length 2^63", "9223372036854775808"),
      ("length 2^64+5", "18446744073709551621"),
    ].map {
      FaultCase("H4", $0, ok + "Content-Length: \($1)\r\n\r\nhello", "protocolViolation")
    }
    + [
      FaultCase(
        "H4", "length smaller than the body", ok + "Content-Length: 4\r\n\r\nhello", "200 \"hell\""),
      FaultCase("H4", "length larger than the body", ten + "hello", then: [.close], "truncated"),
      FaultCase("H14", "length 0", ok + "Content-Length: 0\r\n\r\n", "200 \"\""),
      FaultCase(
        "H14", "204 with a body", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
        "204 \"\""),
      FaultCase(
        "H14", "304 with a body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello",
        "304 \"\""),
    ]
}
