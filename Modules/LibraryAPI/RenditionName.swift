public import Models

/// The names of renditions, derived from the content so that equal originals share them.
public enum RenditionName {
  public static func page(_ digest: Digest, page: Int, fileExtension: String) -> String {
    "\(prefix(digest))-p\(page).\(fileExtension)"
  }

  public static func scaled(
    _ digest: Digest, page: Int, side: Int, fileExtension: String
  ) -> String {
    "\(prefix(digest))-p\(page)-\(side).\(fileExtension)"
  }

  private static func prefix(_ digest: Digest) -> String {
    let name = digest.description
    return "\(name.prefix(2))/\(name)"
  }
}
