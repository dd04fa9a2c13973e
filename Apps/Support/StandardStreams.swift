import Glibc

/// Standard input, output and error, of which whoever starts a program may have closed some.
package enum StandardStreams {
  /// Occupies the closed ones: the first file that is opened would get the number of one of them, and
  /// what is printed would be written into it. Each fails as a closed one does: nothing can be read
  /// from that input, nothing written to these outputs. Call it first.
  package static func occupy() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is this one.
      _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
