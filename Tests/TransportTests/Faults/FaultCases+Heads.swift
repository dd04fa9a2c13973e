import Origin

private let ok = "HTTP/1.1 200 OK\r\n"
private let body = "Content-Length: 5\r\n\r\nhello"
private let good = "200 \"hello\""

/// H10 to H13: valid variants of a header, and invalid ones that must not be accepted.
enum HeadFaults {
  static let cases = lines + statusLines + limits + smuggling + codings

  private static let lines: [FaultCase] = [
    ("blanks around a value", ok + "X: \t y \t\r\n" + body, good),
    ("no blank behind the colon", ok + "X:y\r\n" + body, good),
    ("an empty value", ok + "X:\r\n" + body, good),
    ("a folded line", ok + "X: a\r\n b\r\n" + body, good),
    ("a folded length", ok + "Content-Length:\r\n 5\r\n\r\nhello", good),
    ("UTF-8 in a value", ok + "X: \u{e9}\r\n" + body, good),
    ("LF without CR behind a field", ok + "X: y\n" + body, good),
    ("LF without CR at the end", ok + "Content-Length: 5\r\n\nhello", good),
    ("LF without CR everywhere", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", good),
    ("CR in a value", ok + "X: y\rz\r\n" + body, "protocolViolation"),
    ("NUL in a value", ok + "X: y\0z\r\n" + body, "protocolViolation"),
    ("NUL in a name", ok + "X\0Y: z\r\n" + body, "protocolViolation"),
    ("a line of blanks first", ok + " X: y\r\n" + body, "protocolViolation"),
    ("a blank before the colon", ok + "X : y\r\n" + body, good),
    ("a line without a colon", ok + "X\r\n" + body, "protocolViolation"),
    ("a field without a name", ok + ": y\r\n" + body, good),
    ("a name that is not ASCII", ok + "\u{e9}: y\r\n" + body, good),
  ].map { FaultCase("H10", $0, $1, $2) }

  private static let statusLines: [FaultCase] = [
    ("no reason", "HTTP/1.1 200\r\n" + body, good),
    ("no reason behind a blank", "HTTP/1.1 200 \r\n" + body, good),
    ("an ESC in the reason", "HTTP/1.1 200 \u{1b}[31m\r\n" + body, good),
    ("HTTP/1.9", "HTTP/1.9 200 OK\r\n" + body, good),
    ("HTTP/0.9", "<html>hello</html>", "protocolViolation"),
    ("HTTP/2.0", "HTTP/2.0 200 OK\r\n" + body, "protocolViolation"),
    ("HTTP/3", "HTTP/3 200\r\n" + body, "protocolViolation"),
    ("HTTP/1.10", "HTTP/1.10 200 OK\r\n" + body, "protocolViolation"),
    ("http/1.1", "http/1.1 200 OK\r\n" + body, "protocolViolation"),
    ("status 99", "HTTP/1.1 99 X\r\n" + body, "protocolViolation"),
    ("status 1000", "HTTP/1.1 1000 X\r\n" + body, "protocolViolation"),
    ("status 2OO", "HTTP/1.1 2OO OK\r\n" + body, "protocolViolation"),
    ("status -200", "HTTP/1.1 -200 OK\r\n" + body, "protocolViolation"),
    ("two blanks before the status", "HTTP/1.1  200 OK\r\n" + body, "protocolViolation"),
    ("an empty line first", "\r\n" + ok + body, "protocolViolation"),
    ("SSH", "SSH-2.0-OpenSSH_9.2\r\n", "protocolViolation"),
    (
      "101 that nobody asked for",
      "HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", "protocolViolation"
    ),
    (
      "two interim responses", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\n\r\n" + ok + body,
      good
    ),
    (
      "a hundred interim responses",
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100) + ok + body, "limitExceeded"
    ),
  ].map { FaultCase("H10", $0, $1, $2) }

  /// A header of so many bytes, in lines of 16 KiB.
  private static func head(of size: Int) -> String {
    let line = "X: " + String(repeating: "y", count: 16_379) + "\r\n"
    let end = "\r\nContent-Length: 5\r\n\r\n"
    let count = (size - ok.utf8.count - end.utf8.count - 3) / line.utf8.count
    let start = ok + String(repeating: line, count: count) + "X: "
    return start + String(repeating: "y", count: size - start.utf8.count - end.utf8.count) + end
  }

  private static let limits: [FaultCase] = [
    ("a header of 256 KiB", head(of: 262_144) + "hello", good),
    ("a header of 256 KiB and a byte", head(of: 262_145) + "hello", "limitExceeded"),
    (
      "a header line without end", ok + "X: " + String(repeating: "y", count: 350_000),
      "limitExceeded"
    ),
    ("256 fields", ok + String(repeating: "X: y\r\n", count: 255) + body, good),
    ("257 fields", ok + String(repeating: "X: y\r\n", count: 256) + body, "limitExceeded"),
    (
      "ten thousand fields", ok + String(repeating: "X: y\r\n", count: 10_000) + body,
      "limitExceeded"
    ),
    (
      "a status line without end", "HTTP/1.1 200 " + String(repeating: "y", count: 350_000),
      "limitExceeded"
    ),
  ].map { FaultCase("H10", $0, $1, $2) }

  private static let last = "\r\n\r\n5\r\nhello\r\n0\r\n\r\n"

  private static let smuggling: [FaultCase] =
    [
      ("chunked and a length", "Transfer-Encoding: chunked\r\nContent-Length: 20"),
      ("a length and chunked", "Content-Length: 20\r\nTransfer-Encoding: chunked"),
      ("chunked, identity", "Transfer-Encoding: chunked, identity"),
      ("identity, chunked", "Transfer-Encoding: identity, chunked"),
      ("chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
      ("chunked, chunked", "Transfer-Encoding: chunked, chunked"),
    ].map { FaultCase("H11", $0, ok + $1 + last, good) }
    + [
      ("gzip, chunked", "Transfer-Encoding: gzip, chunked"),
      ("xchunked", "Transfer-Encoding: xchunked"),
      ("chunked behind a vertical tab", "Transfer-Encoding: \u{b}chunked"),
    ].map { FaultCase("H11", $0, ok + $1 + last, "protocolViolation") }
    + [
      FaultCase(
        "H11", "chunked in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked" + last, good),
      FaultCase(
        "H11", "an empty transfer coding", ok + "Transfer-Encoding:\r\n" + body, good),
      FaultCase("H11", "bytes behind the response", ok + body + "surplus", good),
      FaultCase(
        "H11", "two responses at once", ok + body + ok + "Content-Length: 4\r\n\r\nevil", good),
      FaultCase(
        "H11", "a response behind the last chunk",
        ok + "Transfer-Encoding: chunked" + last + ok + "Content-Length: 4\r\n\r\nevil", good),
    ]

  private static let codings: [FaultCase] = [
    ("H12", "gzip, though identity was asked for", "Content-Encoding: gzip\r\n"),
    ("H12", "a coding that nobody knows", "Content-Encoding: x-no-such\r\n"),
    (
      "H13", "a name that leads elsewhere",
      "Content-Disposition: attachment; filename=\"../../x\"\r\n"
    ),
    ("H13", "a type that lies", "Content-Type: image/png\r\n"),
  ].map { FaultCase($0, $1, ok + $2 + body, good) }
}
