import Hashing
import Models
import Synchronization
import SystemCalls
import Transport

/// A source's bytes in a file, and what is known of them.
struct SpooledSource: Sendable {
  let path: String
  /// Where it came from, for relative URLs.
  let url: HTTPURL?
  let fields: HTTPFields
  let byteCount: Int64
  let head: [UInt8]
  /// Of a spool; a user's file is hashed only when it is copied.
  let digest: Digest?
  let timings: TransferTimings
  /// The address that sent it, if it was fetched and the transport knows.
  let remoteAddress: String?
  /// A spool is ours to move or remove; a user's file is not.
  let isTemporary: Bool
}

/// Brings a source into a file that can be read from the beginning, several times.
struct SourceFetcher: Sendable {
  let folder: String
  let settings: Settings
  let transport: any Transport
  let clock: any EngineClock
  let disk: BlockingQueue

  /// - Parameters:
  ///   - known: what an earlier answer was; the server is asked whether it changed.
  ///   - isStrict: it was named by a page from a public address.
  /// - Returns: nil if it did not.
  func open(
    _ location: SourceRequest.Location, unless known: Validator = Validator(),
    isStrict: Bool = false
  ) async throws -> SpooledSource? {
    switch location {
    case .url(let url): try await fetch(url, unless: known, isStrict: isStrict)
    case .file(let path): try await local(path, isTemporary: false)
    case .standardInput(let spool): try await local(spool, isTemporary: true)
    }
  }

  /// Removes what was spooled, unless it has been adopted.
  func close(_ source: SpooledSource) async {
    guard source.isTemporary else { return }
    // What cannot be removed now is swept at the next start.
    try? await disk.run { try FileSystem.removeSpool(source.path) }
  }

  private func local(_ path: String, isTemporary: Bool) async throws -> SpooledSource {
    try await disk.run {
      do {
        let file = try FileSystem.open(path, followingLinks: !isTemporary)
        let status = try file.status()
        guard status.kind == .file else {
          throw EngineError(.source, "\(path): not a regular file")
        }
        let head = try file.bytes(count: ResourceFormat.sniffLength, at: 0)
        let digest =
          isTemporary ? try PrefixDigest(of: file, atMost: nil).hasher.finalize() : nil
        return SpooledSource(
          path: path, url: nil, fields: HTTPFields(), byteCount: status.size, head: head,
          digest: digest, timings: TransferTimings(), remoteAddress: nil,
          isTemporary: isTemporary)
      } catch let error as SystemError {
        throw EngineError(.source, error.description)
      }
    }
  }

  private func fetch(
    _ url: HTTPURL, unless known: Validator, isStrict: Bool
  ) async throws -> SpooledSource? {
    let policy = RetryPolicy(settings.network)
    var attempts = 0
    while true {
      let failure: EngineError
      let isRetryable: Bool
      let retryAfter: Double?
      do {
        return try await attempt(url, known, isStrict ? .publicPage : .sourceOfUser)
      } catch let error as TransportError {
        failure = EngineError(error)
        isRetryable =
          error.isRetryable && error.code != .connectionRefused && error.code != .dns
        retryAfter = nil
      } catch let error as DownloadFailure {
        failure = EngineError(.source, "\(url): \(error.reason)")
        isRetryable = error.isRetryable
        retryAfter = error.retryAfter
      }
      attempts += 1
      switch policy.decide(
        attempts: attempts, isRetryable: isRetryable, retryAfter: retryAfter,
        chance: Double.random(in: 0..<1))
      {
      case .giveUp: throw failure
      case .retry(let after): try await clock.sleep(until: clock.now() + after)
      }
    }
  }

  private func attempt(
    _ url: HTTPURL, _ known: Validator, _ origin: RequestOrigin
  ) async throws -> SpooledSource? {
    let path = "\(folder)/source-\(Machine.processID)-\(UInt64.random(in: 0 ... .max)).part"
    let sink = SpoolSink(path: path, limit: Int64(settings.limits.resourceBytes))
    var request = TransportRequest(url, namedBy: origin, RequestDefaults(settings))
    request.acceptsGzip = true
    request.fields.ask(unless: known)
    let decoding = DecodingSink(sink)
    do {
      let response = try await transport.perform(request, into: decoding)
      if response.head.status == 304, !known.isEmpty { return nil }
      if response.body != .refused { decoding.finish() }
      if let problem = decoding.problem { throw DownloadFailure.content(problem) }
      guard response.body != .refused else {
        throw DownloadFailure.status(
          response.head.status, retryAfter: response.head.fields["Retry-After"])
      }
      let content = sink.finish()
      return SpooledSource(
        path: path, url: response.head.url, fields: response.head.fields,
        byteCount: content.count, head: content.head, digest: content.digest,
        timings: response.timings, remoteAddress: response.head.remoteAddress, isTemporary: true)
    } catch {
      sink.close()
      try? await disk.run { try FileSystem.removeSpool(path) }
      if let problem = decoding.problem { throw DownloadFailure.content(problem) }
      // Transports guard the same limit; once a body has begun, it is the body that is too large.
      if sink.hasBegun, (error as? TransportError)?.code == .limitExceeded || sink.isTooLarge {
        let limit = ByteText.short(Int64(settings.limits.resourceBytes))
        throw EngineError(.policy, "\(url): larger than limits.resourceBytes (\(limit))")
      }
      throw error
    }
  }
}

/// Writes a source's body to a file and hashes it.
///
/// @unchecked Sendable: the transport calls one method at a time and none after `perform` has
/// returned (its contract); results are read only after that.
private final class SpoolSink: BodySink, @unchecked Sendable {
  private let path: String
  private let limit: Int64
  private let hasher = SHA256Hasher()
  private var file: OwnedDescriptor?
  private var count: Int64 = 0
  private var head: [UInt8] = []
  private(set) var hasBegun = false
  private(set) var isTooLarge = false

  init(path: String, limit: Int64) {
    self.path = path
    self.limit = limit
  }

  func begin(_ head: ResponseHead) throws(SinkError) -> BodyDecision {
    guard head.status == 200 else { return .refuse }
    do {
      file = try FileSystem.open(
        path, .writing, create: .mustNotExist, mode: LibraryLayout.privateFile,
        followingLinks: false)
    } catch {
      throw SinkError(error)
    }
    hasBegun = true
    return .accept
  }

  func receive(_ bytes: RawSpan) throws(SinkError) {
    guard count <= limit - Int64(bytes.byteCount) else {
      isTooLarge = true
      throw SinkError("larger than limits.resourceBytes (\(limit) bytes)")
    }
    do {
      try file?.write(all: bytes)
    } catch {
      throw SinkError(error)
    }
    hasher.update(bytes)
    var index = 0
    while head.count < ResourceFormat.sniffLength, index < bytes.byteCount {
      head.append(bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self))
      index += 1
    }
    count += Int64(bytes.byteCount)
  }

  func finish() -> (count: Int64, head: [UInt8], digest: Digest) {
    close()
    return (count, head, hasher.finalize())
  }

  func close() {
    file?.close()
    file = nil
  }
}
