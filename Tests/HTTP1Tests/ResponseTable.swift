import HTTP1
import Testing

/// One response and what a client has to make of it.
struct ResponseCase: Sendable, CustomTestStringConvertible {
  enum Expected: Sendable, Equatable {
    case body(String, reuse: Bool)
    case failure(HTTPParseError.Code)
  }

  let title: String
  let text: String
  let expected: Expected
  var isResponseToHEAD = false

  var testDescription: String { title }
}

private func good(
  _ title: String, _ text: String, body: String = "", reuse: Bool = true, head: Bool = false
) -> ResponseCase {
  ResponseCase(
    title: title, text: text, expected: .body(body, reuse: reuse), isResponseToHEAD: head)
}

private func bad(_ title: String, _ text: String, _ code: HTTPParseError.Code) -> ResponseCase {
  ResponseCase(title: title, text: text, expected: .failure(code))
}

private let ok = "HTTP/1.1 200 OK\r\n"
private let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
private let interim = "HTTP/1.1 100 Continue\r\n\r\n"

let framingCases: [ResponseCase] = [
  good("Content-Length", ok + "Content-Length: 5\r\n\r\nhello", body: "hello"),
  good("no space after the colon", ok + "Content-Length:5\r\n\r\nhello", body: "hello"),
  good("blanks around a value", ok + "Content-Length: \t 5 \t\r\n\r\nhello", body: "hello"),
  good("names in any case", ok + "cOnTeNt-LeNgTh: 5\r\n\r\nhello", body: "hello"),
  good("length 0", ok + "Content-Length: 0\r\n\r\n"),
  good(
    "two equal lengths", ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", body: "hello"),
  good("a list of equal lengths", ok + "Content-Length: 5, 5\r\n\r\nhello", body: "hello"),
  bad(
    "two different lengths", ok + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    .contentLength),
  bad("a list of different lengths", ok + "Content-Length: 5, 6\r\n\r\nhello", .contentLength),
  bad("length +5", ok + "Content-Length: +5\r\n\r\nhello", .contentLength),
  bad("length -5", ok + "Content-Length: -5\r\n\r\nhello", .contentLength),
  bad("length 5x", ok + "Content-Length: 5x\r\n\r\nhello", .contentLength),
  bad("length 0x5", ok + "Content-Length: 0x5\r\n\r\nhello", .contentLength),
  bad("empty length", ok + "Content-Length:\r\n\r\nhello", .contentLength),
  bad("length list with a hole", ok + "Content-Length: 5,\r\n\r\nhello", .contentLength),
  bad("length 2^63", ok + "Content-Length: 9223372036854775808\r\n\r\n", .contentLength),
  bad("length 2^64+5", ok + "Content-Length: 18446744073709551621\r\n\r\nhello", .contentLength),
  bad("fewer bytes than the length", ok + "Content-Length: 6\r\n\r\nhello", .truncated),
  good("until close", ok + "\r\nhello", body: "hello", reuse: false),
  good(
    "until close, HTTP/1.0", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nhello",
    body: "hello", reuse: false),
  good(
    "HTTP/1.0 closes", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", body: "hello",
    reuse: false),
  good(
    "HTTP/1.0 with keep-alive",
    "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 5\r\n\r\nhello", body: "hello"),
  good("close in a list", ok + "Connection: TE, Close\r\nContent-Length: 0\r\n\r\n", reuse: false),
  good("HEAD", ok + "Content-Length: 5\r\n\r\n", head: true),
  good("HEAD with chunked", chunked, head: true),
  good("204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n"),
  good("304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n"),
  good("interim responses", interim + interim + ok + "Content-Length: 2\r\n\r\nhi", body: "hi"),
  good(
    "103 with a length",
    "HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nhi",
    body: "hi"),
  good(
    "16 interim responses", String(repeating: interim, count: 16) + ok + "Content-Length: 0\r\n\r\n"
  ),
  bad("17 interim responses", String(repeating: interim, count: 17), .tooManyInformational),
  bad("101", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", .unexpectedUpgrade),
  good(
    "chunked and length",
    ok + "Transfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n2\r\nhi\r\n0\r\n\r\n", body: "hi",
    reuse: false),
  good(
    "length and chunked",
    ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", body: "hi",
    reuse: false),
  good(
    "an invalid length and chunked",
    ok + "Content-Length: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", reuse: false),
  good(
    "chunked in HTTP/1.0",
    "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    reuse: false),
  good(
    "chunked twice",
    ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    body: "hi", reuse: false),
  good(
    "chunked, identity", ok + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    reuse: false),
  good(
    "identity with a length", ok + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nhi",
    body: "hi", reuse: false),
  bad("gzip, chunked", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n", .transferEncoding),
  bad(
    "a mark before chunked", ok + "Transfer-Encoding: , \u{301}chunked\r\n\r\n0\r\n\r\n",
    .transferEncoding),
  bad("xchunked", ok + "Transfer-Encoding: xchunked\r\n\r\n", .transferEncoding),
  good(
    "empty transfer coding", ok + "Transfer-Encoding:\r\nContent-Length: 2\r\n\r\nhi", body: "hi",
    reuse: false),
]

let chunkCases: [ResponseCase] = [
  good("chunks", chunked + "5\r\nhello\r\n1\r\n!\r\n0\r\n\r\n", body: "hello!"),
  good("no chunk but the last", chunked + "0\r\n\r\n"),
  good(
    "upper and lower case sizes", chunked + "A\r\n0123456789\r\na\r\n0123456789\r\n000\r\n\r\n",
    body: "01234567890123456789"),
  good("chunk extensions", chunked + "2;a=b;c=\"d;\"\r\nhi\r\n0;x\r\n\r\n", body: "hi"),
  good("blanks behind the size", chunked + "2  \r\nhi\r\n0 ;x\r\n\r\n", body: "hi"),
  good(
    "trailers are dropped", chunked + "2\r\nhi\r\n0\r\nX: y\r\n  more\r\nContent-Length: 9\r\n\r\n",
    body: "hi"),
  good("16 digits", chunked + "0000000000000002\r\nhi\r\n0\r\n\r\n", body: "hi"),
  bad("17 digits", chunked + "00000000000000002\r\nhi\r\n0\r\n\r\n", .chunkSizeTooLong),
  bad("size 2^63", chunked + "8000000000000000\r\nhi", .chunk),
  bad("size ffffffffffffffff1", chunked + "ffffffffffffffff1\r\nhi", .chunk),
  bad("size -1", chunked + "-1\r\nhi\r\n0\r\n\r\n", .chunk),
  bad("size 0x2", chunked + "0x2\r\nhi\r\n0\r\n\r\n", .chunk),
  bad("size 1_0", chunked + "1_0\r\n0123456789abcdef\r\n0\r\n\r\n", .chunk),
  bad("empty size", chunked + "\r\nhi\r\n0\r\n\r\n", .chunk),
  bad("blank before the size", chunked + " 2\r\nhi\r\n0\r\n\r\n", .chunk),
  bad("text behind blanks", chunked + "2 2\r\nhi\r\n0\r\n\r\n", .chunk),
  good("size line ends in LF", chunked + "2\nhi\r\n0\r\n\r\n", body: "hi", reuse: false),
  good("all lines end in LF", chunked + "2\nhi\n0 \nX: y\n\n", body: "hi", reuse: false),
  good("last line ends in LF", chunked + "2\r\nhi\r\n0\r\n\n", body: "hi", reuse: false),
  bad("size line ends in CR", chunked + "2\rhi\r\n0\r\n\r\n", .chunk),
  good("LF after an extension", chunked + "2;a\nhi\r\n0\r\n\r\n", body: "hi", reuse: false),
  bad("NUL in an extension", chunked + "2;a\0\r\nhi\r\n0\r\n\r\n", .chunk),
  bad("data longer than the size", chunked + "2\r\nhix\r\n0\r\n\r\n", .chunk),
  good("data ends in LF", chunked + "2\r\nhi\n0\r\n\r\n", body: "hi", reuse: false),
  bad("data ends in CR", chunked + "2\r\nhi\r0\r\n\r\n", .chunk),
  bad("cut in the size", chunked + "2", .truncated),
  bad("cut in the data", chunked + "2\r\nh", .truncated),
  bad("cut behind the data", chunked + "2\r\nhi\r\n", .truncated),
  bad("no last chunk", chunked + "2\r\nhi\r\n", .truncated),
  bad("cut before the last CRLF", chunked + "2\r\nhi\r\n0\r\n", .truncated),
  bad("cut in the last CRLF", chunked + "2\r\nhi\r\n0\r\n\r", .truncated),
  bad("NUL in a trailer", chunked + "0\r\nX: a\0b\r\n\r\n", .lineEnd),
  bad("trailer without a colon", chunked + "0\r\nX\r\n\r\n", .fieldName),
  bad(
    "long trailers", chunked + "0\r\nX: " + String(repeating: "y", count: 4_090) + "\r\n\r\n",
    .trailerTooLarge),
  bad(
    "long extensions", chunked + "0;" + String(repeating: "y", count: 16_384) + "\r\n\r\n",
    .chunkExtensionTooLarge),
]

let headCases: [ResponseCase] = [
  good("no reason", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n"),
  good("no space after the status", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n"),
  good("obs-text in the reason", "HTTP/1.1 200 \u{e9}t\u{e9}\r\nContent-Length: 0\r\n\r\n"),
  good("HTTP/1.9", "HTTP/1.9 200 OK\r\nContent-Length: 0\r\n\r\n"),
  good("status 999", "HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n"),
  good("empty value", ok + "X:\r\nContent-Length: 0\r\n\r\n"),
  good("folded length", ok + "Content-Length:\r\n 2\r\n\r\nhi", body: "hi"),
  bad("another protocol", "SSH-2.0-OpenSSH_9.2\r\n", .notHTTP),
  bad("HTTP/0.9", "<html>", .notHTTP),
  bad("lower case", "http/1.1 200 OK\r\n\r\n", .notHTTP),
  bad("empty line first", "\r\n" + ok + "\r\n", .notHTTP),
  bad("HTTP/2.0", "HTTP/2.0 200 OK\r\n\r\n", .version),
  bad("HTTP/1", "HTTP/1 200 OK\r\n\r\n", .version),
  bad("HTTP/1.10", "HTTP/1.10 200 OK\r\n\r\n", .status),
  bad("status 99", "HTTP/1.1 99 Low\r\n\r\n", .status),
  bad("status 099", "HTTP/1.1 099 Low\r\n\r\n", .status),
  bad("status 1000", "HTTP/1.1 1000 High\r\n\r\n", .status),
  bad("status 2OO", "HTTP/1.1 2OO OK\r\n\r\n", .status),
  bad("no status", "HTTP/1.1\r\n\r\n", .status),
  bad("two spaces", "HTTP/1.1  200 OK\r\n\r\n", .status),
  good(
    "bare LF after the status line", "HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nhi", body: "hi",
    reuse: false),
  good("bare LF after a field", ok + "Content-Length: 2\n\r\nhi", body: "hi", reuse: false),
  good("bare LF at the end", ok + "Content-Length: 2\r\n\nhi", body: "hi", reuse: false),
  good(
    "bare LF in an interim response",
    "HTTP/1.1 100 Continue\n\n" + ok + "Content-Length: 0\r\n\r\n",
    reuse: false),
  bad("bare CR in a value", ok + "X: y\rz\r\n\r\n", .lineEnd),
  bad("NUL in a value", ok + "X: y\0z\r\n\r\n", .lineEnd),
  bad("NUL in a name", ok + "X\0Y: z\r\n\r\n", .lineEnd),
  good(
    "space before the colon", ok + "Content-Length \t: 2\r\n\r\nhi", body: "hi", reuse: false),
  good(
    "a dropped name with a folded line",
    ok + "Content-Length: 2\r\nX(a): 3\r\n 4\r\n\r\nhi", body: "hi", reuse: false),
  bad("no colon", ok + "X\r\n\r\n", .fieldName),
  good("no name", ok + ": y\r\nContent-Length: 0\r\n\r\n", reuse: false),
  good("non-ASCII name", ok + "\u{e9}: y\r\nContent-Length: 0\r\n\r\n", reuse: false),
  good(
    "a name before a blank and text", ok + "Content-Length x: 9\r\nContent-Length: 2\r\n\r\nhi",
    body: "hi", reuse: false),
  bad(
    "257 fields without a name", ok + String(repeating: ": y\r\n", count: 257) + "\r\n",
    .tooManyFields),
  bad("white space after the status line", ok + " X: y\r\n\r\n", .fold),
  bad("closed before anything", "", .truncated),
  bad("closed in the status line", "HTTP/1.1 20", .truncated),
  bad("closed in a field", ok + "X: y", .truncated),
  bad("closed before the empty line", ok + "X: y\r\n", .truncated),
  bad("257 fields", ok + String(repeating: "X: y\r\n", count: 257) + "\r\n", .tooManyFields),
  good(
    "256 fields", ok + "Content-Length: 0\r\n" + String(repeating: "X: y\r\n", count: 255) + "\r\n"),
]

let allCases = framingCases + chunkCases + headCases
