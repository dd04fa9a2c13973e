/// Encrypts the connections of a server, which does not implement TLS itself.
public protocol ConnectionSecurity: Sendable {
  /// Shakes hands over an accepted, blocking socket, on the connection's thread; nil if that failed.
  func secure(_ socket: Int32) -> (any SecureStream)?
}

/// One encrypted connection. Only its thread uses it.
public protocol SecureStream: AnyObject, Sendable {
  /// The bytes that were read; 0 or less at the end of the stream, clean or not.
  func receive(into buffer: UnsafeMutableRawBufferPointer) -> Int
  /// The bytes that were written; 0 or less if the other side has gone.
  func send(_ bytes: UnsafeRawBufferPointer) -> Int
  /// Tells the other side that nothing more comes, as close_notify of TLS does.
  func end()
}
