import Models
import Persistence

/// Passes the resources of a record to a closure. While a page of rows is shown, the next one is read.
enum Resources {
  static let pageSize = 4_000

  static func each(
    of record: Record, in store: any LibraryReader, limit: Int = .max,
    _ body: (Resource) throws -> Void
  ) async throws {
    try await pages(upTo: limit) { offset, count in
      let resources = try await store.resources(of: record.id, offset: offset, limit: count)
      return (resources, resources.count)
    } show: { resources in
      for resource in resources { try body(resource) }
    }
  }

  /// Passes each resource to `body` together with the size of the resource's first page.
  static func eachWithSize(
    of record: Record, in store: any LibraryReader, limit: Int = .max,
    _ body: (Resource, PageSize?) throws -> Void
  ) async throws {
    try await pages(upTo: limit) { offset, count in
      let resources = try await store.resources(of: record.id, offset: offset, limit: count)
      let hasPages = resources.contains { $0.pageCount > 0 }
      let sizes =
        hasPages
        ? try await store.firstPageSizes(of: record.id, offset: offset, limit: count) : [:]
      return ((resources, sizes), resources.count)
    } show: { resources, sizes in
      for resource in resources { try body(resource, sizes[resource.id]) }
    }
  }

  /// - Parameter load: Reads at most `count` rows at an offset, and returns them with their number.
  private static func pages<Page: Sendable>(
    upTo limit: Int,
    load: @Sendable (_ offset: Int, _ count: Int) async throws -> (page: Page, count: Int),
    show: (Page) throws -> Void
  ) async throws {
    var offset = 0
    var loaded: (page: Page, count: Int)? = try await load(0, min(pageSize, limit))
    while let (page, count) = loaded, count > 0 {
      offset += count
      let (start, rest) = (offset, min(pageSize, limit - offset))
      async let next = rest > 0 ? load(start, rest) : nil
      try show(page)
      loaded = try await next
    }
  }
}

extension Resource {
  /// The name to show: the file name without folders, or else the title, or else the URL.
  var shownName: String {
    guard let name = file?.name else { return title ?? url }
    // The slash is searched for in the bytes, because splitting the text into characters would take as long
    // as reading the row.
    guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return name }
    return String(name[name.utf8.index(after: slash)...])
  }
}
