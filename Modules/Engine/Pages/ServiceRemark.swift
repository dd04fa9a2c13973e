import IIIF

/// The remark that an image service delivered a reduced image, which stays in the reason of the resource when
/// its pages are made.
struct ServiceRemark: Equatable {
  let text: String

  private static let separator = "; "

  /// Returns the remark at the beginning of a reason; nil if there is none.
  init?(in reason: String?) {
    guard let reason, reason.hasPrefix(ImageServicePlan.remarkPrefix) else { return nil }
    text = String(reason.split(separator: ";", maxSplits: 1)[0])
  }

  /// Returns the reason of a resource with a remark about its file, and a reason why its pages cannot be shown.
  static func joined(_ remark: String?, _ reason: String?) -> String? {
    guard let remark, let reason else { return remark ?? reason }
    return remark + separator + reason
  }
}
