import SystemCalls

/// The process that last wrote the lock file; it is the holder while the lock is held.
public struct LibraryHolder: Sendable, Equatable {
  /// The id of the process, which means nothing outside of its own container or machine.
  public let process: Int32
  /// The path at which clients reach the process; nil if it serves none.
  public let socket: String?
  /// The ids of processes among which `process` is one; nil if the file does not say.
  private let processSpace: String?

  /// Returns the process that holds the library's lock; nil if no process holds it.
  public static func current(_ layout: LibraryLayout) -> LibraryHolder? {
    // The lock is tested only if its holder may exist, because the test takes the lock for an instant if it is free.
    guard let holder = read(layout), holder.mayExist,
      let file = try? layout.folder.open(layout.lock), (try? file.isLocked()) == true
    else { return nil }
    return holder
  }

  /// Reads the lock file; nil if there is none or it is being written.
  public static func read(_ layout: LibraryLayout) -> LibraryHolder? {
    guard let bytes = try? layout.folder.contents(of: layout.lock, limit: 4_096) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map {
        $0.isEmpty ? nil : String($0)
      }
    guard let process = lines.first.flatMap({ $0.flatMap { Int32($0) } }) else { return nil }
    return LibraryHolder(
      process: process, socket: lines.count > 1 ? lines[1] : nil,
      processSpace: lines.count > 2 ? lines[2] : nil)
  }

  /// Returns the content of the lock file that this process writes.
  package static func text(socket: String?) -> String {
    let space = Machine.processSpace.map { $0 + "\n" } ?? ""
    return "\(Machine.processID)\n\(socket ?? "")\n\(space)"
  }

  /// Whether `process` is the id of a process here. It is not if the file was written in another container, by a
  /// machine that shares the folder, or before the last boot.
  public var isHere: Bool {
    processSpace == nil || processSpace == Machine.processSpace
  }

  public var isThisProcess: Bool { isHere && process == Machine.processID }

  private var mayExist: Bool { !isHere || Machine.exists(processID: process) }

  /// The process in words: `process 12`.
  public var name: String {
    isHere
      ? "process \(process)"
      : "a process of another container or machine, where it is process \(process)"
  }

  /// A clause that says that the socket of the process is missing; empty if it is there, or if there is none.
  public var missingSocket: String {
    guard isHere, let socket, !FileSystem.exists(socket) else { return "" }
    return ", whose socket \(socket) is missing"
  }
}
