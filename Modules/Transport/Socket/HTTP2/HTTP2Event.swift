import Models

/// An event of an HTTP/2 session, caused by a frame of the server or by a frame that the client has
/// sent, such as RST_STREAM.
enum HTTP2Event: Equatable {
  /// The final head of a stream's response; interim (1xx) heads are skipped.
  case head(stream: Int32, status: Int, HTTPFields)
  /// Body bytes of the stream, as offsets in the bytes passed to `HTTP2Session.receive`.
  case data(stream: Int32, Range<Int>)
  /// The response is complete.
  case end(stream: Int32)
  /// The stream is closed, which is a failure only if `end` has not preceded.
  case closed(stream: Int32, HTTP2Closing)
  /// The server allows this number of open streams.
  case capacity(Int)
  /// The server accepts no more streams on this connection (GOAWAY).
  case goingAway
}

/// The reason why a stream has ended.
enum HTTP2Closing: Equatable {
  /// Both sides have ended the stream.
  case ended
  /// The server did not process the request, which may be sent again unchanged (RFC 9113 §8.7).
  case unprocessed(HTTP2Refusal)
  /// The server requires HTTP/1.1 for the request (RFC 9113 §7, `HTTP_1_1_REQUIRED`).
  case wantsHTTP1
  /// The server reset the stream; the text is the name of its error code.
  case reset(String)
  /// The server violated HTTP/2 or exceeded a limit, described by the text, and the session reset
  /// the stream.
  case violation(String, isLimit: Bool)

  /// Whether the server has reset the stream for another reason than its load, so that it may be unable to serve
  /// HTTP/2.
  var isUnexplained: Bool {
    if case .reset(let name) = self { name != "ENHANCE_YOUR_CALM" } else { false }
  }
}

/// The way in which a request came to be left unprocessed.
enum HTTP2Refusal: Equatable {
  /// RST_STREAM with REFUSED_STREAM, which servers send if too many streams are open.
  case reset
  /// GOAWAY, whose last stream precedes the request's stream.
  case goAway
  /// The connection did not open a stream for the request, or did not send it, because of the
  /// server's limit.
  case unsent
  /// The connection, which had answered other requests, was lost before the response.
  case connectionLost
  /// The server requires HTTP/1.1 for the request.
  case http1Required
  /// The status 421: the connection is not the right one for the request (RFC 9110 §15.5.20).
  case misdirected
}

/// The reason why a connection cannot continue.
struct HTTP2Failure: Error, Equatable {
  enum Kind {
    /// The connection was ended by the server, or lost.
    case ended
    /// The server ended the connection, because it requires HTTP/1.1 (RFC 9113 §7).
    case http1Required
    /// The server violated HTTP/2.
    case violation
    /// The server exceeded one of `HTTP2Limits`.
    case limit
  }

  let kind: Kind
  let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

/// The limits on what a server may send over HTTP/2.
struct HTTP2Limits: Equatable {
  var fieldBytes = 65_536
  var fieldCount = 256
  var trailerBytes = 4_096
  var informational = 16
  /// The maximum number of streams of a connection, even if the server permits more.
  var streams = 256
  /// The maximum number of consecutive frames without content, such as pings, settings and empty
  /// data (RFC 9113 §10.5).
  var idleFrames = 10_000
  /// The flow-control window of a stream: the number of body bytes that the server may send before
  /// the client has consumed any.
  var streamWindow: Int32 = 8 << 20
  /// The flow-control window of the whole connection in bytes.
  var connectionWindow: Int32 = 32 << 20
}
