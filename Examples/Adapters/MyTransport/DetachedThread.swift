import Glibc

/// A thread that may block. The threads that run tasks may not: there are as many as processors.
enum DetachedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  static func start(_ run: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 256 << 10)
    var thread = pthread_t()
    let body = Unmanaged.passRetained(Body(run))
    let code = pthread_create(
      &thread, &attributes,
      { body in
        if let body { Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    // Without a thread the transfer runs where it was requested, rather than never.
    if code != 0 { body.takeRetainedValue().run() }
  }
}
