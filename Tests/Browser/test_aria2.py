"""A web page of another origin that calls the aria2 interface as AriaNg does."""

import http.server
import json
import re
import subprocess
import threading

import pytest

from stage import PROGRAMS, wait_until

# The calls that AriaNg makes when it connects, adds a download and shows its lists.
CALLS = """
async ([port, secret, url, socket]) => {
  const token = `token:${secret}`;
  const message = (id, method, ...params) => ({ jsonrpc: '2.0', id, method, params });
  const batch = (calls) => [[calls.map(([methodName, ...rest]) => ({ methodName, params: [token, ...rest] }))]];
  const steps = [
    () => message('version', 'aria2.getVersion', token),
    () => message('add', 'aria2.addUri', token, [url], { pause: 'true', out: 'bird.png' }),
    () => message('lists', 'system.multicall', ...batch([
      ['aria2.getGlobalStat'], ['aria2.tellActive'], ['aria2.tellWaiting', 0, 1000], ['aria2.tellStopped', -1, 1000],
    ])[0]),
  ];
  const results = [];
  if (socket) {
    const channel = new WebSocket(`ws://127.0.0.1:${port}/jsonrpc`);
    await new Promise((done, fail) => { channel.onopen = done; channel.onerror = () => fail(new Error('refused')); });
    for (const step of steps) {
      const answer = new Promise((done) => { channel.onmessage = (event) => done(JSON.parse(event.data)); });
      channel.send(JSON.stringify(step()));
      results.push(await answer);
    }
    channel.close();
    return results;
  }
  for (const step of steps) {
    const answer = await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(step()),
    });
    results.push(await answer.json());
  }
  return results;
}
"""


@pytest.fixture
def origin():
    """The origin of a page that is not imgdld's."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = b"<!doctype html><title>client</title>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def slow():
    """The URL of a file of which a server sends the beginning, and then waits."""
    ended = threading.Event()

    class File(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(b"\x89PNG\r\n\x1a\n" + bytes(40_000))
            self.wfile.flush()
            ended.wait()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), File)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/bird.png"
    ended.set()
    server.shutdown()


class Interface:
    """An imgdld with the aria2 interface."""

    secret = "of the test"

    def __init__(self, stage, *options):
        secret = stage.home / "secret"
        secret.write_text(self.secret)
        secret.chmod(0o600)
        self.port = stage.port
        self.log_path = stage.home / "log"
        with self.log_path.open("w") as log:
            self.process = subprocess.Popen(
                [PROGRAMS / "imgdld", "--aria2", "--library", stage.library, "--rpc-secret-file", secret,
                 "--rpc-listen-port", str(self.port), *options],
                stdout=log, stderr=log,
                env={"PATH": "/usr/bin:/bin", "HOME": str(stage.home), "XDG_RUNTIME_DIR": str(stage.home),
                     "LANG": "C.UTF-8"})
        wait_until(lambda: "web-listening" in self.log() or self.process.poll() is not None)

    def log(self):
        return self.log_path.read_text()

    def call(self, page, socket, url="http://127.0.0.1:9/bird.png"):
        return page.evaluate(CALLS, [self.port, self.secret, url, socket])

    def close(self):
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture
def start(stage):
    started = []

    def start(*options):
        started.append(Interface(stage, *options))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.mark.parametrize("socket", [False, True])
def test_an_allowed_page_makes_the_calls_of_ariang(stage, start, context, origin, socket):
    interface = start("--set", f"aria2.allowOrigin={origin}")
    page = context.new_page()
    page.goto(origin)
    version, added, lists = interface.call(page, socket)
    assert version["result"]["version"]
    gid = added["result"]
    active, waiting, stopped = [each[0] for each in lists["result"][1:]]
    assert (active, [each["gid"] for each in waiting], stopped) == ([], [gid], [])
    assert waiting[0]["status"] == "paused"
    assert "aria2-origin-refused" not in interface.log()


@pytest.mark.parametrize("socket", [False, True])
def test_a_refused_page_is_logged_once_with_the_setting_that_allows_it(start, context, origin, socket):
    interface = start()
    page = context.new_page()
    page.goto(origin)
    for _ in range(3):
        with pytest.raises(Exception, match="Failed to fetch|refused"):
            interface.call(page, socket)
    lines = [line for line in interface.log().splitlines() if "aria2-origin-refused" in line]
    assert len(lines) == 1
    setting = re.search(r"--set aria2\.allowOrigin=(\S+?)\"?$", lines[0])
    assert setting and setting.group(1) == origin


def test_a_paused_download_of_a_client_is_paused_in_the_list(stage, start, context, origin, slow):
    interface = start("--set", f"aria2.allowOrigin={origin}")
    page = context.new_page()
    page.goto(origin)
    [_, added, _] = interface.call(page, False, slow)
    call = """async ([port, method, secret, gid]) => (await (await fetch(`http://127.0.0.1:${port}/jsonrpc`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 'x', method, params: [`token:${secret}`, gid] }) })).json()).result"""

    def ask(method):
        return page.evaluate(call, [interface.port, method, interface.secret, added["result"]])

    ask("aria2.unpause")
    wait_until(lambda: int(ask("aria2.tellStatus")["completedLength"]) > 0)
    ask("aria2.pause")
    wait_until(lambda: ask("aria2.tellStatus")["status"] == "paused")
    [record] = [json.loads(line) for line in stage.cli("list", "--json").splitlines()]
    assert record["status"] == "Paused"
    assert "Paused" in stage.cli("show", "1")
