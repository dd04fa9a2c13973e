"""Tests our transport with real SOCKS proxies.

Only the proxies can resolve the name origin.test: they run with a hosts file of their own. Our program uses a stub
resolver, which resolves no name and counts the queries: there must be some without a proxy, and none with one.
"""

import argparse
import http.server
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from certificates import Certificates
from exchange import Client
from ports import free_port

BODY = bytes(range(256)) * 400


class Resolver(threading.Thread):
    """Counts queries over UDP, and answers each with NXDOMAIN."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        self.count = 0
        self.start()

    def run(self):
        while True:
            query, address = self.socket.recvfrom(4096)
            self.count += 1
            self.socket.sendto(query[:2] + b"\x81\x83" + query[4:6] + bytes(6) + query[12:], address)


class Site(http.server.BaseHTTPRequestHandler):
    """The origin: one file, over connections that are kept."""

    protocol_version = "HTTP/1.1"
    seen = []

    def do_GET(self):
        self.seen.append((self.path, self.headers["Host"], self.headers["Proxy-Authorization"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)

    def log_message(self, *_):
        pass


def start_site(family, address, certificates=None):
    """Serves the site, with TLS if there are certificates. Returns the port."""

    class Server(http.server.ThreadingHTTPServer):
        address_family = family
        daemon_threads = True
        request_queue_size = 128

    server = Server((address, 0), Site)
    if certificates:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates.certificate, certificates.key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


class Proxy:
    """A proxy on loopback that runs from `with` on."""

    name = ""
    user = None
    # A port to which it refuses to connect.
    forbidden = None
    # Whether it replies before it has connected, so that failures look like those of the host.
    is_hasty = False

    def __init__(self, scratch):
        self.folder = scratch / self.name.replace(" ", "-")
        self.folder.mkdir()
        self.port = free_port()

    def command(self):
        raise NotImplementedError

    def __enter__(self):
        hosts = self.folder / "hosts"
        hosts.write_text("127.0.0.1 localhost origin.test\n")
        script = 'mount --bind "$1" /etc/hosts && shift && exec "$@"'
        mapping = [] if os.getuid() == 0 else ["--map-root-user"]
        self.output = (self.folder / "output").open("w")
        self.process = subprocess.Popen(
            ["unshare", *mapping, "--mount", "sh", "-c", script, "sh", str(hosts)]
            + [str(word) for word in self.command()],
            stdout=self.output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
        )
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        self.__exit__()
        sys.exit(f"{self.name} does not answer: {(self.folder / 'output').read_text()[-2000:]}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.output.close()

    def url(self, user=None):
        credentials = f"{user}@" if user else ""
        return f"socks5h://{credentials}127.0.0.1:{self.port}"


class Microsocks(Proxy):
    name = "microsocks"

    def command(self):
        return ["microsocks", "-i", "127.0.0.1", "-p", self.port]


class MicrosocksUser(Proxy):
    name = "microsocks user"
    user = "me:p%40ss"

    def command(self):
        return ["microsocks", "-i", "127.0.0.1", "-p", self.port, "-u", "me", "-P", "p@ss"]


class Dante(Proxy):
    name = "dante"

    def command(self):
        self.forbidden = free_port()
        config = self.folder / "danted.conf"
        config.write_text(f"""
logoutput: stderr
internal: 127.0.0.1 port = {self.port}
external: 127.0.0.1
external: ::1
clientmethod: none
socksmethod: none
user.privileged: root
user.unprivileged: root
client pass {{ from: 127.0.0.0/8 to: 0.0.0.0/0 }}
socks block {{ from: 0.0.0.0/0 to: 0.0.0.0/0 port = {self.forbidden} }}
socks pass {{ from: 0.0.0.0/0 to: 0.0.0.0/0 }}
socks pass {{ from: 0.0.0.0/0 to: ::/0 }}
""")
        return ["danted", "-f", config, "-p", self.folder / "pid"]


class Pproxy(Proxy):
    name = "pproxy user"
    is_hasty = True
    user = "me:secret"

    def command(self):
        # Otherwise it needs no password from an address that has once sent the right one.
        return ["pproxy", "--auth", "0", "-l", f"socks5://127.0.0.1:{self.port}/#{self.user}"]


ALL = [Microsocks, MicrosocksUser, Dante, Pproxy]


class Wrong(Exception):
    """What came is not what should have come."""


def demand(holds, what):
    if not holds:
        raise Wrong(what)


class Checks:
    """What is asked through one proxy; a method that begins with `check_` is a row."""

    def __init__(self, proxy, ports, certificates, resolver, options):
        self.proxy, self.ports, self.resolver = proxy, ports, resolver
        self.options, self.certificates = options, certificates
        self.client = self.start(proxy.url(proxy.user))

    def start(self, proxy):
        settings = [
            f"network.dnsServers=127.0.0.1:{self.resolver.port}",
            f"network.caFile={self.certificates.authority}",
        ]
        if proxy:
            settings += [f"network.httpProxy={proxy}", f"network.httpsProxy={proxy}"]
        return Client(self.options.root, settings)

    def get(self, url, times=1):
        for answer in self.client.ask(url, times=times):
            demand("error" not in answer, f"{answer.get('error')}: {answer.get('detail')}")
            demand(answer["status"] == 200 and answer["length"] == len(BODY), f"{answer}")

    def fail(self, url, client=None):
        answer = (client or self.client).ask(url)[0]
        demand("error" in answer, f"an answer: {answer}")
        is_named = "127.0.0.1:" + str(self.proxy.port) in answer["detail"]
        demand(is_named or self.proxy.is_hasty, f"not named: {answer}")
        demand("secret" not in answer["detail"] and "p@ss" not in answer["detail"], f"{answer}")
        return answer

    def check_name(self):
        before = len(Site.seen)
        self.get(f"http://origin.test:{self.ports['plain']}/x")
        path, host, credentials = Site.seen[before]
        demand(path == "/x" and host == f"origin.test:{self.ports['plain']}", f"{path} {host}")
        demand(credentials is None, "the origin sees the credentials of the proxy")

    def check_name_with_TLS(self):
        self.get(f"https://localhost:{self.ports['secure']}/")

    def check_IPv4_address(self):
        self.get(f"http://127.0.0.1:{self.ports['plain']}/")

    def check_IPv6_address(self):
        self.get(f"http://[::1]:{self.ports['six']}/")

    def check_a_hundred_at_once(self):
        self.get(f"http://origin.test:{self.ports['plain']}/", times=100)

    def check_closed_port(self):
        answer = self.fail(f"http://origin.test:{free_port()}/")
        demand(answer["error"] in ("connectionRefused", "connectionLost"), f"{answer}")
        return answer["detail"].split(": ")[-1]

    def check_unknown_name(self):
        answer = self.fail("http://no-such-name.test/")
        demand(answer["error"] in ("connectionRefused", "connectionLost"), f"{answer}")
        return answer["detail"].split(": ")[-1]

    def check_forbidden_port(self):
        if not self.proxy.forbidden:
            return "-"
        answer = self.fail(f"http://origin.test:{self.proxy.forbidden}/")
        demand(answer["error"] == "proxy", f"{answer}")
        return answer["detail"].split(": ")[-1]

    def check_wrong_password(self):
        if not self.proxy.user:
            return "-"
        for wrong in (None, "me:secret2"):
            client = self.start(self.proxy.url(wrong))
            answer = self.fail(f"http://origin.test:{self.ports['plain']}/", client)
            client.close()
            demand(answer["error"] in ("proxy", "connectionLost"), f"{wrong}: {answer}")
        return "ok"

    def check_no_DNS_query(self):
        demand(self.resolver.count == 0, f"{self.resolver.count} queries")
        direct = self.start(None)
        direct.ask(f"http://origin.test:{self.ports['plain']}/")
        direct.close()
        demand(self.resolver.count > 0, "not even without a proxy: nothing is counted")
        self.resolver.count = 0

    def run(self):
        results = {}
        # The count of queries is the last row.
        for name in [name for name in type(self).__dict__ if name.startswith("check_")]:
            try:
                results[name.removeprefix("check_").replace("_", " ")] = getattr(self, name)() or "ok"
            except Wrong as error:
                results[name.removeprefix("check_").replace("_", " ")] = f"WRONG: {error}"
        self.client.close()
        return results


def main():
    parser = argparse.ArgumentParser(prog="Tools/interop/socks", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", help="test only this proxy; repeatable (default: all)")
    options = parser.parse_args()
    scratch = Path(tempfile.mkdtemp(prefix="imgdl-socks-"))
    results = {}
    try:
        certificates = Certificates(scratch / "certificates")
        ports = {
            "plain": start_site(socket.AF_INET, "127.0.0.1"),
            "secure": start_site(socket.AF_INET, "127.0.0.1", certificates),
            "six": start_site(socket.AF_INET6, "::1"),
        }
        resolver = Resolver()
        for kind in ALL:
            if options.only and kind.name.split()[0] not in options.only:
                continue
            if kind is Pproxy and not shutil.which("pproxy"):
                print("pproxy is not installed, and left out", file=sys.stderr)
                continue
            with kind(scratch) as proxy:
                results[kind.name] = Checks(proxy, ports, certificates, resolver, options).run()
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    for name, rows in results.items():
        print(name)
        for title, result in rows.items():
            print(f"  {title:22} {result}")
    sys.exit(any("WRONG" in row for rows in results.values() for row in rows.values()))


main()
