import Glibc

/// Standard input, output and error, any of which may be closed when a program starts.
package enum StandardStreams {
  /// Opens `/dev/null` as each closed stream; otherwise the first file that the program opens would get the
  /// number of that stream, and output would be written into the file. Reading from such an input and writing
  /// to such an output fail, as with a closed descriptor. Must be called before any file is opened.
  package static func occupy() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) == -1 && errno == EBADF {
      // `open` returns the lowest free number, which is `number`.
      _ = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }
}
