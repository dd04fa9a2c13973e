import Models
import Transport

extension FileSink {
  /// Checks and reports for the body of a source, which is examined while it is received.
  struct Aspects: Sendable {
    /// Judges a body by the response and the first bytes.
    var judge: @Sendable (ResponseHead, [UInt8], _ total: Int64?) -> Verdict
    /// Called at intervals with the number of bytes received and the total, if that is known.
    var report: @Sendable (Int64, Int64?) -> Void
    /// The URLs to which redirects may lead; nil for all.
    var permittedRedirects: Set<HTTPURL>?
    /// The time in seconds in which the attempt must end; nil for that of the settings.
    var seconds: Double?

    /// The time between two reports, in nanoseconds.
    static let reportInterval: UInt64 = 250_000_000

    /// The largest size of a body, whose kind its first bytes have shown.
    struct SizeLimit: Sendable, Equatable {
      var byteCount: Int64
      /// What is wrong with a larger body, as a clause for users; nil for one of `limits.resourceBytes`.
      var reason: String?
    }

    enum Verdict: Sendable {
      /// The body may be received, up to the largest size that can be read of its kind.
      case accepted(SizeLimit)
      /// The body cannot be a source.
      case refused(String)
      /// The body is the content of a resource, which the scheduler downloads better than one connection.
      case isResource
    }
  }
}
