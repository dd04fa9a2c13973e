import SystemCalls
import TestSupport
import WorkerProcess

/// A folder with a worker program that is the real one behind the mutating proxy, until `becomeHonest`.
struct MutatedWorker {
  let folder: TemporaryFolder
  private var flag: String { folder.path + "/honest" }

  var helpers: HelperLocator { HelperLocator(explicit: folder.path) }
  var path: String

  /// - Parameter percent: The share of the messages that are changed.
  init(_ name: String, seed: UInt64, percent: Int = 25) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/" + name
    let real = try HelperLocator().path(of: name)
    let proxy = try HelperLocator().path(of: "mutating-proxy")
    let script = """
      #!/bin/sh
      [ "$1" != --decoders ] || exec "\(real)" "$@"
      exec "\(proxy)" \(seed) \(percent) "\(flag)" "\(real)" "$@"
      """
    try ShellScript.write(script, to: path)
  }

  /// Passes all further messages on unchanged.
  func becomeHonest() throws { _ = try folder.write("honest", []) }

  /// The number of pieces of work that may still fail after the last lie: one for each message that was sent too
  /// much while a worker was idle.
  static let afterthoughts = 3

  /// Calls `work` until it has succeeded.
  /// - Returns: Its result; nil if it fails more often than lies explain.
  static func recovered<Result>(_ work: () async throws -> Result) async -> Result? {
    for _ in 0...afterthoughts {
      if let result = try? await work() { return result }
    }
    return nil
  }
}
