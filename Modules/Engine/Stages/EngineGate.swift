import LibraryAPI

/// The gate of an engine.
struct EngineGate: RequestGate {
  let engine: any StageHost

  func enter(_ host: HostName) async throws(LibraryError) -> SingleRequests.ID {
    do {
      let id = await engine.run { $0.singleRequests.nextID() }
      try await engine.suspend {
        $0.singleRequests.add(id, host, $1)
      } cancel: {
        $0.singleRequests.cancel(id)
      }
      return id
    } catch {
      throw LibraryError.wrapping(error)
    }
  }

  func leave(
    _ id: SingleRequests.ID, _ host: HostName, _ failure: DownloadFailure?, wasAnswered: Bool
  ) async {
    await engine.run { $0.singleRequests.end(id, host, failure, wasAnswered: wasAnswered) }
  }
}
