public import Models
public import Rendering

/// Errors of decoders, whose details are sentences for users; a C library's message follows in parentheses.
extension RenderError {
  /// Returns the error for a file that ends before the image is complete.
  public static func truncated(_ format: ResourceFormat) -> RenderError {
    RenderError(
      .truncated, "the \(format.displayName) file ends too early, a part of it is missing")
  }

  /// Returns the error for data that contradicts its format.
  /// - Parameter words: The message of a library; nil or empty if it gave none.
  public static func damaged(_ format: ResourceFormat, _ words: String? = nil) -> RenderError {
    RenderError(.damaged, escaping: "the \(format.displayName) file is damaged" + brackets(words))
  }

  /// Returns the error for a variant of the format that the decoder does not support.
  /// - Parameter what: The predicate of the sentence "the … file …".
  public static func unsupported(
    _ format: ResourceFormat, _ what: String, _ words: String? = nil
  ) -> RenderError {
    RenderError(.unsupported, escaping: "the \(format.displayName) file \(what)" + brackets(words))
  }

  /// Returns the error for a library that could not allocate memory.
  public static func noMemory(_ format: ResourceFormat) -> RenderError {
    RenderError(.io, "there was not enough memory to decode the \(format.displayName) file")
  }

  private static func brackets(_ words: String?) -> String {
    guard let words, !words.isEmpty else { return "" }
    return " (\(words))"
  }
}
