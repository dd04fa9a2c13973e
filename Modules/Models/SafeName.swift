import Foundation

/// Names of files and folders that come from us, never from outside as they are.
public enum SafeName {
  /// What is the same for two names that a file system without regard to case takes for one.
  public static func foldingKey(_ name: String) -> String {
    name.uppercased().lowercased().precomposedStringWithCanonicalMapping
  }
}
