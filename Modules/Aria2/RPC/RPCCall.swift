import JSON

/// One call of a method (JSON-RPC 2.0, section 4).
struct RPCCall: Sendable, Equatable {
  /// The id of the request, which the response repeats.
  let id: JSONValue
  let method: String
  let parameters: [JSONValue]

  /// Checks one request of a message.
  /// - Throws: The error with the id to return, which is null if the request has none.
  init(_ request: JSONValue) throws(RPCFailure) {
    // A request without an id is a notification, which aria2 refuses as well.
    guard let id = request["id"] else { throw RPCFailure(id: .null, error: .invalidRequest) }
    guard let method = request["method"]?.text else {
      throw RPCFailure(id: id, error: .invalidRequest)
    }
    switch request["params"] {
    case nil: parameters = []
    case .array(let list)?: parameters = list
    // aria2 does not support named parameters.
    case .some: throw RPCFailure(id: id, error: .invalidParameters)
    }
    self.id = id
    self.method = method
  }
}

/// The failure of one request of a message.
struct RPCFailure: Error, Equatable {
  let id: JSONValue
  let error: RPCError
}

/// A message of a client: a request, or a batch of requests.
enum RPCMessage {
  case single(JSONValue)
  case batch([JSONValue])

  /// The maximum number of calls in a message, those in multicalls included.
  static let countLimit = 10_000

  init(_ bytes: [UInt8]) throws(RPCError) {
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: bytes, .strict)
    } catch {
      throw .parseError("\(error.summary) (byte \(error.position.offset))")
    }
    switch value {
    case .object: self = .single(value)
    case .array(let list) where list.count > Self.countLimit: throw .tooLongBatch
    case .array(let list) where !list.isEmpty: self = .batch(list)
    default: throw .invalidRequest
    }
  }
}

/// The response to a message.
public struct RPCReply: Sendable, Equatable {
  private var text: ResponseText
  /// Whether the message was a single call, whose error determines the status of the HTTP response.
  private let isSingle: Bool
  /// The status of the HTTP response; a response over a WebSocket has none.
  public private(set) var httpStatus: Int
  /// Whether a call was refused for want of the secret, so that the response must be delayed.
  public let wasRefused: Bool
  /// Whether a call was authorised, by the secret or because none is set.
  public let wasAuthorised: Bool

  init(
    text: ResponseText, isSingle: Bool, httpStatus: Int, wasRefused: Bool, wasAuthorised: Bool
  ) {
    self.text = text
    self.isSingle = isSingle
    self.httpStatus = httpStatus
    self.wasRefused = wasRefused
    self.wasAuthorised = wasAuthorised
  }

  /// The JSON text.
  public var body: [UInt8] { text.bytes }

  /// Whether a call of the message has changed what the session file contains.
  public var hasChanges: Bool { text.hasChanges }

  /// Puts errors in the places of results, because the session file was not written.
  /// - Parameters:
  ///   - changes: A sentence for the calls that have changed what the file contains; nil if it contains the changes.
  ///   - saves: A sentence for the calls that have asked for the write; nil if it has succeeded.
  public mutating func replaceResults(ofChanges changes: String?, ofSaves saves: String?) {
    let wasReplaced = text.replaceResults { dependency in
      (dependency == .save ? saves : changes).map { RPCError($0) }
    }
    if wasReplaced, isSingle, httpStatus == 200 { httpStatus = 400 }
  }

  /// Returns the response to a message that is not handled at the moment.
  public static func unavailable(_ sentence: String) -> RPCReply {
    RPCReply(
      text: .response(.null, RPCError(sentence)), isSingle: false, httpStatus: 503,
      wasRefused: false, wasAuthorised: false)
  }
}

/// The identity of a client, as far as its connection shows it.
public struct RPCAuthority: Sendable {
  /// Whether calls need no token, because the connection is authorised or the server has no secret.
  public let isGranted: Bool
  /// Returns whether a text is the secret. The comparison must take constant time.
  public let isSecret: @Sendable (String) -> Bool

  public init(isGranted: Bool, isSecret: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.isGranted = isGranted
    self.isSecret = isSecret
  }
}
