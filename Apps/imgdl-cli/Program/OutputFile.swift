import CommandLine
import Glibc
import ProgramSupport
import SystemCalls

/// Writes a file for the user. A regular file has its final name only when it is complete.
enum OutputFile {
  /// Refuses to replace existing data, unless `--force` is given.
  /// - Throws: `ProgramFailure` with the code `.refused` for an existing file or a folder that is not empty.
  static func protect(_ name: String, _ context: Context) throws {
    guard !context.invocation.flag("force"), name != "-" else { return }
    let path = try resolved(name)
    switch (try? FileSystem.status(path))?.kind {
    case .file: break
    case .folder where !((try? FileSystem.list(path)) ?? []).isEmpty: break
    default: return
    }
    throw ProgramFailure(.refused, "\(name) already exists; use --force to replace it")
  }

  /// Refuses an output that ends with a slash, by which the user means a folder.
  static func requireFileName(_ context: Context) throws {
    guard let output = context.invocation.value("output"), output.hasSuffix("/") else { return }
    throw context.invocation.usageError(
      "--output \(output) is the name of a folder; name the file in it", code: .invalidValue)
  }

  /// Checks that the folder of a file exists and is writable, before the contents of the file are produced.
  /// - Throws: `SystemError` that names the folder.
  static func requireFolder(of path: String) throws(SystemError) {
    let parent = FileSystem.parentFolder(of: path)
    let folder = parent.isEmpty ? "." : parent
    do throws(SystemError) {
      guard try FileSystem.status(folder).kind == .folder else {
        throw SystemError(errno: ENOTDIR, call: "write to", path: folder)
      }
    } catch {
      throw SystemError(errno: error.errno, call: "write to", path: folder)
    }
    guard access(folder, W_OK) == 0 else { throw .last("write to", path: folder) }
  }

  /// Writes the text that `body` produces.
  /// - Parameters:
  ///   - name: The path as the user typed it; `-` is standard output.
  ///   - body: Called with a function that writes text.
  static func write(
    to name: String, _ console: Console,
    _ body: (_ write: (String) throws -> Void) async throws -> Void
  ) async throws {
    if name == "-" { return try await body { console.printText($0) } }
    let path = try resolved(name)
    guard try isReplaceable(path) else {
      let file = try openStream(path)
      do {
        return try await body { try file.write(all: Array($0.utf8).span.bytes) }
      } catch let error as SystemError where error.errno == EPIPE {
        // A reader that closes the pipe needs no further output, which is not an error.
        return
      }
    }
    try await replace(path) { temporary in
      let file = try FileSystem.open(temporary, .writing, create: .replacing)
      try await body { try file.write(all: Array($0.utf8).span.bytes) }
    }
  }

  /// Writes a file whose contents are complete.
  static func write(_ bytes: [UInt8], to name: String) throws {
    let path = try resolved(name)
    guard try isReplaceable(path) else {
      do throws(SystemError) {
        return try openStream(path).write(all: bytes.span.bytes)
      } catch  where error.errno == EPIPE {
        return
      }
    }
    try FileSystem.replace(path, with: bytes.span.bytes, syncing: false)
  }

  /// Whether the path is that of a terminal, a pipe or a device, which is written to and never replaced.
  static func isStream(_ name: String) throws -> Bool { try !isReplaceable(resolved(name)) }

  /// Copies the file `source` to the path that the user typed.
  static func copy(_ source: String, to name: String) async throws {
    let path = try resolved(name)
    guard try isReplaceable(path) else {
      return try copyBytes(of: source, to: try openStream(path))
    }
    try await replace(path) { temporary in
      try? FileSystem.remove(temporary)
      try FileSystem.copy(source, to: temporary)
    }
  }

  /// Calls `body` to write the file under a temporary name, and renames the file afterwards.
  /// - Parameter isStream: Whether the bytes are written in their order, so that a pipe or a device can take them.
  static func make<Value>(
    _ name: String, isStream: Bool, _ body: (_ path: String) async throws -> Value
  ) async throws -> Value {
    let path = try resolved(name)
    guard try isReplaceable(path) else {
      guard isStream else {
        throw ProgramFailure(
          .refused,
          "\(name) is not a regular file; of the archives only tar can be written to a pipe or a device"
        )
      }
      return try await body(path)
    }
    return try await replace(path, body)
  }

  /// Copies a file to standard output. Returns without an error if the reader closes the pipe (EPIPE).
  static func print(_ source: String) throws {
    do {
      try copyBytes(of: source, to: OwnedDescriptor(try dup(), path: "standard output"))
    } catch let error as SystemError where error.errno == EPIPE {
      return
    }
  }

  private static func dup() throws(SystemError) -> Int32 {
    let copy = fcntl(1, F_DUPFD_CLOEXEC, 3)
    if copy < 0 { throw .last("write to", path: "standard output") }
    return copy
  }

  private static func copyBytes(of source: String, to target: OwnedDescriptor) throws {
    let file = try FileSystem.open(source, followingLinks: false)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      try target.write(all: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// Returns the absolute path. A symbolic link is resolved, so that its target is replaced and not the link.
  private static func resolved(_ name: String) throws(SystemError) -> String {
    guard !name.isEmpty else { throw SystemError(errno: ENOENT, call: "write", path: name) }
    return try FileSystem.writtenPath(FileSystem.absolutePath(name))
  }

  /// Returns whether the path is unused or a regular file; false for a terminal, a pipe or a device.
  private static func isReplaceable(_ path: String) throws(SystemError) -> Bool {
    switch (try? FileSystem.status(path))?.kind {
    case nil, .file: return true
    case .folder: throw SystemError(errno: EISDIR, call: "write", path: path)
    default: return false
    }
  }

  private static func openStream(_ path: String) throws(SystemError) -> OwnedDescriptor {
    let file = try FileSystem.open(path, .writing)
    // The flag O_NONBLOCK, which `FileSystem.open` sets, is cleared, so that writing waits for a slow reader.
    _ = fcntl(file.raw, F_SETFL, O_WRONLY)
    return file
  }

  private static func replace<Value>(
    _ path: String, _ body: (_ temporary: String) async throws -> Value
  ) async throws -> Value {
    try requireFolder(of: path)
    let temporary = "\(path).part-\(Machine.processID)"
    do {
      let value = try await body(temporary)
      try FileSystem.rename(temporary, to: path)
      return value
    } catch {
      try? FileSystem.remove(temporary)
      // The error names the path that the user typed instead of the temporary one.
      guard let error = error as? SystemError, error.path == temporary else { throw error }
      throw SystemError(errno: error.errno, call: "write", path: path)
    }
  }
}
