import HTTP1
import LibraryAPI
import Models
import Persistence

extension Router {
  /// Returns the routes for the files of resources: originals, pages and thumbnails.
  static func files(_ reading: LibraryReading, _ service: any LibraryService) -> [Route] {
    [
      Route("GET", "/v1/resources/{resource}/file") { call in
        let store = try await reading.store()
        let resource = try await call.resource(in: store)
        return try await original(of: resource, call, store, reading)
      },
      Route("GET", "/v1/resources/{resource}/pages/{page}/image", query: ["v"]) { call in
        let store = try await reading.store()
        let resource = try await call.resource(in: store)
        let page = try await call.page(of: resource, in: store, service)
        guard page.hasImage else { throw ControlError(.noImage, page.reason ?? "") }
        if let image = try await browserImage(of: page, resource, call, store, reading) {
          return try await rendition(image, of: page, resource, call, reading, service)
        }
        guard let name = page.file else {
          return try await original(of: resource, call, store, reading)
        }
        return try await rendition(name, of: page, resource, call, reading, service)
      },
      Route("POST", "/v1/resources/{resource}/pages/{page}/draw") { call in
        let resource = try await call.resource(in: try await reading.store())
        let password =
          call.request.body.isEmpty ? nil : try call.message(PasswordMessage.self).value()
        try await service.draw(
          page: try call.number("page", of: Int.self), of: resource.id, password: password)
        return .whole(.nothing)
      },
      Route("POST", "/v1/resources/{resource}/pages/{page}/fetch") { call in
        let store = try await reading.store()
        let resource = try await call.resource(in: store)
        let message =
          call.request.body.isEmpty ? FetchPageMessage() : try call.message(FetchPageMessage.self)
        let page = try await call.page(
          of: resource, in: store, service, withThumbnail: message.thumbnail ?? false)
        return try .json(FetchedPageMessage(page))
      },
      Route("POST", "/v1/resources/{resource}/unlock") { call in
        let resource = try await call.resource(in: try await reading.store())
        let password = try call.message(PasswordMessage.self).value()
        try await service.unlock(resource.id, with: password)
        return .whole(.nothing)
      },
      Route("GET", "/v1/resources/{resource}/pages/{page}/thumbnail", query: ["v"]) { call in
        let store = try await reading.store()
        let resource = try await call.resource(in: store)
        let page = try await call.page(of: resource, in: store, service, withThumbnail: true)
        guard let name = page.thumbnail else {
          throw ControlError(.noImage, "the page has no thumbnail")
        }
        return try await rendition(name, of: page, resource, call, reading, service)
      },
      Route("GET", "/v1/thumbnails", query: ["of"]) { call in
        let wanted = try ThumbnailList.parse(call.request.target["of"] ?? "")
        let (names, entries) = try await reading.store().read { rows throws(StoreError) in
          let pages = try rows.firstPages(of: wanted.map(\.id))
          let names = wanted.map { thumbnail -> String? in
            guard let page = pages[thumbnail.id], page.thumbnailVersion == thumbnail.version else {
              return nil
            }
            return page.thumbnail
          }
          return (names, try rows.entries(named: names.compactMap { $0 }, in: .renditions))
        }
        let check = RenditionCheck(LibraryLayout(root: reading.root), entries)
        return .whole(await ThumbnailList.response(names, check, below: reading.root))
      },
    ]
  }

  /// Returns the rendition that shows a page in browsers; nil if they show the page's own image.
  private static func browserImage(
    of page: Page, _ resource: Resource, _ call: Call, _ store: any LibraryReader,
    _ reading: LibraryReading
  ) async throws -> BrowserImage? {
    if let image = BrowserImage(page, of: resource.file) { return image }
    guard let turned = BrowserImage(page, of: resource.file, isTurned: true) else { return nil }
    var path = page.file.map { ServedFile.path(of: $0) }
    if path == nil, let folder = try await call.folder(of: resource, in: store) {
      path = resource.file.map { "\(folder)/\($0.name)" }
    }
    guard let path, let file = await ServedFile.open(path, below: reading.root) else { return nil }
    return await file.isTurnedWebP() ? turned : nil
  }

  private static func original(
    of resource: Resource, _ call: Call, _ store: any LibraryReader, _ reading: LibraryReading
  ) async throws -> ControlReply {
    guard let file = resource.file, let folder = try await call.folder(of: resource, in: store)
    else { throw ControlError(.noImage, "the resource has no file yet") }
    let tag = file.digest.description
    let isImmutable = try call.isImmutable(version: Page.version(of: tag))
    return try await respond(
      call, tag: tag, format: file.format, reading, "\(folder)/\(file.name)",
      isImmutable: isImmutable)
  }

  private static func rendition(
    _ name: String, of page: Page, _ resource: Resource, _ call: Call, _ reading: LibraryReading,
    _ service: any LibraryService
  ) async throws -> ControlReply {
    // Pages of documents are rendered on demand, and what was evicted or damaged is made again.
    let check = try await reading.renditionCheck(of: [name])
    if await !ServedFile.isWhole(name, check) {
      try await service.draw(page: page.number, of: resource.id)
    }
    return try await rendition(name, call, reading)
  }

  /// Returns the rendition of an image that browsers do not show, which is made unless it exists.
  private static func rendition(
    _ image: BrowserImage, of page: Page, _ resource: Resource, _ call: Call,
    _ reading: LibraryReading, _ service: any LibraryService
  ) async throws -> ControlReply {
    var name = try await existingName(of: image, reading)
    if name == nil {
      try await service.draw(page: page.number, of: resource.id)
      name = try await existingName(of: image, reading)
    }
    return try await rendition(name ?? image.names[0], call, reading)
  }

  private static func existingName(
    of image: BrowserImage, _ reading: LibraryReading
  ) async throws -> String? {
    let check = try await reading.renditionCheck(of: image.names)
    for name in image.names where await ServedFile.isWhole(name, check) { return name }
    return nil
  }

  private static func rendition(
    _ name: String, _ call: Call, _ reading: LibraryReading
  ) async throws -> ControlReply {
    let last = name.split(separator: "/").last.map { String($0) } ?? name
    let suffix = last.split(separator: ".").last ?? ""
    // The file's name contains a hash of the original's content, the page and the size, so the name serves as
    // the entity tag. An address that contains a part of that hash always leads to the same content.
    let isImmutable = try call.isImmutable(version: Page.version(of: last))
    return try await respond(
      call, tag: last, format: ResourceFormat(fileExtension: suffix) ?? .unknown, reading,
      ServedFile.path(of: name), isImmutable: isImmutable)
  }

  private static func respond(
    _ call: Call, tag: String, format: ResourceFormat, _ reading: LibraryReading, _ path: String,
    isImmutable: Bool = false
  ) async throws -> ControlReply {
    if FileResponse.isNotModified(call.request, tag: tag) {
      return .whole(FileResponse.notModified(tag: tag, isImmutable: isImmutable))
    }
    guard let file = await ServedFile.open(path, below: reading.root) else {
      throw ControlError(.noImage, "the file has been removed")
    }
    return try FileResponse(file, tag: tag, format: format, isImmutable: isImmutable)
      .reply(to: call.request, tag: tag)
  }
}

extension Call {
  /// Returns whether the address names the current version, so that its content never changes.
  fileprivate func isImmutable(version current: String) throws(ControlError) -> Bool {
    guard let version = request.target["v"] else { return false }
    guard version == current else { throw ControlError(.noImage, "the image has another version") }
    return true
  }

  /// Returns the page whose number is in the path. A page of an archive that is not downloaded is fetched.
  /// - Parameter needsThumbnail: Whether to make the thumbnail of such a page.
  fileprivate func page(
    of resource: Resource, in store: any LibraryReader, _ service: any LibraryService,
    withThumbnail needsThumbnail: Bool = false
  ) async throws -> Page {
    let number = try number("page", of: Int.self)
    let page =
      resource.hasRemotePages
      ? try await service.remotePage(number, of: resource.id, withThumbnail: needsThumbnail)
      : try await store.pages(of: resource.id).first { $0.number == number }
    guard let page else {
      throw ControlError(.noSuchPage, "resource \(resource.id) has no page \(number)")
    }
    return page
  }
}

extension LibraryReading {
  /// Returns the check of renditions by their lengths in the cache usage.
  fileprivate func renditionCheck(of names: [String]) async throws -> RenditionCheck {
    try await store().renditionCheck(of: names, LibraryLayout(root: root))
  }
}
