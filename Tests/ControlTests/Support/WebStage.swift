import Glibc
import HTTP1
import LibraryAPI
import SystemCalls
import Synchronization
import Testing
import TestSupport
@testable import Control

/// A server with a web page, and requests to it over TCP.
final class WebStage: Sendable {
  let library: MemoryLibrary
  let folder: TemporaryFolder
  let server: ControlServer
  let loop: SocketLoop
  let address: ControlAddress
  let clock: ManualClock

  var root: String { folder.path + "/library" }

  init(
    in folder: TemporaryFolder? = nil, port: UInt16? = nil, clock: ManualClock = ManualClock(),
    wallClock: any WallClock = SystemClock()
  ) async throws {
    library = MemoryLibrary()
    self.clock = clock
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    let root = folder.path + "/library"
    try FileSystem.makeFolders(root + "/.imgdl")
    address = ControlAddress(path: folder.path + "/s/socket")
    let told = Told()
    var web = ControlServer.Web(port: port) { event in told.events.withLock { $0.append(event) } }
    web.wallClock = wallClock
    self.told = told
    server = try await ControlServer(
      try ControlListener(address), serving: library, libraryRoot: root, web: web,
      options: .still, clock: clock)
    loop = try SocketLoop("test", clock: SystemClock())
    try FileSystem.replace(root + "/.imgdl/lock", with: "\(getpid())\n\(address.path)\n")
  }

  private final class Told: Sendable {
    let events = Mutex<[WebEvent]>([])
  }

  private let told: Told

  /// What the server reported so far.
  var reported: [WebEvent] { told.events.withLock { $0 } }

  func end() async {
    await server.stop()
    await loop.shutDown()
  }

  /// Enables the page as `imgdl-cli web` does, at a port that is free.
  func open(port: UInt16? = nil) async throws -> WebLinkMessage {
    let client = try #require(await ControlClient.connect(libraryRoot: root))
    let free = port ?? WebStage.freePort()
    let link = try await client.openWebPage(port: free)
    await client.close()
    return WebLinkMessage(url: link.url, login: link.login, port: free)
  }

  /// A free port below those that the kernel hands out itself, so that no connection and no listener without
  /// a fixed port takes it before the page listens there.
  static func freePort() -> UInt16 {
    while true {
      let port = UInt16.random(in: 16_384..<32_768)
      if (try? ControlListener.loopback(port)) != nil { return port }
    }
  }

  /// Sends a request over TCP, and returns the response; nil if the connection fails or ends without one.
  func ask(
    _ port: UInt16, _ method: String, _ path: String, host: String, body: String? = nil,
    fields: [String] = [], overIPv6: Bool = false
  ) async throws -> RawConnection.Answer? {
    let raw = socket(overIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let descriptor = OwnedDescriptor(raw)
    guard Self.connect(raw, port, overIPv6) == 0, fcntl(raw, F_SETFL, O_NONBLOCK) == 0 else {
      return nil
    }
    let connection = RawConnection(loop, try await loop.add(descriptor))
    let text = requestText(method, path, body: body, fields: fields)
      .replacing("Host: localhost", with: "Host: \(host)")
    await connection.send(text)
    let answer = await connection.answer(isHead: method == "HEAD")
    await connection.close()
    return answer
  }

  static func connect(_ socket: Int32, _ port: UInt16, _ overIPv6: Bool) -> Int32 {
    if overIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
        }
      }
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

/// Runs a test with a web stage that is taken down afterwards.
func withWebStage<Result>(
  in folder: TemporaryFolder? = nil, port: UInt16? = nil, clock: ManualClock = ManualClock(),
  wallClock: any WallClock = SystemClock(), _ body: (WebStage) async throws -> Result
) async throws -> Result {
  let stage = try await WebStage(in: folder, port: port, clock: clock, wallClock: wallClock)
  do {
    let result = try await body(stage)
    await stage.end()
    return result
  } catch {
    await stage.end()
    throw error
  }
}
