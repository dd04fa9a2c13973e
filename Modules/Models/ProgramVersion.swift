/// The version of the programs and of the packages that they are in. `Tools/version` reads it here, which is why it
/// is a literal on a line of its own.
public enum ProgramVersion {
  public static let text = "0.1.0"
}
