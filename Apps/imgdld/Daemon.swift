import Glibc
import Composition
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls

/// The daemon: opens the library, reacts to signals, and stops.
struct Daemon {
  private let options: DaemonOptions
  private let manager: ServiceManager
  private let log: Log
  /// nil where `/proc` is missing.
  private let restart: Restart?

  /// The number of seconds after a signal within which the process exits, even if the library is not closed
  /// by then.
  private static let stopSeconds = 4.5
  /// A pseudo signal number, which reports that the library was moved or deleted.
  private static let libraryRemoved: Int32 = -1
  /// A pseudo signal number, which reports that the program was replaced and that there is nothing to do.
  private static let programReplaced: Int32 = -2

  init(_ options: DaemonOptions, _ manager: ServiceManager) {
    self.options = options
    self.manager = manager
    log = Log(ownsFile: options.ready != nil)
    restart = Restart(options, manager)
  }

  func run() async throws {
    let signals = try Signals()
    let loaded = try options.settings()
    for warning in loaded.warnings + options.warnings
      + CredentialFiles.warnings(loaded.settings)
    {
      log.write(.warning, "settings", [("reason", warning)])
    }
    LibraryOpener.onWarning { [log] in log.write(.warning, "system", [("reason", $0)]) }
    let daemon = try await LibraryDaemon(
      at: options.library, settings: loaded.settings, overriding: loaded.fromFlags,
      place: listenAddress, webPort: options.webPort, aria2: options.aria2,
      heldLock: options.heldLock
    ) { [log, options] event in
      if case .listeningAgain(let socket) = event, options.ready != nil { Self.openLog(socket) }
      log.write(event)
      // A client of the aria2 interface has asked the program to end; SIGTERM does that in its usual way.
      if case .aria2(.shutDownRequested) = event { kill(getpid(), SIGTERM) }
    }
    // The process leaves the working directory, so that its file system can be unmounted.
    _ = chdir("/")
    log.write(
      .info, "listening",
      [("library", daemon.library), ("socket", daemon.socket), ("process", Machine.processID)])
    notifyReady(daemon)
    let watching = Task { await pingWatchdog(daemon) }
    let lock = await handleSignals(signals, daemon, loaded)
    watching.cancel()
    guard let lock, let restart else { return }
    Signals.prepareReplacement()
    throw ProgramFailure(.internalError, restart.perform(lock.descriptor))
  }

  /// Makes the log file again, which was next to the socket that has been deleted.
  private static func openLog(_ socket: String) {
    guard let file = try? LibraryDaemon.openLog(besideSocket: socket) else { return }
    _ = dup2(file.raw, 2)
  }

  private var listenAddress: LibraryDaemon.ListenAddress {
    if let number = manager.listener { return .inherited(number) }
    return options.socket.map { .chosen($0) } ?? .standard
  }

  private func notifyReady(_ daemon: LibraryDaemon) {
    manager.notify("READY=1\nSTATUS=Works for \(daemon.library)")
    guard let ready = options.ready else { return }
    let descriptor = OwnedDescriptor(ready)
    try? descriptor.write(all: Array(daemon.socket.utf8).span.bytes)
    descriptor.close()
  }

  /// Sends keep-alives to systemd's watchdog as long as the engine responds.
  private func pingWatchdog(_ daemon: LibraryDaemon) async {
    guard let seconds = manager.watchdogSeconds else { return }
    while !Task.isCancelled {
      // An error is a response, too: `EngineHost` itself retries an engine that cannot start.
      _ = try? await daemon.status()
      manager.notify("WATCHDOG=1")
      try? await Task.sleep(for: .seconds(seconds / 3))
    }
  }

  /// The state that this program leaves to the one that replaces it in its process.
  private struct Legacy {
    let descriptor: OwnedDescriptor?
  }

  /// Handles signals until the daemon has stopped.
  /// - Returns: The library's lock if the program is to be started again; nil if the process ends.
  private func handleSignals(
    _ signals: Signals, _ daemon: LibraryDaemon, _ loaded: LoadedSettings
  ) async -> Legacy? {
    var loaded = loaded
    var stopping: Task<Void, Never>?
    var legacy: Legacy?
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    let relay = Task { for await number in signals.stream { end.yield(number) } }
    let folderWatchTask = Task { [log] in
      guard let gone = await daemon.waitUntilLibraryRemoved() else { return }
      log.write(.error, "library-gone", [("reason", gone.detail)])
      end.yield(Self.libraryRemoved)
    }
    let replacementTask = Task {
      await watchProgram(daemon) { end.yield(Self.programReplaced) }
    }
    // A pseudo signal number of 0 reports that `stop` has returned.
    for await number in ended {
      switch number {
      case SIGHUP where stopping == nil: loaded = await reload(daemon, loaded)
      case SIGUSR1 where stopping == nil, Self.programReplaced where stopping == nil:
        guard await canRestart(number) else { continue }
        legacy = Legacy(descriptor: await daemon.heldLock())
        manager.notifyReloading()
        stopping = Task {
          await stop(daemon) { end.yield(0) }
          end.yield(0)
        }
      case SIGTERM where legacy != nil, SIGINT where legacy != nil:
        log.write(.info, "stopping", [("signal", number)])
        manager.notify("STOPPING=1")
        legacy = nil
      case SIGTERM, SIGINT:
        guard stopping == nil else { _exit(ExitCode.internalError.rawValue) }
        log.write(.info, "stopping", [("signal", number)])
        manager.notify("STOPPING=1")
        stopping = Task {
          await stop(daemon)
          end.yield(0)
        }
      case Self.libraryRemoved where stopping == nil:
        stopping = Task {
          await stop(daemon)
          end.yield(0)
        }
      case 0:
        end.finish()
        relay.cancel()
        folderWatchTask.cancel()
        replacementTask.cancel()
      default: break
      }
    }
    return legacy
  }

  /// Reports when the program was replaced and there is nothing to do. Downloads of the aria2 interface are listed in
  /// memory when they are finished, so that such an imgdld restarts on request only.
  private func watchProgram(_ daemon: LibraryDaemon, reporting report: () -> Void) async {
    guard options.aria2 == nil, let program = restart?.program,
      let own = await program.identity()
    else { return }
    var replacement = ProgramReplacement(own)
    while (try? await Task.sleep(for: ProgramReplacement.interval)) != nil {
      let found = await program.identity()
      var isIdle = false
      if replacement.isNew(found), let status = try? await daemon.status() {
        isIdle = status.isIdle && status.sources.isEmpty && status.failure == nil
      }
      guard replacement.shouldRestart(found, isIdle: isIdle) else { continue }
      if let reason = await program.refusal() {
        replacement.refuse(found)
        log.write(.error, "restart-refused", [("reason", reason)])
      } else {
        report()
      }
    }
  }

  /// Whether the program at this one's path can take its place; if not, this one goes on.
  private func canRestart(_ number: Int32) async -> Bool {
    guard let program = restart?.program else { return false }
    if number == SIGUSR1, let reason = await program.refusal() {
      log.write(.error, "restart-refused", [("reason", reason)])
      return false
    }
    log.write(.info, "restarting", [("program", program.path)])
    return true
  }

  /// - Parameter endLate: Called if the daemon does not stop in time.
  private func stop(
    _ daemon: LibraryDaemon,
    endLate: @escaping @Sendable () -> Void = {
      _exit(ExitCode.internalError.rawValue)
    }
  ) async {
    let timer = Task { [log] in
      guard (try? await Task.sleep(for: .seconds(Self.stopSeconds))) != nil else { return }
      // The files on disk are consistent at any moment, so the process can exit now, and the next start
      // continues.
      log.write(.error, "stopped-late", [("seconds", Self.stopSeconds)])
      endLate()
    }
    await daemon.stop()
    timer.cancel()
    log.write(.info, "stopped")
  }

  /// Loads the settings again, and replaces the engine if they have changed.
  /// - Returns: The settings that apply from now on: `old` if the loaded ones are equal or invalid.
  private func reload(_ daemon: LibraryDaemon, _ old: LoadedSettings) async -> LoadedSettings {
    manager.notifyReloading()
    defer { manager.notify("READY=1") }
    do {
      let new = try options.settings()
      guard new.settings != old.settings else {
        log.write(.info, "settings-unchanged")
        return old
      }
      let changed = SettingsSchema.keys.filter {
        $0.value(in: new.settings) != $0.value(in: old.settings)
      }
      log.write(
        .info, "settings-changed", [("keys", changed.map(\.name).joined(separator: ","))])
      try await daemon.reload(new.settings)
      return new
    } catch {
      log.write(.error, "settings-refused", [("reason", "\(error)")])
      return old
    }
  }
}
