import Glibc

package enum InheritedSignals {
  /// Restores the default action of SIGCHLD, which the program that started this one may have ignored: the kernel
  /// would then discard the exit status and the resource usage of each child process, so that nobody could wait
  /// for one. Must be called before a child process is started.
  package static func reset() {
    signal(SIGCHLD, SIG_DFL)
  }
}
