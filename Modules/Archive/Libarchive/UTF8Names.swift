import CLibarchive
import Glibc

/// While it lasts, libarchive converts names to UTF-8 on this thread. It goes by the locale, and a
/// program that never set one has ASCII: every other character would arrive as `?`.
struct UTF8Names {
  private let locale: locale_t?
  private let previous: locale_t?

  init() {
    locale = imgdl_utf8_locale()
    previous = locale.flatMap { uselocale($0) }
  }

  func end() {
    guard let locale else { return }
    _ = uselocale(previous)
    freelocale(locale)
  }
}
