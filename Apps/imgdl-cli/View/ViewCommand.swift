import Archive
import CommandLine
import Export
import Composition
import Models
import ProgramSupport
import Rendering
import SystemCalls

/// The command `view RECORD[:N]`: shows one image of a record, or a grid of them, on the terminal.
enum ViewCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let (name, number) = parseArgument(context)
    let choice = try await PasswordOption.unlock(name, number: number?.resource, context)
    let target = try await target(name, number, context)
    guard !target.images.isEmpty else {
      throw ProgramFailure(.someFailed, "\(target.record.title) has no images yet")
    }
    let start = try target.number.map { number in
      guard let start = number.index(in: target.images) else {
        throw context.invocation.usageError(
          "\(target.record.title) has no image \(number); imgdl-cli show lists the numbers",
          code: .invalidValue)
      }
      return start
    }
    let folder = try FileSystem.temporaryFolder(prefix: "imgdl-images")
    defer { try? FileSystem.removeFolder(folder) }
    let archives = ArchiveImages(
      folder: folder, try LibraryOpener.openArchiveReader(context.settings))
    let renderer = try await LibraryOpener.openRenderer(context.settings)
    do {
      let viewing = ImageView(
        target.images, renderer, archives,
        ArchivePolicy(context.settings.limits(for: target.record)), title: target.record.title,
        from: start, choice.password)
      try await show(viewing, of: target.record, choice)
      await archives.discard()
      await renderer.shutdown()
    } catch {
      await archives.discard()
      await renderer.shutdown()
      throw error
    }
    return .success
  }

  /// Shows the images until the user ends the command. If a visible image needs a password, the terminal
  /// session is closed, the user is prompted, and the view continues at the same image.
  private static func show(
    _ viewing: ImageView, of record: Record, _ unlocking: PasswordChoice
  ) async throws {
    var (viewing, choice) = (viewing, unlocking)
    while try await viewing.run(asking: choice.canAsk) == .encrypted {
      viewing.password = try await choice.password(for: record.title)
    }
  }

  private struct Target: Sendable {
    let record: Record
    let images: [RecordImage]
    let number: ImageNumber?
  }

  /// Splits the argument into the name of a record and the number of an image after the last colon. An
  /// argument without such a number names a whole record.
  private static func parseArgument(_ context: Context) -> (name: String, number: ImageNumber?) {
    let text = context.invocation.argument("RECORD") ?? ""
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? parts.last.flatMap { ImageNumber($0) } : nil
    let name = number == nil ? text : parts.dropLast().joined(separator: ":")
    return (name, number)
  }

  private static func target(
    _ name: String, _ number: ImageNumber?, _ context: Context
  ) async throws -> Target {
    let found = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      var images: [RecordImage] = []
      try await RecordImages(store: store, layout: context.layout).forEach(in: record) {
        images.append($0)
      } problem: { _ in
      }
      return Target(record: record, images: images, number: number)
    }
    guard let found else { throw context.noLibrary }
    return found
  }
}

/// The number of an image: `8` or `8.3`, where 8 is the number of the resource, as in `show`, and 3 is the
/// number of the page.
struct ImageNumber: Equatable, CustomStringConvertible {
  let resource: Int
  /// The number of the page, from 1, or nil for the first page of the resource.
  let page: Int?

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }.filter { $0 > 0 }
    guard (1...2).contains(parts.count), numbers.count == parts.count else { return nil }
    resource = numbers[0]
    page = numbers.count > 1 ? numbers[1] : nil
  }

  var description: String { page.map { "\(resource).\($0)" } ?? "\(resource)" }

  /// Returns the index of the image in the images of its record; nil if the record has no such image.
  func index(in images: [RecordImage]) -> Int? {
    // The only image of a resource has no page number, but can also be named as page 1.
    images.firstIndex {
      $0.index == resource && (page == nil || $0.page == page || ($0.page == nil && page == 1))
    }
  }
}
