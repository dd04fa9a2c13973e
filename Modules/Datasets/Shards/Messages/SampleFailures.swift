import HTTP1
public import Rendering
public import Transport

/// The messages of failures, in the words of Python and img2dataset, by which users group their statistics.
///
/// None of them names a URL or a number of bytes, so that their number stays small.
extension SampleReport {
  public static func failed(status: Int) -> SampleReport {
    SampleReport(
      .failedToDownload, message: "HTTP Error \(status): \(ReasonPhrase.text(status))")
  }

  public static func failed(_ error: TransportError) -> SampleReport {
    let message =
      switch error.code {
      case .dns: "<urlopen error [Errno -2] Name or service not known>"
      case .connectionRefused: "<urlopen error [Errno 111] Connection refused>"
      case .connectTimeout: "<urlopen error timed out>"
      case .idleTimeout, .totalTimeout, .lowSpeed: "timed out"
      case .limitExceeded: "the response is too large"
      case .connectionLost: "[Errno 104] Connection reset by peer"
      case .tls: "<urlopen error [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed>"
      default: error.code.sentence
      }
    return SampleReport(.failedToDownload, message: message)
  }

  public static func failed(_ error: RenderError) -> SampleReport {
    let message =
      switch error.code {
      case .limit: "the image exceeds a limit of the decoder"
      case .worker, .cancelled:
        error.workerCause == .timedOut ? decodingTimeout : "the decoder failed"
      case .io, .unsupported, .damaged, .truncated, .encrypted: "Image decoding error"
      }
    return SampleReport(.failedToResize, message: message)
  }

  public static func rejected(_ rejection: SampleRejection) -> SampleReport {
    let message =
      switch rejection {
      case .tooSmall: "image too small"
      case .areaTooLarge: "image area too large"
      case .aspectRatioTooLarge: "aspect ratio too large"
      }
    return SampleReport(.failedToResize, message: message)
  }

  private static let decodingTimeout = "the image was not decoded in time"

  /// The report of a sample whose deadline passed before it was decoded.
  public static let decodingDeadline = SampleReport(.failedToResize, message: decodingTimeout)

  public static let deadline = SampleReport(
    .failedToDownload, message: "the deadline of the shard was reached")
}
