import CLinux
import Glibc
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls
import Threading

/// Spools standard input, or another pipe, to a file, because it can be read only once.
enum StandardInput {
  static let name = "standard input"

  /// The number of bytes below which a read is called short. A program that writes a line at a time is woken and
  /// waited for with each of them, unless the next read waits until there are more.
  private static let shortRead = 32 << 10

  /// Copies standard input to a file on a separate thread, which ends when the task is cancelled.
  /// - Parameters:
  ///   - input: The pipe to read; nil for standard input.
  ///   - folder: An existing folder whose path contains no symbolic link.
  /// - Returns: The path of the spool file.
  static func spool(
    _ input: OwnedDescriptor? = nil, into folder: String, limit: Int64
  ) async throws -> String {
    let path = "\(folder)/stdin-\(Machine.processID)-\(UInt64.random(in: 0 ... .max)).spool"
    // Closing the writing end of the pipe wakes the thread, which polls the reading end.
    let alarm = try Channels.pipe()
    do {
      try await withTaskCancellationHandler {
        try await BlockingThread.run("stdin") {
          try copy(input, to: path, limit: limit, until: alarm.reading)
        }
      } onCancel: {
        alarm.writing.close()
      }
    } catch {
      try? FileSystem.remove(path)
      throw error
    }
    return path
  }

  private static func copy(
    _ input: OwnedDescriptor?, to path: String, limit: Int64, until alarm: OwnedDescriptor
  ) throws {
    let (source, name) = (input?.raw ?? 0, input?.path ?? Self.name)
    let file = try FileSystem.open(
      path, .writing, create: .mustNotExist, mode: 0o600, followingLinks: false)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var left = limit
    while try wait(forInput: source, orAlarm: alarm) {
      let count = Glibc.read(source, buffer.baseAddress, buffer.count)
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR || errno == EAGAIN { continue }
        throw ProgramFailure(.source, SystemError.last("read", path: name).description)
      }
      left -= Int64(count)
      guard left >= 0 else {
        throw ProgramFailure(
          .refused, "\(name): larger than limits.resourceBytes (\(ByteText.short(limit)))")
      }
      try file.write(all: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      if count < shortRead { try wait(forAlarm: alarm, milliseconds: 2) }
    }
    throw LibraryError(.interrupted, "")
  }

  /// Waits until the input can be read or the task is cancelled.
  /// - Returns: false if the task was cancelled.
  private static func wait(
    forInput source: Int32, orAlarm alarm: OwnedDescriptor
  ) throws -> Bool {
    var descriptors = [
      pollfd(fd: source, events: Int16(POLLIN), revents: 0),
      pollfd(fd: alarm.raw, events: Int16(POLLIN), revents: 0),
    ]
    try wait(for: &descriptors, milliseconds: -1)
    return descriptors[1].revents == 0
  }

  /// Waits until the time has passed or the task is cancelled.
  private static func wait(forAlarm alarm: OwnedDescriptor, milliseconds: Int32) throws {
    var descriptors = [pollfd(fd: alarm.raw, events: Int16(POLLIN), revents: 0)]
    try wait(for: &descriptors, milliseconds: milliseconds)
  }

  private static func wait(for descriptors: inout [pollfd], milliseconds: Int32) throws {
    while poll(&descriptors, nfds_t(descriptors.count), milliseconds) < 0 {
      guard errno == EINTR else { throw SystemError.last("wait for", path: name) }
    }
  }
}
