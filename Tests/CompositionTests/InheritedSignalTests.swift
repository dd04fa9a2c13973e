import Glibc
import ProgramSupport
import Testing

@Suite("Inherited signals")
struct InheritedSignalTests {
  @Test("The status of a child can be read though SIGCHLD was inherited as ignored")
  func ignoredChildren() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      InheritedSignals.reset()
      var child: pid_t = 0
      let path = try #require(strdup("/bin/false"))
      defer { free(path) }
      #expect(posix_spawn(&child, path, nil, nil, [path, nil], environ) == 0)
      var status: Int32 = 0
      #expect(waitpid(child, &status, 0) == child)
      #expect((status >> 8) & 0xff == 1)
    }
  }
}
