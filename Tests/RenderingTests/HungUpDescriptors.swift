import Glibc
import SystemCalls

/// The descriptors of this process whose other end is closed. A socket of a worker that has ended is one
/// of them until it is closed, while the files and live connections of tests that run at the same time
/// are not; so a leak of workers' sockets can be counted beside other tests.
enum HungUpDescriptors {
  static var count: Int {
    get throws {
      try FileSystem.list("/proc/self/fd").count { entry in
        var polled = pollfd(fd: Int32(entry.name) ?? -1, events: 0, revents: 0)
        return poll(&polled, 1, 0) == 1 && polled.revents & Int16(POLLHUP) != 0
      }
    }
  }
}
