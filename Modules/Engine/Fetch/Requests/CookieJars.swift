import Models
import Transport

/// The cookies that servers have set for sources and single downloads of this run. Part of the engine's isolation;
/// transfers use the jars from their own threads.
final class CookieJars {
  enum Owner: Hashable {
    case source(SourceID)
    case request(RequestKey)
  }

  private struct Entry {
    let jar: CookieJar
    var use: UInt64
    /// Whether the documents of the source were read in this run, so that their cookies are in the jar.
    var isOfReading = false
  }

  private var jars: [Owner: Entry] = [:]
  private var lastUse: UInt64 = 0
  /// The jar that was used last: most transfers follow one of the same source.
  private var last: (owner: Owner, jar: CookieJar)?

  /// The number of jars that are kept; each has at most 64 KiB.
  private static let limit = 256

  /// The jar of a source or of a single download, which replaces the one that has not been used for the longest time
  /// if there are too many.
  subscript(owner: Owner) -> CookieJar {
    if let last, last.owner == owner { return last.jar }
    let jar = find(owner)
    last = (owner, jar)
    return jar
  }

  private func find(_ owner: Owner) -> CookieJar {
    lastUse &+= 1
    if let known = jars[owner]?.jar {
      jars[owner]?.use = lastUse
      return known
    }
    if jars.count >= Self.limit, let oldest = jars.min(by: { $0.value.use < $1.value.use }) {
      jars[oldest.key] = nil
    }
    let new = CookieJar()
    jars[owner] = Entry(jar: new, use: lastUse)
    return new
  }

  /// Registers that the documents of a source were read.
  /// - Returns: Whether there are cookies.
  func registerReading(of source: SourceID) -> Bool {
    let jar = self[.source(source)]
    jars[.source(source)]?.isOfReading = true
    return !jar.isEmpty
  }

  /// Whether the jar has the cookies that the documents of a source set.
  func haveReading(of source: SourceID) -> Bool { jars[.source(source)]?.isOfReading ?? false }

  func removeAll() { (jars, last) = ([:], nil) }
}
