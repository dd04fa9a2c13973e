import CLibarchive
import Glibc

/// While it lasts, libarchive converts names to UTF-8 on this thread. It goes by the locale, and a
/// program that never set one has ASCII: every other character would arrive as `?`.
struct UTF8Names {
  /// Made once and never freed: it is read from a file. Never written to, and so shared by threads.
  nonisolated(unsafe) private static let locale: locale_t? = imgdl_utf8_locale()

  private let previous: locale_t?

  init() { previous = Self.locale.flatMap { uselocale($0) } }

  func end() { if let previous { _ = uselocale(previous) } }
}
