import Models

/// An event that the server's frames, or our own, have brought about.
enum HTTP2Event: Equatable {
  /// The final head of a stream's response; interim ones are skipped.
  case head(stream: Int32, status: Int, HTTPFields)
  /// These offsets of the input are bytes of the stream's body.
  case data(stream: Int32, Range<Int>)
  /// The response is complete.
  case end(stream: Int32)
  /// Nothing more comes on the stream; after `end` this is the usual course of things.
  case closed(stream: Int32, HTTP2Closing)
  /// The server allows this number of open streams.
  case capacity(Int)
  /// The server takes no more streams on this connection.
  case goingAway
}

/// Why a stream is over.
enum HTTP2Closing: Equatable {
  /// Both sides have said all.
  case ended
  /// The server did nothing with the request: it may be sent again as it is (RFC 9113 §8.7).
  case unprocessed
  /// The server wants HTTP/1.1 for this (RFC 9113 §7, `HTTP_1_1_REQUIRED`).
  case wantsHTTP1
  /// The server broke off, with the name of its error code.
  case reset(String)
  /// The server broke HTTP/2 or went beyond a limit, in words, and the stream was reset for it.
  case violation(String, isLimit: Bool)
}

/// Why a connection cannot continue, in words.
struct HTTP2Failure: Error, Equatable {
  enum Kind {
    /// The connection was ended, or lost.
    case ended
    /// The server broke HTTP/2.
    case violation
    /// The server went beyond a limit of ours.
    case limit
  }

  let kind: Kind
  let reason: String

  init(_ kind: Kind, _ reason: String) {
    self.kind = kind
    self.reason = reason
  }
}

/// The limits of what a server may send over HTTP/2.
struct HTTP2Limits: Equatable {
  var fieldBytes = 65_536
  var fieldCount = 256
  var trailerBytes = 4_096
  var informational = 16
  /// Streams on one connection at most, whatever the server would take.
  var streams = 256
  /// Frames in a row that bring nothing: pings, settings, empty data (RFC 9113 §10.5).
  var idleFrames = 10_000
  /// Bytes that may come for a stream before we have taken any of them.
  var streamWindow: Int32 = 8 << 20
  /// The same for all streams of the connection.
  var connectionWindow: Int32 = 32 << 20
}
