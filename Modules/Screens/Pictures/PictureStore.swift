import Models
import Terminal

/// The pictures that the screens show: those that are decoded, those that are requested, and the passwords
/// that decoding them takes.
///
/// Screens read it; it changes by what becomes of its requests, and by a viewer that opens or closes.
struct PictureStore: Sendable {
  private var cache: PictureCache
  private var renewals = Renewals()
  private var passwords = DocumentPasswords()
  /// The pictures that were requested last.
  private(set) var wanted = PictureOrder()
  /// When the memory of a window that was larger is given back.
  private var trimDue: Double?

  /// Seconds that a window has its size before memory is given back: it passes many sizes while it
  /// is drawn smaller.
  static let trimDelay = 1.0

  init(byteLimit: Int) { cache = PictureCache(byteLimit: byteLimit) }

  var byteLimit: Int { cache.byteLimit }
  /// Of everything that is decoded.
  var bytes: Int { cache.bytes }
  /// When `settle` is due; nil means nothing moves by itself.
  var wake: Double? { [renewals.wake, trimDue].compactMap(\.self).min() }

  // MARK: - What is here

  func picture(_ key: PictureKey) -> Picture? { cache.picture(key) }

  /// Why there is no picture; nil while that is not known.
  func problem(_ key: PictureKey) -> String? { cache.problem(key) }

  /// Whether the picture takes a password.
  func isEncrypted(_ key: PictureKey) -> Bool { cache.isEncrypted(key) }

  /// Whether the engine has to make the picture again.
  func isEvicted(_ key: PictureKey) -> Bool { cache.isEvicted(key) }

  /// Whether the answer for this picture is here, whatever it is.
  func hasAnswer(for key: PictureKey) -> Bool { cache.knows(key) }

  /// How near the picture of a place is.
  /// - Parameters:
  ///   - key: of its picture; nil means there is no file that could have one.
  ///   - isActive: the resource is being downloaded, unpacked or rendered.
  ///   - showsParts: whether the screen shows the pages of a file of which other pages failed; such a file
  ///     is marked like one that is whole.
  func residency(
    of slice: Slice, _ key: PictureKey?, isActive: Bool, showsParts: Bool = false
  ) -> Residency {
    if slice.isCancelled { return .cancelled }
    let isShownInPart = showsParts && slice.hasFile && slice.pageCount > 0
    if slice.state == .failed, !isShownInPart { return .error }
    if let key {
      if cache.picture(key) != nil { return .decoded }
      if cache.problem(key) != nil { return .error }
    }
    if isActive { return .partial }
    return slice.hasFile && slice.state != .queued ? .stored : .queued
  }

  // MARK: - Requests

  /// - Parameter keys: the pictures of what is visible, the first one first.
  /// - Returns: what to decode from now on; nil means what was requested last still holds.
  mutating func request(_ keys: [PictureKey]) -> PictureOrder? {
    cache.touch(keys)
    let missing = keys.filter { !cache.knows($0) }
    let order = PictureOrder(missing, passwords: passwords.entered)
    guard order != wanted else { return nil }
    wanted = order
    return order
  }

  /// - Returns: whether the engine is to be told again what is looked at, so that it makes evicted pages
  ///   again.
  mutating func receive(_ key: PictureKey, _ answer: PictureAnswer, at now: Double) -> Bool {
    guard case .evicted = answer else {
      renewals.settled(key)
      cache.put(key, answer)
      return false
    }
    let step = renewals.evicted(key, at: now)
    cache.put(
      key,
      step == .giveUp ? .problem("evicted from the cache, and does not come back") : .evicted)
    return step == .look
  }

  /// Everything was deleted. What was requested stays so until the next request.
  mutating func removeAll() {
    cache.removeAll()
    renewals = Renewals()
    passwords = DocumentPasswords()
  }

  // MARK: - The viewer

  /// A viewer opens: pages that did not come back before may come now.
  mutating func beginViewing() {
    cache.forget(renewals.givenUp)
    renewals = Renewals()
    cache.forgetEvicted()
  }

  /// A viewer is closed: its passwords are forgotten, and what they have opened is not kept in memory either.
  mutating func endViewing() {
    for id in passwords.entered.keys { cache.forget(of: id) }
    passwords.forgetEntered()
  }

  /// Whether the password of the document was given before and is forgotten.
  func isLockedAgain(_ resource: Resource) -> Bool { passwords.isForgotten(resource) }

  /// Whether some of the file can be seen only with a password that is not known. Takes time with the number
  /// of pictures.
  func takesPassword(_ resource: Resource) -> Bool {
    resource.needsPassword || isLockedAgain(resource) || cache.isEncrypted(resource)
  }

  /// A password is tried on this document: it is requested whenever the document is opened again.
  mutating func protect(_ document: Digest) { passwords.protect(document) }

  /// The file was unlocked: pictures of it that had a problem may have none any more.
  mutating func unlock(_ resource: ResourceID) { cache.forgetProblems(of: resource) }

  /// The open viewer shows a document with this password.
  mutating func enter(_ password: DocumentPassword, for resource: ResourceID) {
    passwords.enter(password, for: resource)
  }

  // MARK: - Time and memory

  /// The window has become smaller.
  mutating func windowShrank(at now: Double) { trimDue = now + Self.trimDelay }

  /// Asks again for evicted pages when that is due.
  mutating func settle(at now: Double) {
    if renewals.settle(at: now) { cache.forgetEvicted() }
  }

  /// Whether the window has been smaller for long enough to give memory back.
  func isTrimDue(at now: Double) -> Bool { trimDue.map { now >= $0 } ?? false }

  /// Drops the pictures that are larger than the window.
  /// - Parameter side: the longest side in pixels of any picture that this window requests.
  mutating func trim(toSide side: Int) {
    trimDue = nil
    cache.forget(largerThan: side)
  }
}
