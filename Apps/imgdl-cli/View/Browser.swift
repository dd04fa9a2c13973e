import Models
import SystemCalls
import WorkerProcess

/// The user's browser, as the desktop chooses it (xdg-open(1)).
enum Browser {
  /// Whether a desktop is present and a person uses the command. A script gets the link on standard output.
  static var isAvailable: Bool {
    let hasDesktop = ["WAYLAND_DISPLAY", "DISPLAY"].contains {
      Machine.environment($0)?.isEmpty == false
    }
    return hasDesktop && Machine.isTerminal(1) && program != nil
  }

  private static var program: String? {
    (Machine.environment("PATH") ?? "").split(separator: ":")
      .map { "\($0)/xdg-open" }.first { $0.hasPrefix("/") && FileSystem.isExecutable($0) }
  }

  /// Opens an address that contains a token. All users of the machine can read the arguments of a process, so
  /// that the browser receives a file, readable by the user alone, which leads it there.
  /// - Parameter library: The library's folder.
  static func open(_ address: String, fileIn library: String) throws {
    guard let program else { return }
    let path = file(in: library)
    // The address consists of a name, a port and hexadecimal digits.
    let text = """
      <!doctype html><meta charset="utf-8"><title>imgdl</title>
      <meta http-equiv="refresh" content="0; url=\(address)">

      """
    try FileSystem.replace(path, with: text, mode: 0o600, syncing: false)
    var launch = ProcessLaunch(
      path: program, arguments: [path], environment: Machine.environment,
      streams: [.none, .none, .none])
    launch.leadsSession = true
    try ChildProcess(launch).detach()
  }

  static func removeFile(in library: String) { try? FileSystem.remove(file(in: library)) }

  private static func file(in library: String) -> String { "\(library)/.imgdl/web.html" }
}
