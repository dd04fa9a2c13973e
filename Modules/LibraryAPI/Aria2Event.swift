/// An event of the aria2 interface that the server's log reports. No event contains the secret.
public enum Aria2Event: Sendable, Equatable {
  /// A client called without the secret.
  case refused
  /// A web page of this origin called, which `aria2.allowOrigin` does not name.
  case refusedOrigin(String)
  /// A client has set an option that this program does not support.
  case ignoredOption(String)
  /// An entry of an input file or the session file cannot be used.
  case problem(String)
  /// A client has asked the program to end.
  case shutDownRequested
}
