"""The image services of compare.py, on loopback, and a relay that counts the requests to them."""

import io
import json
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image

IIPSRV = "/usr/lib/iipimage-server/iipsrv.fcgi"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(url):
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


def wait(url):
    for _ in range(200):
        try:
            return get(url)
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"{url} does not answer")


def load(data):
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def start(handler):
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.address = f"http://127.0.0.1:{server.server_address[1]}"
    return server


def serve(folder):
    return start(partial(Quiet, directory=str(folder))).address


class Relay(BaseHTTPRequestHandler):
    """Passes requests on to a server and counts them; may add members to its descriptions."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.server.paths.append(self.path)
        try:
            with urllib.request.urlopen(self.server.origin + self.path, timeout=60) as answer:
                status, kind, body = answer.status, answer.headers.get("Content-Type"), answer.read()
        except urllib.error.HTTPError as error:
            status, kind, body = error.code, "text/plain", b"refused"
        if self.server.members and self.path.endswith("/info.json"):
            body = json.dumps(json.loads(body) | self.server.members).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind or "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def relay(url, members):
    """A relay to the server of this URL."""
    server = start(Relay)
    server.origin, server.paths, server.members = "://".join(urlsplit(url)[:2]), [], members
    return server


class Servers:
    """The processes of this run."""

    def __init__(self, scratch):
        self.scratch, self.processes = scratch, []

    def start(self, *command, **options):
        log = (self.scratch / "servers.log").open("a")
        self.processes.append(
            subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, stdin=subprocess.DEVNULL, **options))

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(timeout=10)

    def iipsrv(self, tiffs, **settings):
        """iipsrv behind lighttpd, which starts it."""
        port = free_port()
        folder = self.scratch / f"lighttpd-{port}"
        folder.mkdir()
        environment = {"FILESYSTEM_PREFIX": f"{tiffs}/", "LOGFILE": "/dev/null", **settings}
        lines = ", ".join(f'"{key}" => "{value}"' for key, value in environment.items())
        (folder / "lighttpd.conf").write_text(f"""
server.modules = ("mod_fastcgi")
server.document-root = "{folder}"
server.bind = "127.0.0.1"
server.port = {port}
fastcgi.server = ("/iipsrv" => ("iipsrv" => (
  "socket" => "{folder}/socket", "check-local" => "disable", "max-procs" => 1,
  "bin-path" => "{IIPSRV}", "bin-environment" => ({lines}))))
""")
        self.start("/usr/sbin/lighttpd", "-D", "-f", folder / "lighttpd.conf")
        return f"http://127.0.0.1:{port}/iipsrv?IIIF="

    def reference(self, pictures):
        port = free_port()
        program = Path(sys.executable).parent / "iiif_testserver.py"
        self.start(
            sys.executable, program, "--host", "127.0.0.1", "--port", port, "--image-dir", pictures,
            "--manipulators", "pil", "--auth-types", "none", "--quiet", cwd=self.scratch)
        return f"http://127.0.0.1:{port}"


def static_iiif(version, pictures, folder, address):
    program = Path(sys.executable).parent / "iiif_static.py"
    for path in sorted(pictures.glob("*.png")):
        subprocess.run(
            [sys.executable, program, "-a", version, "-d", folder, "-p", address, "-t", "256", path], check=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def static_vips(layout, pictures, folder, address):
    for path in sorted(pictures.glob("*.png")):
        subprocess.run(
            ["vips", "dzsave", path, folder / path.stem, "--layout", layout, "--tile-size", "256", "--overlap", "0",
             "--suffix", ".jpg[Q=90]", "--id", address], check=True)
