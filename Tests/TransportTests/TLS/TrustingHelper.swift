import Foundation
import WorkerProcess

/// `imgdl-urlsession`, trusting the authority of the tests.
///
/// URLSession on Linux knows the system's list of authorities and no other. So the helper runs in a
/// mount namespace of its own, in which the tests' authority lies over that list.
enum TrustingHelper {
  private static let list = "/etc/ssl/certs/ca-certificates.crt"
  private static let unshare = "/usr/bin/unshare"
  private static let namespace = ["--map-root-user", "--mount", "--", "/bin/sh", "-c"]

  /// Whether this machine lets us have such a namespace.
  static let isPossible: Bool = {
    guard FileManager.default.fileExists(atPath: list) else { return false }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: unshare)
    process.arguments = namespace + ["mount --bind /dev/null \(list)"]
    process.standardError = nil
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static func program() throws -> WorkerProgram {
    let helper = try HelperLocator().path(of: "imgdl-urlsession")
    guard isPossible else { return WorkerProgram(path: helper) }
    let script = "mount --bind \"$1\" \(list) && exec \"$2\""
    let authority = try Scheme.authority.get().path
    return WorkerProgram(
      path: unshare, arguments: namespace + [script, "sh", authority, helper])
  }
}
