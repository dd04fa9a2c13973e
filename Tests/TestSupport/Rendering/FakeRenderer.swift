public import Models
public import Rendering
import Synchronization
import SystemCalls

/// A renderer in memory: sizes come from PNG and JPEG headers, pictures are of one colour.
public final class FakeRenderer: Renderer {
  private struct State {
    var failures: [String: RenderError] = [:]
    var pageFailures: [String: [Int: RenderError]] = [:]
    var damages: [String: RenderError] = [:]
    var remarks: [String: String] = [:]
    var documents: [String: Int] = [:]
    var passwords: [String: String] = [:]
    var isClosed = false
    var rendered: [RenderJob] = []
    var attempted: [String] = []
  }

  private let limits: RenderLimits
  private let state = Mutex(State())
  private let gate = Gate()

  public init(
    limits: RenderLimits = RenderLimits()
  ) {
    self.limits = limits
    gate.open()
  }

  /// Every call for this path fails from now on; nil: no more.
  public func fail(_ path: String, with error: RenderError?) {
    state.withLock { $0.failures[path] = error }
  }

  /// Only a part of the image at that path can be decoded.
  public func damage(_ path: String, with error: RenderError) {
    state.withLock { $0.damages[path] = error }
  }

  /// The image at that path is complete, but unusual; with nil, it no longer is.
  public func remark(_ path: String, _ remark: String?) {
    state.withLock { $0.remarks[path] = remark }
  }

  /// Drawing this page, counted from 0, fails from now on.
  public func fail(_ path: String, page: Int, with error: RenderError) {
    state.withLock { $0.pageFailures[path, default: [:]][page] = error }
  }

  /// Makes the file at that path, with any content, a document with so many pages.
  public func document(_ path: String, pages: Int) {
    state.withLock { $0.documents[path] = pages }
  }

  /// The file at that path opens with this password only.
  public func encrypt(_ path: String, with password: String) {
    state.withLock { $0.passwords[path] = password }
  }

  private func open(_ path: String, _ password: DocumentPassword?) throws(RenderError) {
    guard let own = state.withLock({ $0.passwords[path] }), own != password?.text else { return }
    throw RenderError(
      .encrypted,
      password == nil
        ? "the PDF file is encrypted and needs a password"
        : "the PDF file is encrypted, and the password is wrong")
  }

  /// Calls wait from now on until `release()`.
  public func hold() { gate.close() }

  public func release() { gate.open() }

  /// Returns once so many calls, or more, wait.
  @concurrent
  public func untilHeld(_ count: Int = 1) async throws { try await gate.untilWaiting(count) }

  /// The paths of all calls, in order, failed ones included.
  public var attempted: [String] { state.withLock { $0.attempted } }

  /// The jobs that were done, in order.
  public var rendered: [RenderJob] { state.withLock { $0.rendered } }

  @concurrent
  public func probe(
    _ path: String, limits: RenderLimits?, password: DocumentPassword?
  ) async throws(RenderError) -> DocumentInfo {
    try await enter(path)
    try open(path, password)
    return try information(path, limits)
  }

  @concurrent
  public func render(
    _ job: RenderJob, receive: @escaping @Sendable (RenderResult) -> Void
  ) async throws(RenderError) -> RenderResult {
    let result = try await draw(job)
    receive(result)
    return result
  }

  private func draw(_ job: RenderJob) async throws(RenderError) -> RenderResult {
    try await enter(job.path, page: job.page)
    try open(job.path, job.password)
    let info = try information(job.path, job.limits)
    guard job.page < info.pageCount else { throw RenderError(.damaged, "there is no such page") }
    state.withLock { $0.rendered.append(job) }
    let renditions = job.sides.map { side in
      let longest = max(info.width, info.height)
      let ratio = Double(min(side, longest)) / Double(longest)
      let width = max(1, Int((Double(info.width) * ratio).rounded()))
      let height = max(1, Int((Double(info.height) * ratio).rounded()))
      return Rendition(
        format: .png, width: width, height: height,
        bytes: TestPicture.png(width: width, height: height))
    }
    let (damage, remark) = state.withLock { ($0.damages[job.path], $0.remarks[job.path]) }
    return RenderResult(info: info, renditions: renditions, damage: damage, remark: remark)
  }

  public func shutdown() async {
    state.withLock { $0.isClosed = true }
    release()
  }

  private func enter(_ path: String, page: Int? = nil) async throws(RenderError) {
    state.withLock { $0.attempted.append(path) }
    do {
      try await gate.pass()
      try Task.checkCancellation()
    } catch {
      throw RenderError(.cancelled, "cancelled")
    }
    let (isClosed, failure) = state.withLock { state in
      (state.isClosed, state.failures[path] ?? page.flatMap { state.pageFailures[path]?[$0] })
    }
    if isClosed { throw RenderError(.cancelled, "the renderer was shut down") }
    if let failure { throw failure }
  }

  private func information(
    _ path: String, _ limits: RenderLimits?
  ) throws(RenderError) -> DocumentInfo {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileSystem.contents(of: path, limit: 1 << 26)
    } catch {
      throw RenderError(.io, escaping: error.description)
    }
    guard !bytes.isEmpty else { throw RenderError(.damaged, "the file is empty") }
    if let pages = state.withLock({ $0.documents[path] }) {
      return DocumentInfo(format: .pdf, width: 60, height: 85, pageCount: pages)
    }
    let format = ResourceFormat(sniffing: bytes)
    guard let size = Self.size(bytes, format) else {
      throw RenderError(.unsupported, "no preview (\(format.mediaType))")
    }
    try (limits ?? self.limits).check(width: size.width, height: size.height)
    guard format != .png || bytes.suffix(8).starts(with: "IEND".utf8) else {
      throw RenderError(.truncated, "the PNG file ends too early, a part of it is missing")
    }
    return DocumentInfo(format: format, width: size.width, height: size.height)
  }

  private static func size(_ bytes: [UInt8], _ format: ResourceFormat) -> (width: Int, height: Int)?
  {
    func number(_ offset: Int, _ count: Int) -> Int {
      bytes.dropFirst(offset).prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
    if format == .png { return (number(16, 4), number(20, 4)) }
    guard format == .jpeg else { return nil }
    var offset = 2
    while offset + 9 < bytes.count, bytes[offset] == 0xff {
      if (0xc0...0xc2).contains(bytes[offset + 1]) {
        return (number(offset + 7, 2), number(offset + 5, 2))
      }
      offset += 2 + number(offset + 2, 2)
    }
    return nil
  }
}
