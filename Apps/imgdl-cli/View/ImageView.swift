import Archive
import Export
import Composition
import Models
import ProgramSupport
import Rendering
import Terminal

/// Shows images on the terminal until the user ends the command.
struct ImageView {
  private let images: [RecordImage]
  private let renderer: any Renderer
  /// Extracts the images that are in archives only.
  private let archives: ArchiveImages
  private let policy: ArchivePolicy
  private let title: String
  /// The password of encrypted documents. Setting a password causes the visible images to be rendered again.
  var password: DocumentPassword? {
    didSet { shownTiles = [:] }
  }
  private var state: ImageViewState
  /// The loaded tiles of the visible images, by the index of the image.
  private var shownTiles: [Int: Tile] = [:]
  private var shownSide = 0

  private enum Tile {
    case image(Image)
    case problem(String, isEncrypted: Bool = false)
  }

  /// The reason why the view ended.
  enum Termination {
    case quit
    /// A visible image needs a password.
    case encrypted
  }

  init(
    _ images: [RecordImage], _ renderer: any Renderer, _ archives: ArchiveImages,
    _ policy: ArchivePolicy, title: String, from start: Int?, _ password: DocumentPassword?
  ) {
    self.password = password
    self.images = images
    self.renderer = renderer
    self.archives = archives
    self.policy = policy
    self.title = title
    state = ImageViewState(count: images.count, from: start)
  }

  /// Opens a terminal session, shows the images in the session, and closes the session.
  /// - Parameter asking: Whether the view ends when a visible image needs a password.
  mutating func run(asking: Bool) async throws -> Termination {
    var options = TerminalOptions(environment: SettingsLoader.processEnvironment)
    options.mouse = false
    do throws(TerminalError) {
      let session = try await TerminalSession.open(options)
      let ending = await run(session, asking: asking)
      await session.close()
      return ending
    } catch {
      throw ProgramFailure(.usage, "view needs a terminal: \(error.description)")
    }
  }

  private mutating func run(_ session: TerminalSession, asking: Bool) async -> Termination {
    guard await show(session, asking: asking) else { return .encrypted }
    for await events in session.events {
      for event in events {
        if case .key(let key) = event, key.kind != .release {
          state.handle(key.key, session.size)
        }
      }
      if state.isOver { return .quit }
      guard await show(session, asking: asking) else { return .encrypted }
    }
    return .quit
  }

  private var lacksPassword: Bool {
    shownTiles.values.contains {
      if case .problem(_, isEncrypted: true) = $0 { true } else { false }
    }
  }

  /// Renders and draws the visible images.
  /// - Returns: false if a visible image needs a password and the caller can prompt for it; no image is drawn
  ///   in this case.
  private mutating func show(_ session: TerminalSession, asking: Bool) async -> Bool {
    let (size, cell) = (session.size, session.capabilities.cellPixels)
    await load(size, cell)
    if asking, lacksPassword { return false }
    session.present(draw(size, cell))
    return true
  }

  /// Returns the rectangle of each visible image on the screen.
  private func tileRectangles(_ size: Size) -> [(index: Int, rect: Rect)] {
    let visible = state.visible(size)
    if state.isSingle {
      return visible.map { ($0, Rect(0, 0, size.columns, max(1, size.rows - 1))) }
    }
    let grid = ImageViewState.grid(size)
    let (width, height) = (size.columns / grid.columns, (size.rows - 1) / grid.rows)
    return visible.enumerated().map { place, index in
      (
        index,
        Rect(place % grid.columns * width, place / grid.columns * height, width - 1, height - 1)
      )
    }
  }

  private mutating func load(_ size: Size, _ cell: PixelSize) async {
    let places = tileRectangles(size)
    guard let rect = places.first?.rect else { return }
    let side = max(rect.columns * cell.width, rect.rows * cell.height)
    if side != shownSide { shownTiles = [:] }
    shownSide = side
    shownTiles = shownTiles.filter { entry in places.contains { $0.index == entry.key } }
    let missing = places.map(\.index).filter { shownTiles[$0] == nil }
    await withTaskGroup(of: (Int, Tile).self) { group in
      for index in missing where !images[index].isInArchive {
        group.addTask { [renderer, password, image = images[index]] in
          (index, await Self.tile(image, image.path, side, renderer, password))
        }
      }
      for await (index, tile) in group { shownTiles[index] = tile }
    }
    // Only one archive is extracted at a time.
    for index in missing where images[index].isInArchive {
      shownTiles[index] = await extractedTile(images[index], side)
    }
  }

  private func extractedTile(_ image: RecordImage, _ side: Int) async -> Tile {
    do {
      let path = try await archives.path(of: image, policy, password)
      return await Self.tile(image, path, side, renderer, password)
    } catch let error as ArchiveError {
      return .problem(error.description, isEncrypted: error.code == .encrypted)
    } catch {
      return .problem("\(error)")
    }
  }

  @concurrent
  private static func tile(
    _ image: RecordImage, _ path: String, _ side: Int, _ renderer: any Renderer,
    _ password: DocumentPassword?
  ) async -> Tile {
    var job = RenderJob(
      path: path, page: image.documentPage ?? 0, sides: [max(1, side)], quality: 0)
    job.password = password
    do throws(RenderError) {
      let result = try await renderer.render(job)
      guard let pixels = result.renditions.first.flatMap({ PixelRendition($0) }),
        let image = Image(
          width: pixels.width, height: pixels.height, format: .rgba, pixels: rgba(pixels))
      else { return .problem("the decoder returned no pixels") }
      return .image(image)
    } catch {
      return .problem(error.detail, isEncrypted: error.code == .encrypted)
    }
  }

  private static func rgba(_ pixels: PixelRendition) -> [UInt8] {
    var bytes = Array(pixels.pixels)
    for pixel in stride(from: 0, to: bytes.count - 3, by: 4) { bytes.swapAt(pixel, pixel + 2) }
    return bytes
  }

  private func draw(_ size: Size, _ cell: PixelSize) -> CellBuffer {
    var buffer = CellBuffer(size)
    for (index, rect) in tileRectangles(size) {
      switch shownTiles[index] {
      case .image(let image):
        buffer.place(
          image, in: image.size.fittedRect(in: rect, cell: cell, enlarging: state.isSingle))
      case .problem(let text, _):
        buffer.write(text, at: rect.origin)
      case nil: break
      }
      if !state.isSingle {
        buffer.clipped(to: Rect(rect.column, rect.endRow, rect.columns, 1)) {
          $0.write(
            "\(images[index].number) \(Console.escaped(images[index].label))",
            at: Point(rect.column, rect.endRow))
        }
      }
    }
    buffer.write(status(size), at: Point(0, size.rows - 1), style: Style.plain.with(.reverse))
    return buffer
  }

  private func status(_ size: Size) -> String {
    let visible = state.visible(size)
    let place =
      state.isSingle
      ? "\(images[state.index].number)  \(images[state.index].label)"
      : "\(images[visible.lowerBound].number)-\(images[visible.upperBound - 1].number)"
    return " \(Console.escaped(title))  \(Console.escaped(place))  arrows: move  Enter: grid or "
      + "image  q: end "
  }
}
