import SystemCalls
import Testing

/// Requests that a public server tries to lead into a private network (SSRF), from every place where
/// the program makes one: a public address and a private one, both of a network namespace.
@Suite struct PrivateAddressTests {
  /// Whether this user may have a network of its own.
  static let canHaveNetwork: Bool = {
    guard Machine.userID == 0 else { return false }
    let command = RunningProgram.Command(
      path: "/usr/bin/unshare", arguments: ["-n", "/bin/sh", "-c", "ip link set lo up"],
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    guard let program = try? RunningProgram(command) else { return false }
    while program.isRunning {}
    return program.exitCode == 0
  }()

  /// Every line that `check` writes: a name, the exit code, how often the private server was asked.
  private static let script = """
    ip link set lo up
    ip address add 93.184.216.34/32 dev lo
    mkdir private public
    cp secret.png private
    cp good.png public
    P=http://93.184.216.34
    echo $P/secret.png > public/list.txt
    echo $P/secret.png > local.txt
    echo $P/good.png > public/soon.txt
    echo '{"items":["good.png"],"next":"more.json"}' > public/pages.json
    echo '{"items":["good.png"],"next":"later.json"}' > public/lazy.json
    mkfifo ready
    imgdl-origin private --port 81 --log private.log > ready & read line < ready
    private=$!
    imgdl-origin public --bind 93.184.216.34 --port 80 --redirect http://127.0.0.1:81 > ready &
    public=$!
    read line < ready
    trap 'kill $private $public' EXIT
    last() { imgdl-cli list --json | wc -l; }
    check() {
      name=$1; shift
      imgdl-cli "$@" > said.txt 2>&1 < /dev/null
      echo "$name $? $(wc -l < private.log)"
      sed 's/^/  /' said.txt
    }
    touch private.log
    check direct add $P/secret.png
    check list add $P/list.txt
    check local add local.txt
    check fetch fetch $P/secret.png
    check series add --format series $P/api
    check pages add $P/pages.json
    check more-first add --lazy $P/lazy.json
    check more more $(last)
    check refresh-first add $P/soon.txt
    rm public/soon.txt
    check refresh refresh $(last)
    check dry-run add --dry-run $P/secret.png
    check retry retry
    check daemon daemon start
    check daemon-fetch fetch $P/secret.png
    check daemon-add add --again $P/list.txt
    check daemon-stop daemon stop
    check allowed fetch --set network.privateAddresses=allow $P/secret.png
    """

  @Test(
    "a redirect from a public to a private address is refused for every kind of request",
    .enabled(if: canHaveNetwork, "a network namespace needs root"),
    arguments: ["socket", "url-session"])
  func redirects(_ transport: String) async throws {
    try await Rig.run { rig in
      try rig.write("secret.png", Sample.image(1))
      try rig.write("good.png", Sample.image(2))
      try rig.write("script", Self.script)
      let ending = try await rig.shell(
        "export IMGDL_ADAPTERS_TRANSPORT=\(transport); exec unshare -n sh script")
      let said = "\(ending.output)\(ending.errors)"
      var results: [String: (code: Int, requests: Int)] = [:]
      for line in ending.output.split(separator: "\n") where !line.hasPrefix(" ") {
        let words = line.split(separator: " ")
        guard words.count == 3, let code = Int(words[1]), let count = Int(words[2]) else {
          continue
        }
        results[String(words[0])] = (code, count)
      }
      for name in ["more-first", "refresh-first", "daemon", "daemon-stop"] {
        #expect(results[name]?.code == 0, "\(name): \(said)")
      }
      for name in [
        "direct", "list", "local", "fetch", "series", "pages", "more", "refresh", "dry-run",
        "retry",
        "daemon-fetch", "daemon-add",
      ] {
        let code = try #require(results[name]?.code, "\(name): \(said)")
        #expect(code != 0, "\(name): \(said)")
      }
      for (name, result) in results where name != "allowed" {
        #expect(result.requests == 0, "\(name) asked the private server: \(said)")
      }
      // The redirect exists in every case; only some requests may follow it.
      let allowed = try #require(results["allowed"], "\(said)")
      #expect(allowed == (0, 1), "\(said)")
    }
  }
}
