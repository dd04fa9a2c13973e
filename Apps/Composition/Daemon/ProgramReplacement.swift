import Glibc
import SystemCalls
import Threading
import WorkerProcess

/// Decides when an imgdld whose program was replaced, as by an upgrade, gives its place to the new one. Pure.
public struct ProgramReplacement: Sendable {
  /// Identifies a file. That of a running program keeps its number, so that no other file gets it.
  public struct Identity: Sendable, Equatable {
    let device: UInt64
    let inode: UInt64

    public init(device: UInt64, inode: UInt64) { (self.device, self.inode) = (device, inode) }
  }

  private let own: Identity
  /// The file at the program's path when it was looked at last.
  private var seen: Identity
  /// A new program that does not start.
  private var refused: Identity?

  /// The time between two looks at the file.
  public static let interval = Duration.seconds(3)

  /// - Parameter own: The file at the program's path when this program was started.
  public init(_ own: Identity) { (self.own, seen) = (own, own) }

  /// Whether a file is another one than that of this program.
  public func isNew(_ found: Identity?) -> Bool {
    guard let found else { return false }
    return found != own && found != refused
  }

  /// Records a look at the program's path.
  /// - Parameters:
  ///   - found: The file; nil if there is none, as between two steps of an upgrade.
  ///   - isIdle: Whether this program has nothing to do.
  /// - Returns: Whether the new program should be started. A file that was not there at the last look is left alone,
  ///   because the upgrade may not have replaced the other files yet.
  public mutating func shouldRestart(_ found: Identity?, isIdle: Bool) -> Bool {
    defer { seen = found ?? own }
    return isIdle && isNew(found) && found == seen
  }

  /// Records that the program at the path does not start: only another one is tried.
  public mutating func refuse(_ found: Identity?) { refused = found }
}

/// The file of the running program.
public struct ProgramFile: Sendable {
  public let path: String
  private let queue = BlockingQueue("program-file")

  /// The time in seconds that a program gets to print its version.
  private static let versionTimeout = 5.0

  /// The file that the running program was started from; nil without `/proc`. To be made at the start, while the file
  /// is there.
  public init?() {
    guard let path = Machine.executablePath else { return nil }
    self.init(path)
  }

  public init(_ path: String) { self.path = path }

  /// The file that is at the path now; nil if there is none that can be started.
  public func identity() async -> ProgramReplacement.Identity? {
    try? await queue.run { [path] in
      guard FileSystem.isExecutable(path) else { return nil }
      let status = try FileSystem.status(path)
      return ProgramReplacement.Identity(device: status.device, inode: status.inode)
    }
  }

  /// Starts the file to print its version, which shows that its libraries are there.
  /// - Returns: The reason why it cannot be started; nil if it can.
  public func refusal() async -> String? {
    do {
      return try await queue.run { [path] in
        let process = try ChildProcess(
          ProcessLaunch(path: path, arguments: ["--version"], streams: [.none, .none, .none]))
        let end = process.wait(before: .after(seconds: Self.versionTimeout))
        return end?.status.isSuccess == true ? nil : "\(path) --version fails"
      }
    } catch {
      return "\(error)"
    }
  }
}
