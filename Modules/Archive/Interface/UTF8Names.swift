import Glibc

/// Makes libarchive convert names to UTF-8 on this thread until `end()`. libarchive uses the locale, which is
/// ASCII in a program that never set one: every other character would become `?`.
package struct UTF8Names {
  /// The UTF-8 locale. It is created once and never freed, because loading it reads a file; all threads share
  /// it, since it is immutable.
  nonisolated(unsafe) private static let locale: locale_t? = newlocale(
    LC_CTYPE_MASK, "C.UTF-8", nil)

  private let previous: locale_t?

  package init() { previous = Self.locale.flatMap { uselocale($0) } }

  package func end() { if let previous { _ = uselocale(previous) } }
}
