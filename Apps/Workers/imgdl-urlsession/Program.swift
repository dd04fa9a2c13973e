import Foundation
import TransportURLSession
import WorkerProcess

/// Hosts URLSession for the `url-session` adapter. No other program loads FoundationNetworking, so that its
/// crashes end only this process.
///
/// The main thread reads commands; URLSession calls its delegate on a serial queue; another queue sends
/// events. The program ends when the adapter closes the socket.
@main enum Program {
  static func main() {
    guard let connection = WorkerService.connection() else {
      WorkerService.printError("this program is a part of imgdl and is started by it")
      exit(WorkerService.usageExitCode)
    }
    ResourceBounds.apply()
    FoundationFolders.close()
    let outbox = Outbox(connection)
    let client = SessionClient(outbox)
    outbox.send(.ready)
    let code = WorkerService.serve(connection) { frame in
      client.perform(try HelperCommand(frame))
      return nil
    }
    // `exit` would run the destructors of libcurl and OpenSSL while transfers are active.
    _exit(code)
  }
}
