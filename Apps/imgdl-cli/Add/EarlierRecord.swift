import Composition
import LibraryAPI
import Models
import Persistence

/// The first record that an earlier `add` has made of a source.
struct EarlierRecord: Sendable {
  /// The number of the record in `list`.
  let number: Int
  /// Whether only what is viewed of the record is downloaded.
  let isLazy: Bool
}

extension LibraryConnection {
  /// Returns the first record that an earlier `add` has made of the source with this URL or path; nil if there is none.
  func earlierRecord(of word: String) async -> EarlierRecord? {
    guard let key = SourceKey.key(word), let source = try? await store.source(key: key),
      let first = try? await store.records(of: source.id).first
    else { return nil }
    return await earlierRecord(first.id)
  }

  private func earlierRecord(_ id: RecordID) async -> EarlierRecord? {
    var offset = 0
    while let page = try? await store.records(offset: offset, limit: 500), !page.isEmpty {
      if let place = page.firstIndex(where: { $0.id == id }) {
        return EarlierRecord(number: offset + place + 1, isLazy: page[place].isLazy)
      }
      offset += page.count
    }
    return nil
  }

  /// Returns sentences about the relation of a source to what an earlier `add` of it has left.
  /// - Parameters:
  ///   - earlier: The record that the library had of the source before, or nil if there was none.
  ///   - context: Its settings decide whether the pages of the source are read on demand.
  func notes(
    on result: AddResult, of request: SourceRequest, earlier: EarlierRecord?, _ context: Context
  ) async -> [String] {
    let isOnDemand = request.isLazy || context.settings.source.pages == .onDemand
    let rest = await restNote(on: result, of: request, isOnDemand: isOnDemand, context.hint)
    return await earlierNotes(on: result, of: request, earlier, context.hint)
      + (rest.map { [$0] } ?? [])
  }

  /// Returns a sentence about how the pages are read that could not be read; nil if there are none, or if a limit has cut
  /// the source, which the same limit would cut again.
  private func restNote(
    on result: AddResult, of request: SourceRequest, isOnDemand: Bool, _ hint: CommandHint
  ) async -> String? {
    guard result.problemCount > 0, !isOnDemand, let first = result.records.first,
      let record = try? await store.record(first), !record.isLazy,
      let source = try? await store.source(record.source), source.state.nextPage != nil,
      !source.state.isCut,
      let number = await earlierRecord(first)?.number
    else { return nil }
    let all = request.again ? hint("refresh \(number)") : "the same command"
    return
      "\(request.name): \(hint("more \(number)")) reads the next page, and \(all) all further ones"
  }

  private func earlierNotes(
    on result: AddResult, of request: SourceRequest, _ earlier: EarlierRecord?, _ hint: CommandHint
  ) async -> [String] {
    let name = request.name
    if result.outcome == .appended {
      guard let earlier, !result.records.isEmpty else { return [] }
      return [
        "\(name): was already in the library and was appended again; "
          + "\(hint("refresh \(earlier.number)")) downloads only new entries"
      ]
    }
    var record: EarlierRecord?
    if let first = result.records.first { record = await earlierRecord(first) }
    return [Self.note(on: result, of: request, record, hint)]
      + (Self.changeNote(on: result, of: name, record, hint).map { [$0] } ?? [])
  }

  private static func note(
    on result: AddResult, of request: SourceRequest, _ record: EarlierRecord?, _ hint: CommandHint
  ) -> String {
    let name = request.name
    if result.outcome == .onlyFailuresRemain {
      // Of the changed file, there may be more that has not been downloaded.
      let list = result.fileChange == .changed ? " of the earlier list" : ""
      return "\(name): everything\(list) except failed resources has been downloaded; use "
        + "\(hint("retry")) for those"
    }
    guard let record, record.isLazy else {
      return result.isUnderWay
        ? "\(name): is already being downloaded" : "\(name): continuing an interrupted add"
    }
    let lazy =
      "\(name): is record \(record.number), which is lazy: its resources are downloaded when they are viewed"
    if request.isLazy { return lazy }
    return lazy + "; \(hint("add --again")) downloads all of them, as a new record"
  }

  private static func changeNote(
    on result: AddResult, of name: String, _ record: EarlierRecord?, _ hint: CommandHint
  ) -> String? {
    let refresh = hint("refresh " + (record.map { "\($0.number)" } ?? "RECORD"))
    return switch result.fileChange {
    case .none: nil
    case .changed:
      "\(name): has changed since it was added; \(refresh) adds its new entries"
    case .unknown:
      "\(name): is not read again; if it has changed, \(refresh) adds its new entries"
    }
  }
}
