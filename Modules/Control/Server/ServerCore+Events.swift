import LibraryAPI
import SystemCalls

extension ServerCore {
  /// Sends an event stream until the client closes the connection or reads too slowly, or the server stops.
  /// The stream includes every event that occurs after the head of the response was sent.
  func stream(
    _ query: EventQuery, to id: SocketLoop.SocketID, through listener: ListenerKind
  ) async {
    await hub.join(id, wanting: query.progress)
    if let viewer = query.viewer { viewers[viewer, default: 0] += 1 }
    let position = await position(of: query)
    if await send(ControlResponse.eventStreamHead(listener), to: id) {
      if !query.wantsEvents {
        while await waitForEvents(id) {}
      } else if position.isExact {
        await streamEvents(query, from: position.start, to: id)
      } else if await sendSnapshot(query, position.start, to: id) {
        await streamEvents(query, from: position.start, to: id)
      }
    }
    await hub.removeReader(id)
    if let viewer = query.viewer { await unregisterViewer(viewer) }
  }

  /// Returns the position at which the stream starts, and whether the reader has received every earlier
  /// event.
  private func position(
    of query: EventQuery
  ) async -> (start: EventHub.Position, isExact: Bool) {
    if case .after(let id) = query.start, id.engine == hello.engine {
      // A reader that has received no event (number 0) gets all events since the start of the server.
      let position = EventHub.Position(seq: id.seq > 0 ? id.seq : nil)
      if await !hub.portion(after: position, progress: .none).hasGap { return (position, true) }
    }
    return (EventHub.Position(seq: await hub.newest), false)
  }

  /// Sends a snapshot. Its event number was read before its status, so the status may include later events,
  /// which the stream then repeats.
  private func sendSnapshot(
    _ query: EventQuery, _ position: EventHub.Position, to id: SocketLoop.SocketID
  ) async -> Bool {
    guard let status = await Self.status(of: service) else { return false }
    let event = EventID(engine: hello.engine, seq: position.seq ?? 0)
    let message = SnapshotMessage(
      seq: event.seq, engine: hello.engine, followsGap: query.start != .now,
      status: StatusMessage(status))
    guard let data = try? JSONText.encode(message) else { return false }
    return await send(ServerSentEvent.bytes("snapshot", id: event, data: data), to: id)
  }

  private func streamEvents(
    _ query: EventQuery, from start: EventHub.Position, to id: SocketLoop.SocketID
  ) async {
    var position = start
    while true {
      let portion = await hub.portion(after: position, progress: query.progress)
      if portion.hasGap { return }
      position = portion.position
      if portion.bytes.isEmpty {
        guard await waitForEvents(id) else { return }
      } else {
        guard await send(portion.bytes, to: id) else { return }
      }
    }
  }

  /// Waits for new events, and sends a heartbeat if there are none for a while.
  /// - Returns: False at the end of the stream.
  private func waitForEvents(_ id: SocketLoop.SocketID) async -> Bool {
    guard await !hub.isOver else { return false }
    let deadline = loop.clock.now() + options.heartbeatSeconds
    switch await loop.wait(id, for: [], until: deadline) {
    case .woken: return true
    case .timedOut: return await send(ServerSentEvent.heartbeat, to: id)
    case .ready: return await !loop.hasHungUp(id)
    case .closed: return false
    }
  }

  /// Unregisters one stream of a viewer. When the viewer's last stream ends, all its visible ranges are
  /// cleared.
  private func unregisterViewer(_ viewer: ViewerID) async {
    let left = (viewers[viewer] ?? 1) - 1
    viewers[viewer] = left > 0 ? left : nil
    guard left == 0 else { return }
    viewedRecords.remove(viewer, from: nil)
    await Self.clearVisibleRanges(viewer, in: service)
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
