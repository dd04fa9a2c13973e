import LibraryAPI
import SystemCalls

/// The event stream of one client. Runs on the acceptor's actor.
struct EventStream {
  let query: EventQuery
  let client: ClientSocket
  let services: ServerServices
  let viewers: ViewerStreams

  private var hub: EventHub { services.hub }
  private var engine: String { services.hello.engine }

  /// Sends the stream until the client closes the connection or reads too slowly, or the server stops.
  /// The stream includes every event that occurs after the head of the response was sent.
  func send(through listener: ListenerKind) async {
    await hub.join(client.id, wanting: query.progress)
    if let viewer = query.viewer { viewers.insert(viewer) }
    let position = await position()
    if await client.send(ControlResponse.eventStreamHead(listener)) {
      if !query.wantsEvents {
        while await waitForEvents() {}
      } else if position.isExact {
        await sendEvents(from: position.start)
      } else if await sendSnapshot(position.start) {
        await sendEvents(from: position.start)
      }
    }
    await hub.removeReader(client.id)
    if let viewer = query.viewer { await unregister(viewer) }
  }

  /// Returns the position at which the stream starts, and whether the reader has received every earlier
  /// event.
  private func position() async -> (start: EventHub.Position, isExact: Bool) {
    if case .after(let id) = query.start, id.engine == engine {
      // A reader that has received no event (number 0) gets all events since the start of the server.
      let position = EventHub.Position(seq: id.seq > 0 ? id.seq : nil)
      if await !hub.portion(after: position, progress: .none).hasGap { return (position, true) }
    }
    return (EventHub.Position(seq: await hub.newest), false)
  }

  /// Sends a snapshot. Its event number was read before its status, so the status may include later events,
  /// which the stream then repeats.
  private func sendSnapshot(_ position: EventHub.Position) async -> Bool {
    guard let status = await Self.status(of: services.library) else { return false }
    let event = EventID(engine: engine, seq: position.seq ?? 0)
    let message = SnapshotMessage(
      seq: event.seq, engine: engine, followsGap: query.start != .now,
      status: StatusMessage(status))
    guard let data = try? JSONText.encode(message) else { return false }
    return await client.send(ServerSentEvent.bytes("snapshot", id: event, data: data))
  }

  private func sendEvents(from start: EventHub.Position) async {
    var position = start
    while true {
      let portion = await hub.portion(after: position, progress: query.progress)
      if portion.hasGap { return }
      position = portion.position
      if portion.bytes.isEmpty {
        guard await waitForEvents() else { return }
      } else {
        guard await client.send(portion.bytes) else { return }
      }
    }
  }

  /// Waits for new events, and sends a heartbeat if there are none for a while.
  /// - Returns: False at the end of the stream.
  private func waitForEvents() async -> Bool {
    guard await !hub.isOver else { return false }
    let (loop, id) = (client.loop, client.id)
    let deadline = loop.clock.now() + services.options.heartbeatSeconds
    switch await loop.wait(id, for: [], until: deadline) {
    case .woken: return true
    case .timedOut: return await client.send(ServerSentEvent.heartbeat)
    case .ready: return await !loop.hasHungUp(id)
    case .closed: return false
    }
  }

  /// Unregisters this stream of a viewer. When the viewer's last stream ends, all its visible ranges are
  /// cleared.
  private func unregister(_ viewer: ViewerID) async {
    guard viewers.remove(viewer) else { return }
    services.viewedRecords.remove(viewer, from: nil)
    await Self.clearVisibleRanges(viewer, in: services.library)
  }

  @concurrent
  private static func clearVisibleRanges(_ viewer: ViewerID, in service: any LibraryService) async {
    await service.clearVisibleRange(of: nil, for: viewer)
  }

  @concurrent
  private static func status(of service: any LibraryService) async -> LibraryStatus? {
    try? await service.status()
  }
}
