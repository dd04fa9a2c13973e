import Models
import SystemCalls
import WorkerProcess

/// The user's browser, which xdg-open(1) selects.
enum Browser {
  /// Whether there is a desktop and a person runs the command; a script reads the link from standard output.
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

  /// Opens a URL that contains a token. All users of the machine can read the arguments of a process, so the
  /// browser opens a file, which only the user can read and which redirects to the URL.
  /// - Parameter library: The library's folder.
  static func open(_ address: String, fileIn library: String) throws {
    guard let program else { return }
    let path = file(in: library)
    // The URL needs no escaping: it consists of a host name, a port and hexadecimal digits.
    let text = """
      <!doctype html><meta charset="utf-8"><title>imgdl</title>
      <meta http-equiv="refresh" content="0; url=\(address)">

      """
    try FileSystem.replace(path, with: text, mode: 0o600, syncing: false)
    try start(program, path)
  }

  /// Opens a file or a folder in the program that the desktop has for it.
  static func open(_ path: String) throws {
    if let program { try start(program, path) }
  }

  private static func start(_ program: String, _ path: String) throws {
    var launch = ProcessLaunch(
      path: program, arguments: [path], environment: Machine.environment,
      streams: [.none, .none, .none])
    launch.leadsSession = true
    try ChildProcess(launch).detach()
  }

  static func removeFile(in library: String) { try? FileSystem.remove(file(in: library)) }

  private static func file(in library: String) -> String { "\(library)/.imgdl/web.html" }
}
