import Glibc

/// The `xn--` form of an international host name (IDNA 2008 with the mapping of UTS #46, as browsers do), by
/// libidn2, which glibc and curl use as well.
///
/// The library is opened on first use: most runs need no such name, and loading 2 MB of tables would delay
/// each start by a millisecond.
enum InternationalName {
  private typealias Lookup =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, Int32
    ) -> Int32
  private typealias Describe = @convention(c) (Int32) -> UnsafePointer<CChar>?

  private struct Functions: Sendable {
    let lookup: Lookup
    let describe: Describe
  }

  /// The functions of libidn2, or nil if it is not installed.
  private static let functions: Functions? = {
    guard let library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL),
      let lookup = dlsym(library, "idn2_lookup_u8"), let describe = dlsym(library, "idn2_strerror")
    else { return nil }
    return Functions(
      lookup: unsafeBitCast(lookup, to: Lookup.self),
      describe: unsafeBitCast(describe, to: Describe.self))
  }()

  /// `IDN2_NFC_INPUT` and `IDN2_NONTRANSITIONAL` of idn2.h. The flag `IDN2_USE_STD3_ASCII_RULES` is not set:
  /// libidn2 would silently drop forbidden characters and so change the host. The caller rejects them.
  private static let flags: Int32 = 1 | 8

  /// Converts a host name to its `xn--` form.
  /// - Parameter host: The host without a port.
  /// - Throws: An error if the host is not a valid name, or if the library is missing.
  static func ascii(_ host: Substring) throws(HTTPURLError) -> String {
    guard host.utf8.count <= 1_024 else { throw HTTPURLError("the host name is too long") }
    guard let functions else {
      throw HTTPURLError(
        "the international name \"\(host)\" needs libidn2, which is not installed; write it in its "
          + "xn-- form")
    }
    var result: UnsafeMutablePointer<CChar>?
    let code = String(host).withCString { functions.lookup($0, &result, flags) }
    defer { free(result) }
    guard code == 0, let result else {
      let reason = functions.describe(code).map { String(cString: $0) } ?? "code \(code)"
      throw HTTPURLError("host \"\(host)\" is not an international name (\(reason))")
    }
    return String(cString: result)
  }
}
