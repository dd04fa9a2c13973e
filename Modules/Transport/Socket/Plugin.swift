public import Wiring
import Models
import Transport

/// Registers `socket`: HTTP/1.1 over epoll and OpenSSL.
public enum SocketTransportPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("socket", for: .transport) { container in
      let settings = try container.require(.settings)
      return SocketTransport(SocketOptions(settings.network))
    }
  }
}
