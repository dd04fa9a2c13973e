import LibraryAPI
import SystemCalls

/// The parts of a server that all its connections share.
struct ServerServices: Sendable {
  let library: any LibraryService
  /// The access to rows, files and settings, which the server reads without the engine.
  let reading: LibraryReading
  let hello: HelloMessage
  let options: ControlServer.Options
  let router: Router
  let hub: EventHub
  let viewedRecords = ViewedRecords()
  let uploads: Uploads
  /// The aria2 interface with the checks of its requests; nil if this server has none.
  let aria2: (service: Aria2Service, checks: Aria2RequestChecks)?
  private let adds = OwnedAdds()
  private let leases: ViewerLeases

  init(
    _ library: any LibraryService, reading: LibraryReading, hello: HelloMessage,
    options: ControlServer.Options, loop: SocketLoop, web: WebAccess?,
    aria2: (service: Aria2Service, checks: Aria2RequestChecks)?
  ) {
    self.library = library
    self.reading = reading
    self.hello = hello
    self.options = options
    self.aria2 = aria2
    uploads = Uploads(root: reading.root, clock: loop.clock)
    leases = ViewerLeases(clock: loop.clock) { [viewedRecords] viewer in
      viewedRecords.remove(viewer, from: nil)
      await library.clearVisibleRange(of: nil, for: viewer)
    }
    hub = EventHub(
      library, engine: hello.engine, loop: loop, options: options, viewedRecords: viewedRecords)
    router = Router(
      library, reading, hello: hello, viewedRecords: viewedRecords, adds: adds, web: web,
      views: Views(clock: loop.clock), uploads: uploads, leases: leases)
  }

  /// Stops the services. On return none of them makes another call to the library.
  func stop() async {
    await aria2?.service.stop()
    await adds.stop()
    await leases.stop()
    await uploads.stop()
    await hub.stop()
  }
}
