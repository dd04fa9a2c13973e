import CVTerm
import Foundation
import Glibc
import SystemCalls

@testable import Terminal

/// A program on a pseudo-terminal of its own, as a terminal emulator starts one.
///
/// Calls block: for tests that run on their own thread (see `onThread`).
final class Pty {
  let master: OwnedDescriptor
  let process: pid_t
  private(set) var output: [UInt8] = []
  /// What the terminal shows.
  let screen: VirtualTerminal
  /// Modes before the program was started.
  let formerModes: [UInt32]

  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  init(
    _ program: String, _ arguments: [String] = [], environment: [String],
    size: Size = Size(80, 24)
  ) throws {
    screen = try VirtualTerminal(size)
    var name = [CChar](repeating: 0, count: 128)
    let raw = imgdl_pty_open(&name, name.count)
    guard raw >= 0 else { throw Failed(description: "no pseudo-terminal") }
    master = OwnedDescriptor(raw)
    formerModes = Self.modes(raw)
    imgdl_pty_resize(raw, Int32(size.columns), Int32(size.rows))

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens becomes that of the session.
    posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(0x80))  // POSIX_SPAWN_SETSID
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw Failed(description: "cannot start \(program): \(code)") }
    process = child
  }

  deinit {
    kill(process, SIGKILL)
    _ = waitpid(process, nil, WNOHANG)
  }

  func resize(_ size: Size) {
    screen.resize(size)
    imgdl_pty_resize(master.raw, Int32(size.columns), Int32(size.rows))
  }

  func type(_ text: String) {
    var bytes = Array(text.utf8)
    _ = Glibc.write(master.raw, &bytes, bytes.count)
  }

  /// Reads what there is, at most `limit` bytes; waits for some up to `timeout` milliseconds.
  /// - Returns: the bytes, empty when the time is over; nil when the other end is closed.
  func read(limit: Int = 65_536, timeout: Int32 = 600_000) throws -> [UInt8]? {
    var polled = pollfd(fd: master.raw, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, timeout) > 0 else { return [] }
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = Glibc.read(master.raw, &buffer, limit)
    // EIO: the other end is closed.
    guard count > 0 else { return nil }
    output += buffer[..<count]
    screen.write(Array(buffer[..<count]))
    return Array(buffer[..<count])
  }

  /// Reads until the first row of the screen has this text.
  func waitToSee(_ text: String) throws {
    while !screen.text(ofRow: 0).contains(text) {
      guard let bytes = try read(), !bytes.isEmpty else {
        throw Failed(
          description: "waited for \(text.debugDescription), the screen has "
            + screen.text(ofRow: 0).debugDescription)
      }
    }
  }

  /// Reads until the output since `start` has this text.
  func wait(for text: String, from start: Int = 0) throws {
    let wanted = Array(text.utf8)
    var searched = start
    while true {
      if Self.contains(wanted, in: output, from: searched) { return }
      searched = max(start, output.count - wanted.count)
      guard let bytes = try read(), !bytes.isEmpty else {
        let tail = String(decoding: output.suffix(300), as: UTF8.self).debugDescription
        throw Failed(description: "waited for \(text.debugDescription), the last was \(tail)")
      }
    }
  }

  private static func contains(_ wanted: [UInt8], in bytes: [UInt8], from start: Int) -> Bool {
    guard bytes.count >= wanted.count, start <= bytes.count - wanted.count else { return false }
    return (start...(bytes.count - wanted.count)).contains {
      bytes[$0] == wanted[0] && bytes[$0..<$0 + wanted.count].elementsEqual(wanted)
    }
  }

  /// Answers what a probe asks last; with it, what the terminal says of itself.
  func answerProbe(_ answers: String = "\u{1b}[?62c") throws {
    try wait(for: "\u{1b}[c")
    type(answers)
  }

  /// Reads to the end and returns how the program ended, as of waitpid(2).
  func end() throws -> Int32 {
    while let bytes = try read() {
      if bytes.isEmpty { throw Failed(description: "the program did not end") }
    }
    var status: Int32 = 0
    guard waitpid(process, &status, 0) == process else { throw Failed(description: "no status") }
    return status
  }

  private static func modes(_ terminal: Int32) -> [UInt32] {
    var modes: [UInt32] = [0, 0, 0, 0]
    imgdl_pty_modes(terminal, &modes)
    return modes
  }

  var isAsBefore: Bool { Self.modes(master.raw) == formerModes }
}

/// Runs what blocks on a thread of its own, not on those of the tests.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
{
  try await withCheckedThrowingContinuation { continuation in
    Thread { continuation.resume(with: Result(catching: body)) }.start()
  }
}
