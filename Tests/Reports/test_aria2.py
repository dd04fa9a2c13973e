"""Messages to the aria2 interface of imgdld that ask for much more than they are long."""

import http.client
import json
import pathlib
import socket
import sys

import pytest

from library import PATIENCE, wait_until
from raw_server import NOT_FOUND

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Tools/interop"))

from ports import free_port  # noqa: E402

SECRET = "token:" + "x" * 24
DOWNLOADS = 300


class Client:
    def __init__(self, port):
        self.port = port

    def body(self, method, *parameters):
        return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": list(parameters)}).encode()

    def call(self, method, *parameters):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("POST", "/jsonrpc", self.body(method, *parameters), {"Content-Type": "application/json"})
        content = connection.getresponse().read()
        connection.close()
        return json.loads(content)

    def stopped(self):
        return len(self.call("aria2.tellStopped", SECRET, 0, 1000, ["gid"])["result"])


@pytest.fixture
def client(library, serve):
    """A client of an imgdld with many failed downloads."""
    server = serve(lambda _: NOT_FOUND)
    secret = library.write("secret", SECRET.removeprefix("token:"))
    secret.chmod(0o600)
    client = Client(free_port())
    library.start_daemon("--aria2", "--rpc-secret-file", secret, "--rpc-listen-port", client.port,
                         "--set", "network.retries=0")
    client.call("system.multicall", [
        {"methodName": "aria2.addUri", "params": [SECRET, [f"{server.url}/{number}.png"], {"dir": "d"}]}
        for number in range(DOWNLOADS)])
    wait_until(lambda: client.stopped() == DOWNLOADS)
    return client


AMPLIFIED = [{"methodName": "aria2.tellStopped", "params": [SECRET, 0, 1000]}] * 9_999


def test_a_long_message_holds_up_neither_other_clients_nor_the_end(library, client):
    body = client.body("system.multicall", AMPLIFIED)
    with socket.create_connection(("127.0.0.1", client.port)) as connection:
        head = f"POST /jsonrpc HTTP/1.1\r\nHost: 127.0.0.1:{client.port}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    # The client of the long message has gone.
    assert "result" in client.call("aria2.getGlobalStat", SECRET)
    library.daemon.terminate()
    assert library.daemon.wait(PATIENCE) == 0
