import JSON
public import Models

/// A task for the performer of the machine; tasks are performed in order.
public enum Aria2Action: Sendable, Equatable {
  /// Download a URI; an earlier transfer of the download is continued.
  case start(TransferOrder)
  /// Stop the transfer of a download, and keep its partial file.
  case stop(GID)
  /// Stop the transfer of a resource that a download no longer needs, and delete its partial file.
  case discard(GID, ResourceID)
  /// Change the rate limit of an active download, in bytes per second; 0 means no limit.
  case limitRate(GID, bytesPerSecond: Int)
  /// Change the limit of concurrent transfers of the library.
  case setConcurrency(Int)
  /// Change the rate limit of all transfers together, in bytes per second; 0 means no limit.
  case setOverallLimit(bytesPerSecond: Int)
  case notify(Aria2Notification)
  /// Write the session file now.
  case saveSession
  /// End the program.
  case shutDown
  /// Tell the user once that an option has no effect.
  case reportIgnoredOption(String)
}

/// A change of a download, which the server reports to the clients with a WebSocket.
public struct Aria2Notification: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    case start = "aria2.onDownloadStart"
    case pause = "aria2.onDownloadPause"
    case stop = "aria2.onDownloadStop"
    case complete = "aria2.onDownloadComplete"
    case error = "aria2.onDownloadError"
    /// Never sent, because BitTorrent is not supported.
    case bitTorrentComplete = "aria2.onBtDownloadComplete"
  }

  public let kind: Kind
  public let gid: GID

  /// The message as JSON.
  public var bytes: [UInt8] {
    let message: JSONValue = [
      "jsonrpc": .string("2.0"), "method": .string(kind.rawValue),
      "params": .array([["gid": .string(gid.description)]]),
    ]
    return message.bytes
  }
}
