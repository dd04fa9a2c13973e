import COpenSSL
public import Models
import Transport
public import Wiring

/// Registers the transport adapter `socket`: HTTP/1.1 and HTTP/2 over epoll and OpenSSL.
public enum SocketTransportPlugin: Plugin {
  public static func register(in catalogue: inout Catalogue) {
    catalogue.register("socket", for: .transport) { container in
      let settings = try container.resolve(.settings)
      return SocketTransport(SocketOptions(settings.network))
    }
  }

  public static var libraries: [LibraryVersion] {
    // The version text has the form "OpenSSL 3.0.17 1 Jul 2025".
    let words = String(cString: OpenSSL_version(OPENSSL_VERSION)).split(separator: " ")
    return [
      LibraryVersion(
        "OpenSSL", words.count > 1 ? String(words[1]) : nil, for: "TLS and SHA-256")
    ]
  }
}
