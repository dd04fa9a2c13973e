/// The kind of listener through which a request arrived, which determines the checks and the routes.
enum ListenerKind: Sendable, Hashable {
  /// The Unix domain socket, which serves processes of the library's user.
  case unixSocket
  /// The TCP port on the loopback interface, which serves browsers and scripts.
  case loopback
}
