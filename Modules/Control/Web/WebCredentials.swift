import Glibc
import LibraryAPI
import Models
import SystemCalls

/// The persistent part of a library's web access, in `.imgdl/web.json`, which only the user can read.
struct WebCredentials: Codable, Sendable, Equatable {
  /// The random label of the page's host name: 32 hexadecimal digits.
  private(set) var name: String
  /// The key that signs tokens: 64 hexadecimal digits. A new key ends every session.
  private(set) var key: String
  /// The port of the page; nil until the page is first opened.
  var port: UInt16?
  /// Whether the server serves the page from each start on.
  var isEnabled: Bool
  /// The sessions that have ended before their tokens expire, by a logout; the oldest first.
  private(set) var ended: [EndedSession]?

  struct EndedSession: Codable, Sendable, Equatable {
    /// The identifier in the tokens of the session.
    let id: String
    /// The time at which the last token of the session expires, in Unix seconds.
    let expiry: Int64
  }

  /// The maximum number of ended sessions. A further one takes the place of the oldest.
  static let endedLimit = 1_000

  init(random: any RandomSource) {
    name = random.hexadecimal(words: 2)
    key = random.hexadecimal(words: 4)
    port = nil
    isEnabled = false
  }

  var keyBytes: [UInt8] { Digest(hexadecimal: key)?.bytes ?? [] }

  /// Replaces the key and the name, which ends every session and every Bearer token. The name changes because
  /// a program that knows it could receive the cookies of later sessions.
  mutating func replace(random: any RandomSource) {
    name = random.hexadecimal(words: 2)
    key = random.hexadecimal(words: 4)
    ended = nil
  }

  /// Ends a session. The signature of its tokens stays valid until they expire, so it is remembered until then.
  /// - Parameter expiry: The latest time at which a token of the session expires, in Unix seconds.
  mutating func endSession(_ id: String, expiry: Int64, now: Int64) {
    var sessions = (ended ?? []).filter { $0.expiry > now && $0.id != id }
    sessions.append(EndedSession(id: id, expiry: expiry))
    ended = Array(sessions.suffix(Self.endedLimit))
  }

  /// Whether all values have the form in which this program writes them.
  fileprivate var isValid: Bool {
    let digits = Set("0123456789abcdef".utf8)
    return name.utf8.count == 32 && name.utf8.allSatisfy(digits.contains)
      && key.utf8.count == 64 && key.utf8.allSatisfy(digits.contains)
      && port.map { $0 >= WebOrigin.ports.lowerBound } ?? true && (port != nil || !isEnabled)
  }
}

/// The web page of a library that no server is using.
public enum WebPageFile {
  /// Disables the page, and ends every session. Blocks while it accesses the file.
  /// - Returns: Whether the page was enabled, or an unreadable file was replaced.
  /// - Throws: `folder` if the file cannot be written.
  public static func disable(libraryRoot: String) throws(ControlError) -> Bool {
    let file = WebCredentialsFile(libraryRoot: libraryRoot)
    let random = SystemRandomSource()
    var credentials: WebCredentials
    do throws(ControlError) {
      guard let found = try file.read() else { return false }
      credentials = found
    } catch {
      credentials = WebCredentials(random: random)
      credentials.isEnabled = true
    }
    let wasEnabled = credentials.isEnabled
    credentials.isEnabled = false
    credentials.replace(random: random)
    try file.write(credentials)
    return wasEnabled
  }
}

/// The file with the web credentials of a library. All methods block.
struct WebCredentialsFile: Sendable {
  /// The absolute path of the file.
  let path: String
  private let layout: LibraryLayout

  /// - Parameter libraryRoot: The library's folder.
  init(libraryRoot: String) {
    layout = LibraryLayout(root: libraryRoot)
    path = layout.webCredentials
  }

  /// Reads the credentials from the file.
  /// - Returns: nil if the file does not exist.
  /// - Throws: `folder` if the file cannot be read, is damaged, or was accessible to other users, who may
  ///   know the key.
  func read() throws(ControlError) -> WebCredentials? {
    let bytes: [UInt8]
    do throws(SystemError) {
      let file = try layout.folder.open(path)
      let status = try file.status()
      guard status.kind == .file, status.owner == Machine.userID, status.mode & 0o077 == 0 else {
        throw SystemError(errno: EPERM, call: "use a file open to other users", path: path)
      }
      bytes = try file.remainingBytes(limit: Self.maximumBytes)
    } catch {
      if error.isMissing { return nil }
      throw ControlError(.folder, error.description)
    }
    guard let credentials = try? JSONText.decode(WebCredentials.self, from: bytes),
      credentials.isValid
    else { throw ControlError(.folder, "\(path) is damaged") }
    return credentials
  }

  /// The maximum size of the file in bytes, most of which ended sessions may take.
  private static let maximumBytes = 256 << 10

  /// Replaces the file atomically; once the method has returned, the new content survives a power failure.
  /// - Throws: `folder` if the file cannot be written.
  func write(_ credentials: WebCredentials) throws(ControlError) {
    let text = try JSONText.encode(credentials)
    let (folder, temporary) = (layout.folder, path + ".new")
    do throws(SystemError) {
      try folder.removeIfExists(temporary)
      let file = try folder.open(temporary, .writing, create: .mustNotExist, mode: 0o600)
      try file.write(all: text.span.bytes)
      try file.sync()
      try folder.rename(temporary, to: path)
      try folder.openFolder(layout.internals).sync()
    } catch {
      throw ControlError(.folder, error.description)
    }
  }
}
