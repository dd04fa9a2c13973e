public import Models

extension HTTPURL {
  /// Returns the value of `Referer` for a request that this page causes, by the default policy of browsers
  /// (Referrer Policy, `strict-origin-when-cross-origin`): the whole URL within its origin, the origin alone for
  /// others, and nothing from `https` to `http`.
  public func referrer(for url: HTTPURL) -> String? {
    ReferrerPolicy.byDefault.referrer(of: self, for: url)
  }
}
