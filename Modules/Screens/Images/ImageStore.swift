import Models
import Terminal

/// The images that the screens show: the decoded images, the requested images, and the passwords for decoding
/// encrypted documents.
///
/// Screens only read the store. It changes when a response arrives, and when a viewer opens or closes.
struct ImageStore: Sendable {
  private var cache: ImageCache
  private var renewals = Renewals()
  private var placeholders: [ResourceID: Image] = [:]
  private var passwords = DocumentPasswords()
  /// The last request for images.
  private(set) var wantedImages = ImageOrder()
  /// The time at which large images are removed after the window has become smaller; nil if none is due.
  private var trimDue: Double?

  /// The delay in seconds before large images are removed, because the window passes through many sizes while
  /// the user resizes it.
  static let trimDelay = 1.0

  init(byteLimit: Int) { cache = ImageCache(byteLimit: byteLimit) }

  var byteLimit: Int { cache.byteLimit }
  /// The size of all entries in bytes.
  var bytes: Int { cache.bytes }
  /// The time at which `advance` or trimming is due; nil if neither is.
  var wake: Double? { [renewals.wake, trimDue].compactMap(\.self).min() }

  // MARK: - Stored images

  func image(_ key: ImageKey) -> Image? { cache.image(key) }

  /// Returns the blurred image of a resource; nil if there is none.
  func placeholder(of resource: ResourceID) -> Image? { placeholders[resource] }

  /// Adds blurred images. If there would be more than `placeholderLimit`, all earlier ones are removed.
  mutating func insert(_ new: [ResourceID: Image]) {
    if placeholders.count + new.count > Self.placeholderLimit { placeholders = [:] }
    placeholders.merge(new) { $1 }
  }

  /// The maximum number of blurred images, of about a kilobyte each.
  static let placeholderLimit = 2_048

  /// Returns the reason why an image cannot be shown; nil if none is known.
  func problem(_ key: ImageKey) -> String? { cache.problem(key) }

  /// Returns whether the image needs a password.
  func isEncrypted(_ key: ImageKey) -> Bool { cache.isEncrypted(key) }

  /// Returns whether the engine has evicted the image and has to make it again.
  func isEvicted(_ key: ImageKey) -> Bool { cache.isEvicted(key) }

  /// Returns whether the store has a response for this image, be it an image or a problem.
  func hasAnswer(for key: ImageKey) -> Bool { cache.contains(key) }

  /// Returns the stage that the image of a slice has reached.
  /// - Parameters:
  ///   - key: The key of the slice's image; nil if the slice has no file.
  ///   - isActive: Whether the resource is being downloaded, unpacked or rendered.
  ///   - showsParts: Whether the screen shows the pages of a file even if other pages of it failed; such a
  ///     file is marked like a complete one.
  func residency(
    of slice: Slice, _ key: ImageKey?, isActive: Bool, showsParts: Bool = false
  ) -> Residency {
    if slice.isCancelled { return .cancelled }
    let isShownInPart = showsParts && slice.hasFile && slice.pageCount > 0
    if slice.state == .failed, !isShownInPart { return .error }
    if let key {
      if cache.image(key) != nil { return .decoded }
      if cache.problem(key) != nil { return .error }
    }
    if isActive { return .partial }
    return slice.hasFile && slice.state != .queued ? .stored : .queued
  }

  // MARK: - Requests

  /// Records which images the screen shows, and returns the new request for the missing images; nil if the
  /// last request is still valid.
  /// - Parameter keys: The visible images by descending priority.
  mutating func request(_ keys: [ImageKey]) -> ImageOrder? {
    cache.touch(keys)
    let missing = keys.filter { !cache.contains($0) }
    let order = ImageOrder(missing, passwords: passwords.entered)
    guard order != wantedImages else { return nil }
    wantedImages = order
    return order
  }

  /// Stores the response for an image.
  /// - Returns: Whether the visible range must be reported to the engine again, so that the engine makes
  ///   evicted pages again.
  mutating func receive(_ key: ImageKey, _ answer: ImageAnswer, at now: Double) -> Bool {
    guard case .evicted = answer else {
      renewals.endAttempts(for: key)
      cache.insert(key, answer)
      return false
    }
    let step = renewals.evicted(key, at: now)
    cache.insert(
      key,
      step == .abandon ? .problem("evicted from the cache, and could not be made again") : .evicted)
    return step == .reportRange
  }

  /// Removes all images and passwords, but not `wantedImages`, after the library was reset.
  mutating func removeAll() {
    cache.removeAll()
    placeholders = [:]
    renewals = Renewals()
    passwords = DocumentPasswords()
  }

  // MARK: - The viewer

  /// Prepares for a viewer that opens: images whose requests were abandoned will be requested again.
  mutating func beginViewing() {
    cache.remove(renewals.abandoned)
    renewals = Renewals()
    cache.forgetEvicted()
  }

  /// Forgets the passwords of a viewer that closes, and the images that were decoded with them.
  mutating func endViewing() {
    for id in passwords.entered.keys { cache.remove(of: id) }
    passwords.forgetEntered()
  }

  /// Returns whether the password of the document was entered before and has been forgotten.
  func isLockedAgain(_ resource: Resource) -> Bool { passwords.isForgotten(resource) }

  /// Returns whether a part of the file needs a password that is not known.
  /// - Complexity: O(*n*), where *n* is the number of cached images.
  func needsPassword(_ resource: Resource) -> Bool {
    resource.needsPassword || isLockedAgain(resource) || cache.isEncrypted(resource)
  }

  /// Marks a document as protected: its password is requested whenever it is opened again.
  mutating func protect(_ document: Digest) { passwords.protect(document) }

  /// Removes the problems of a file that was unlocked, so that its images are requested again.
  mutating func unlock(_ resource: ResourceID) { cache.forgetProblems(of: resource) }

  /// Stores the password with which the open viewer decodes the pages of a document.
  mutating func enter(_ password: DocumentPassword, for resource: ResourceID) {
    passwords.enter(password, for: resource)
  }

  // MARK: - Time and memory

  /// Schedules the removal of large images after the window has become smaller.
  mutating func windowShrank(at now: Double) { trimDue = now + Self.trimDelay }

  /// Removes the entries of evicted pages when their next attempt is due, so that they are requested again.
  mutating func advance(to now: Double) {
    if renewals.advance(to: now) { cache.forgetEvicted() }
  }

  /// Returns whether the window became smaller at least `trimDelay` seconds ago.
  func isTrimDue(at now: Double) -> Bool { trimDue.map { now >= $0 } ?? false }

  /// Removes the images that are larger than the window needs.
  /// - Parameter side: The largest side in pixels of any image that this window requests.
  mutating func trim(toSide side: Int) {
    trimDue = nil
    cache.remove(largerThan: side)
  }
}
