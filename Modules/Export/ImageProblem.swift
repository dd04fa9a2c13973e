import Models
import Rendering

/// The reason why an existing image is not intact.
public struct ImageDamage: Sendable, Equatable {
  public let reason: String
  /// Whether the intact part of the image can be shown; otherwise no part can.
  public let isPartial: Bool

  public init(reason: String, isPartial: Bool) {
    self.reason = reason
    self.isPartial = isPartial
  }
}

/// A missing or damaged image of a record.
public struct ImageProblem: Sendable, Equatable {
  public enum Cause: Sendable {
    /// The image is damaged, not downloaded, or missing.
    case failure
    /// The image is left out because of a limit in the settings or a missing password.
    case refusal
  }

  /// The problem as one sentence for users.
  public let text: String
  public let cause: Cause

  init(_ text: String, cause: Cause) {
    self.text = text
    self.cause = cause
  }

  /// - Parameters:
  ///   - subject: The number of the resource or image, with its name.
  ///   - reason: The reason from the store, which has no error code. The cause is inferred from its text: the
  ///     reason of an exceeded limit names the setting, and that of an encrypted file ends with a hint.
  init(_ subject: String, _ reason: String, followedBy rest: String = "") {
    let isRefusal = reason.contains("limits.") || reason.hasSuffix(Resource.passwordHint)
    self.init("\(subject): \(reason)\(rest)", cause: isRefusal ? .refusal : .failure)
  }

  /// Creates the problem of an image that could not be rendered.
  init(_ image: RecordImage, _ error: RenderError) {
    self.init(
      "\(image.number): \(image.label): \(error.detail)",
      cause: error.code == .encrypted || error.code == .limit ? .refusal : .failure)
  }
}

/// The number of exported images.
public struct ExportedImageCount: Sendable, Equatable {
  public var total = 0
  /// The number of images in `total` that are damaged.
  public var damaged = 0

  public init(total: Int = 0, damaged: Int = 0) {
    self.total = total
    self.damaged = damaged
  }
}
