import Composition
import LibraryAPI
import Models

/// A lazy list of flags: names first, images as they come into sight, sizes and times after.
///
///     lazy-flags https://example.org/flags.json /tmp/flags
@main
struct LazyFlags {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else { return print("usage: lazy-flags URL FOLDER") }
    var settings = Settings()
    settings.rendering.thumbnails = false
    let engine = try await LibraryOpener.openEngine(at: words[2], settings: settings)
    try await engine.start()

    // Names first: a lazy list fetches nothing by itself.
    let source = SourceRequest(location: .url(try HTTPURL(words[1])), isLazy: true)
    let added = try await engine.add(source)
    guard let record = added.records.first else { return print("an empty list") }
    let flags = try await engine.reader.resources(of: record, offset: 0, limit: .max)
    for flag in flags { print(flag.title ?? flag.url) }

    // Ten rows are visible; each time their images are there, the list scrolls on.
    var events = await engine.eventStream().makeAsyncIterator()
    for first in stride(from: 0, to: flags.count, by: 10) {
      let rows = first..<min(first + 10, flags.count)
      await engine.setVisibleRange(rows, of: record, for: ViewerID(1))
      var missing = Set(flags[rows].filter { !$0.state.isSettled }.map(\.id))
      while !missing.isEmpty, let event = await events.next() {
        if case .finished(let id, _) = event.kind { missing.remove(id) }
        if case .failed(let id, _, _, _) = event.kind { missing.remove(id) }
      }
      for flag in try await engine.reader.resources(of: record, offset: first, limit: 10) {
        let time = flag.file?.timings.lastByte.map { "\(Int($0)) ms" } ?? flag.reason ?? ""
        print("\(flag.title ?? flag.url): \(flag.file?.byteCount ?? 0) bytes, \(time)")
      }
    }
    await engine.stop()
  }
}
