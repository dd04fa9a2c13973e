import CommandLine
import Export
import Composition
import Models
import ProgramSupport
import Rendering

/// `view RECORD[:N]`: one picture of a record, or a grid of them, on the terminal.
enum ViewCommand {
  @Sendable
  static func run(_ context: Context) async throws -> ExitCode {
    let (name, number) = words(context)
    let choice = try await PasswordOption.unlock(name, number: number?.resource, context)
    let target = try await target(name, number, context)
    guard !target.pictures.isEmpty else {
      throw ProgramFailure(.someFailed, "\(target.record.title) has no picture yet")
    }
    let start = try target.number.map { number in
      guard let start = number.place(in: target.pictures) else {
        throw context.invocation.usageError(
          "\(target.record.title) has no picture \(number); imgdl-cli show has the numbers",
          code: .invalidValue)
      }
      return start
    }
    let renderer = try await LibraryOpener.openRenderer(context.settings)
    do {
      let viewing = Viewing(
        target.pictures, renderer, title: target.record.title, from: start, choice.password)
      try await show(viewing, of: target.record, choice)
      await renderer.shutdown()
    } catch {
      await renderer.shutdown()
      throw error
    }
    return .done
  }

  /// Until somebody ends it. Where something that is to be seen takes a password, the screen is left for the
  /// question, and comes back where it was.
  private static func show(
    _ viewing: Viewing, of record: Record, _ unlocking: PasswordChoice
  ) async throws {
    var (viewing, choice) = (viewing, unlocking)
    while try await viewing.run(asking: choice.isOpen) == .encrypted {
      viewing.password = try await choice.password(for: record.title)
    }
  }

  private struct Target: Sendable {
    let record: Record
    let pictures: [RecordPicture]
    let number: PictureNumber?
  }

  /// `RECORD` as a whole, or what stands before the last colon if the number of a picture stands behind it.
  private static func words(_ context: Context) -> (name: String, number: PictureNumber?) {
    let text = context.invocation.argument("RECORD") ?? ""
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? parts.last.flatMap { PictureNumber($0) } : nil
    let name = number == nil ? text : parts.dropLast().joined(separator: ":")
    return (name, number)
  }

  private static func target(
    _ name: String, _ number: PictureNumber?, _ context: Context
  ) async throws -> Target {
    let found = try await context.withStore { store in
      let record = try await context.record(name, in: store)
      var pictures: [RecordPicture] = []
      try await RecordPictures(store: store, layout: context.layout).run(record) {
        pictures.append($0)
      } problem: { _ in
      }
      return Target(record: record, pictures: pictures, number: number)
    }
    guard let found else { throw context.noLibrary }
    return found
  }
}

/// `8` or `8.3`: a resource by its number, as `show` has it, and one of its pages.
struct PictureNumber: Equatable, CustomStringConvertible {
  let resource: Int
  /// nil means its first picture.
  let page: Int?

  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }.filter { $0 > 0 }
    guard (1...2).contains(parts.count), numbers.count == parts.count else { return nil }
    resource = numbers[0]
    page = numbers.count > 1 ? numbers[1] : nil
  }

  var description: String { page.map { "\(resource).\($0)" } ?? "\(resource)" }

  /// The offset of the picture among the pictures of its record; nil if the record has no such picture.
  func place(in pictures: [RecordPicture]) -> Int? {
    // The only picture of a resource has no page number, and is also found as page 1.
    pictures.firstIndex {
      $0.index == resource && (page == nil || $0.page == page || ($0.page == nil && page == 1))
    }
  }
}
