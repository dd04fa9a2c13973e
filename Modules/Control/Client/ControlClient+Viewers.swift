public import LibraryAPI
public import Models
import Synchronization

extension ControlClient {
  /// A viewer of this process as the server knows it.
  struct Presence: Sendable {
    /// The viewer's random id on the server. A `ViewerID` is unique only within its process.
    let name: UInt64
    /// The stream that stays open as long as the viewer exists, so that the server forgets the viewer when
    /// this process dies; nil if it could not be opened.
    let stream: ClientExchange?
  }

  public func setVisibleRange(_ range: Range<Int>, of record: RecordID, for viewer: ViewerID) async
  {
    let name = await presence(of: viewer).name
    try? await connector.callIgnoringBody(
      "PUT", "/v1/viewers/\(name)/records/\(record)", VisibleRangeMessage(range))
  }

  public func clearVisibleRange(of record: RecordID?, for viewer: ViewerID) async {
    if let record {
      guard let presence = presences.withLock({ $0[viewer] }) else { return }
      let name = await presence.value.name
      try? await connector.callIgnoringBody("DELETE", "/v1/viewers/\(name)/records/\(record)")
    } else if let presence = presences.withLock({ $0.removeValue(forKey: viewer) }) {
      let presence = await presence.value
      try? await connector.callIgnoringBody("DELETE", "/v1/viewers/\(presence.name)")
      presence.stream?.close()
    }
  }

  private func presence(of viewer: ViewerID) async -> Presence {
    await presences.withLock { all in
      if let known = all[viewer] { return known }
      let new = Task.detached { [connector] in await Self.beginPresence(connector) }
      all[viewer] = new
      return new
    }.value
  }

  private static func beginPresence(_ connector: ControlConnector) async -> Presence {
    let name = UInt64.random(in: .min ... .max)
    guard let stream = try? await connector.openStream("/v1/viewers/\(name)") else {
      return Presence(name: name, stream: nil)
    }
    Task.detached {
      var reading = stream
      while (try? await reading.portion()) != nil {}
      reading.close()
    }
    return Presence(name: name, stream: stream)
  }
}
