import CLinux
import Glibc
import LibraryAPI
import Models
import ProgramSupport
import SystemCalls
import Threading
import WorkerProcess

/// The program gallery-dl, which lists the images of web pages (`add --via gallery-dl`).
enum GalleryProgram {
  static let name = "gallery-dl"

  /// The longest time for which the program may run, in seconds.
  private static let timeout = 3600.0

  /// Lets gallery-dl list the images of a page into a file, whose format is ``ManifestFormat/galleryDL``.
  /// If gallery-dl fails after its first messages, the failure is the last message of the file.
  ///
  /// - Parameters:
  ///   - page: The URL of the page. It is one argument of the program, and never an option.
  ///   - folder: An existing folder whose path contains no symbolic link.
  ///   - limit: The largest size of the list in bytes.
  /// - Returns: The path of the file.
  /// - Throws: If the task is cancelled, a `ProgramFailure` with the code `.interrupted`. Nothing of the page is kept
  ///   then: gallery-dl 1.32 writes its whole list when it ends.
  static func spool(_ page: String, into folder: String, limit: Int64) async throws -> String {
    guard let program else {
      throw ProgramFailure(
        .source,
        "\(name) is not installed, or its folder is not in PATH; "
          + "see https://github.com/mikf/gallery-dl#installation")
    }
    let path = "\(folder)/via-\(Machine.processID)-\(UInt64.random(in: 0 ... .max)).spool"
    // Closing the writing end of the pipe wakes the thread, which polls the reading end.
    let alarm = try Channels.pipe()
    do {
      try await withTaskCancellationHandler {
        try await BlockingThread.run("via") {
          let file = try FileSystem.open(
            path, .readingAndWriting, create: .mustNotExist, mode: 0o600, followingLinks: false)
          var run = GalleryRun(page: page, file: file, limit: limit, alarm: alarm.reading)
          try run.start(program)
          try run.finish(before: .after(seconds: timeout))
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

  private static var program: String? {
    (Machine.environment("PATH") ?? "").split(separator: ":")
      .map { "\($0)/\(name)" }.first { $0.hasPrefix("/") && FileSystem.isExecutable($0) }
  }
}

/// One run of gallery-dl. All methods block.
private struct GalleryRun {
  private let page: String
  private let file: OwnedDescriptor
  private let limit: Int64
  private let alarm: OwnedDescriptor
  private var child: ChildProcess?
  private var output: OwnedDescriptor?
  private var errors: OwnedDescriptor?
  private var size: Int64 = 0
  private var outline = GalleryOutline()
  /// The last bytes of the standard error.
  private var tail: [UInt8] = []

  private static let tailLength = 2_000
  private static let tailLines = 5
  /// The time in seconds for which the output is read after the program has exited. The program's own output is in the
  /// pipes by then, so that only a process that it has left behind can hold them open.
  private static let restTime = 10.0
  /// The time in milliseconds without output after which the rest has ended.
  private static let silence: Int32 = 1_000
  /// The time in milliseconds between two checks whether the program has exited.
  private static let checkInterval: Int32 = 200

  init(page: String, file: OwnedDescriptor, limit: Int64, alarm: OwnedDescriptor) {
    self.page = page
    self.file = file
    self.limit = limit
    self.alarm = alarm
  }

  mutating func start(_ program: String) throws {
    let output = try Channels.pipe()
    let errors = try Channels.pipe()
    // The pipes reach their end only when this process has closed its writing ends, too.
    defer {
      output.writing.close()
      errors.writing.close()
    }
    // As JSON Lines, gallery-dl 1.32 writes neither its errors nor the images of the pages that it resolves.
    let arguments = ["-o", "output.jsonl=false", "-o", "output.private=true", "-J", "--", page]
    do throws(WorkerError) {
      child = try DependentProgram.start(
        DependentProgram.launch(
          program, arguments,
          streams: [.none, .existing(output.writing), .existing(errors.writing)]))
    } catch {
      throw ProgramFailure(.source, "\(error)")
    }
    (self.output, self.errors) = (output.reading, errors.reading)
  }

  /// Copies the output until the program ends.
  mutating func finish(before deadline: Deadline) throws {
    do {
      try copy(before: deadline)
    } catch {
      killGroup()
      throw error
    }
    let ending = child?.wait(before: .after(seconds: 10))
    // Processes that the program has left behind end, too.
    killGroup()
    guard let ending, ending.status.isSuccess else {
      return try recordFailure(
        "\(ending.map { "\($0.status)" } ?? "does not exit")" + (lastErrors.map { ": " + $0 } ?? "")
      )
    }
    guard size > 0 else {
      throw failure("found nothing" + (lastErrors.map { ": " + $0 } ?? ""))
    }
    if outline.isInterrupted {
      try recordFailure("wrote an incomplete list" + (lastErrors.map { ": " + $0 } ?? ""))
    }
  }

  private func failure(_ reason: String, _ code: ExitCode = .source) -> ProgramFailure {
    ProgramFailure(code, "\(page): \(GalleryProgram.name) \(reason)")
  }

  private mutating func copy(before deadline: Deadline) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var end: Deadline?
    while output != nil || errors != nil {
      if end == nil, child?.hasEnded ?? true { end = .after(seconds: Self.restTime) }
      var entries = [
        pollfd(fd: output?.raw ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: errors?.raw ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: alarm.raw, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&entries, 3, end == nil ? Self.checkInterval : Self.silence)
      guard count >= 0 || errno == EINTR else {
        throw SystemError.last("wait for", path: GalleryProgram.name)
      }
      if let end, count == 0 || end.hasPassed { return }
      if entries[2].revents != 0 {
        throw failure(
          "was interrupted before it had ended; nothing of the page was added", .interrupted)
      }
      if deadline.hasPassed { throw failure("does not end") }
      if entries[0].revents != 0, let stream = output {
        let count = try stream.read(into: buffer)
        if count == 0 { output = nil }
        try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      if entries[1].revents != 0, let stream = errors {
        let count = try stream.read(into: buffer)
        if count == 0 { errors = nil }
        tail.append(contentsOf: buffer[..<count])
        tail.removeFirst(max(0, tail.count - Self.tailLength))
      }
    }
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws {
    size += Int64(bytes.count)
    guard size <= limit else {
      throw failure(
        "writes more than limits.resourceBytes (\(ByteText.short(limit)))", .refused)
    }
    outline.read(bytes)
    try file.write(all: bytes)
  }

  /// Ends the program and all processes of its group.
  private func killGroup() {
    if let child { DependentProgram.end(child) }
  }

  /// The last lines of the standard error; nil if there are none.
  private var lastErrors: String? {
    let lines = String(decoding: tail, as: UTF8.self).split(whereSeparator: \.isNewline)
      .suffix(Self.tailLines)
    return lines.isEmpty ? nil : lines.joined(separator: " | ")
  }

  /// Ends the list with the failure of the program, an array after its last complete message, so that the images that it
  /// found are not lost. Without messages, the failure is thrown.
  private func recordFailure(_ reason: String) throws {
    guard let messageEnd = outline.messageEnd else { throw failure(reason) }
    let end = outline.isArray ? messageEnd : size
    let message = "[-1,\(JSONOutput.line(Failure(message: reason)))]"
    let text = outline.isArray ? ",\(message)]\n" : "\n\(message)\n"
    try file.truncate(to: end)
    try file.write(all: Array(text.utf8).span.bytes, at: end)
  }

  private struct Failure: Encodable {
    let error = GalleryProgram.name
    let message: String
  }
}
