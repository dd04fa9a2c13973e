"""Tests our transport against nginx, Apache httpd and nghttpd, over HTTP/1.1 and HTTP/2, with TLS and without.

Every server has the same files. The protocol of a request is taken from the server's own log. A dash means that the
server does not have the feature, or that the transport does not support the protocol.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import servers
from certificates import Certificates
from exchange import Client, Unavailable

WAYS = {
    "http/1.1": ("HTTP/1.1", False, "HTTP/1.1"), "https/1.1": ("HTTP/1.1, TLS", True, "HTTP/1.1"),
    "http/2": ("HTTP/2", False, "HTTP/2.0"), "https/2": ("HTTP/2, TLS", True, "HTTP/2.0"),
}


def arguments():
    parser = argparse.ArgumentParser(
        prog="Tools/interop/run", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--only", action="append", help="test only this server; repeatable (default: all)")
    parser.add_argument("--transport", default="socket", help="transport to test: socket (default) or url-session")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    return parser.parse_args()


class Site:
    """The files that every server has."""

    def __init__(self, folder):
        folder.mkdir()
        folder.chmod(0o755)
        self.folder = folder
        chance = random.Random(6)
        # No "<!--#" of server-side includes can be in it by chance.
        self.files = {
            "file.bin": bytes(chance.randrange(64, 256) for _ in range(100_000)),
            "large.bin": chance.randbytes(16 << 20).replace(b"<", b"="),
            "empty.bin": b"",
            "a file é.txt": b"spaces and accents",
        }
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
        for number in range(100):
            (folder / f"{number}.bin").write_bytes(chance.randbytes(1_000 + number))
        for path in folder.iterdir():
            # Apache gives a file that has just been written a weak entity tag only.
            os.utime(path, (1_700_000_000, 1_700_000_000))


class Wrong(Exception):
    """What came is not what should have come."""


def demand(holds, what):
    if not holds:
        raise Wrong(what)


class Checks:
    """What is asked of one server in one way; a method that begins with `check_` is a row."""

    def __init__(self, server, way, site, options, scratch):
        self.server, self.site, self.options, self.scratch = server, site, options, scratch
        _, self.is_secure, self.protocol = WAYS[way]
        self.way = way.replace("/", "-")
        self.base = server.base(self.is_secure)
        self.settings = [f"adapters.transport={options.transport}"]
        if self.is_secure and options.transport == "socket":
            self.settings.append(f"network.caFile={server.certificates.authority}")
        version = "off"
        if self.protocol == "HTTP/2.0":
            version = "auto" if self.is_secure else "prior-knowledge"
        if options.transport == "socket":
            self.settings.append(f"network.http2={version}")
        self.client = Client(options.root, self.settings)

    def get(self, path, **more):
        output = self.scratch / "body"
        answer = self.client.ask(self.base + path, output=output, **more)[0]
        demand("error" not in answer, f"{answer.get('error')}: {answer.get('detail')}")
        return answer, output.read_bytes()

    def need(self, ability):
        if ability not in self.server.has:
            raise Unavailable(ability)

    def check_whole_files(self):
        for name, content in self.site.files.items():
            answer, body = self.get("/" + name)
            demand(answer["status"] == 200, f"status {answer['status']}")
            demand(body == content, f"{name}: other bytes")
            demand(answer["isLengthKnown"], f"{name}: length not known")

    def check_protocol(self):
        self.need("log")
        self.get(f"/file.bin?{self.way}")
        protocols, _ = self.server.protocols(f"/file.bin?{self.way}")
        demand(protocols == {self.protocol}, f"the server's log says {protocols}")

    def check_range(self):
        self.need("range")
        content = self.site.files["file.bin"]
        answer, body = self.get("/file.bin", fields={"Range": "bytes=40000-"})
        demand(answer["status"] == 206, f"status {answer['status']}")
        found = answer["fields"].get("content-range")
        demand(found == f"bytes 40000-99999/{len(content)}", f"Content-Range: {found}")
        demand(body == content[40_000:], "other bytes")

    def check_if_range(self):
        self.need("if-range")
        answer, content = self.get("/file.bin")
        tag = answer["fields"].get("etag", "")
        fields = {"Range": "bytes=1-", "If-Range": tag}
        answer, body = self.get("/file.bin", fields=fields)
        demand(answer["status"] == 206 and body == content[1:], f"same tag: {answer['status']}")
        answer, body = self.get("/file.bin", fields=fields | {"If-Range": '"other"'})
        demand(answer["status"] == 200 and body == content, f"other tag: {answer['status']}")

    def check_416(self):
        self.need("range")
        answer, _ = self.get("/file.bin", fields={"Range": "bytes=100000-"})
        demand(answer["status"] == 416, f"status {answer['status']}")
        # Apache leaves out what RFC 9110 §15.5.17 only recommends.
        found = answer["fields"].get("content-range")
        wanted = None if self.server.name == "apache" else "bytes */100000"
        demand(found == wanted, f"Content-Range: {found}")

    def check_304(self):
        self.need("if-range")
        answer, _ = self.get("/file.bin")
        tag = answer["fields"].get("etag", "")
        answer, body = self.get("/file.bin", fields={"If-None-Match": tag})
        demand(answer["status"] == 304 and body == b"", f"status {answer['status']}")

    def check_unknown_length(self):
        self.need("chunked")
        answer, body = self.get("/chunked/large.bin")
        demand("content-length" not in answer["fields"], "it has a Content-Length")
        demand(body == self.site.files["large.bin"], "other bytes")
        demand(answer["isLengthKnown"], "its end is not marked")

    def check_redirects(self):
        self.need("redirect")
        for path in ("/moved", "/found", "/permanent"):
            answer, body = self.get(path)
            demand(answer["redirects"] == 1 and answer["status"] == 200, f"{path}: {answer}")
            demand(body == self.site.files["file.bin"], "other bytes")
        answer = self.client.ask(self.base + "/loop")[0]
        demand(answer.get("error") == "tooManyRedirects", f"a circle: {answer}")

    def check_404(self):
        answer, body = self.get("/no-such-file")
        demand(answer["status"] == 404, f"status {answer['status']}")

    def check_one_connection(self):
        """One request after the other, from a client that has asked for nothing before."""
        self.need("log")
        client, numbers = Client(self.options.root, self.settings), set()
        for number in range(10, 30):
            answer = client.ask(f"{self.base}/{number}.bin?{self.way}")[0]
            demand(answer.get("status") == 200, f"{answer}")
        client.close()
        for number in range(10, 30):
            numbers |= self.server.protocols(f"/{number}.bin?{self.way}")[1]
        if "connection-numbers" in self.server.has:
            demand(len(numbers) == 1, f"{len(numbers)} connections for 20 requests")

    def check_a_hundred_at_once(self):
        answers = self.client.ask(self.base + "/file.bin", times=100)
        bad = [one for one in answers if one.get("status") != 200 or one["length"] != 100_000]
        demand(len(answers) == 100 and not bad, f"{len(bad)} of 100 failed: {bad[:1]}")

    def check_server_dies(self):
        self.need("slow")
        self.client.send(self.base + "/slow/large.bin")
        await_bytes()
        kill_workers(self.server)
        answer = self.client.receive()[0]
        demand(answer.get("error") in ("truncated", "connectionLost"), f"{answer}")

    def check_unknown_authority(self):
        if not self.is_secure:
            raise Unavailable("TLS")
        stranger = Client(
            self.options.root, [one for one in self.settings if "caFile" not in one])
        answer = stranger.ask(self.base + "/file.bin")[0]
        stranger.close()
        demand(answer.get("error") == "tls", f"{answer}")

    def run(self):
        results = {}
        for name in [name for name in dir(self) if name.startswith("check_")]:
            title = name.removeprefix("check_").replace("_", " ")
            try:
                getattr(self, name)()
                results[title] = "ok"
            except Unavailable:
                results[title] = "-"
            except Wrong as error:
                results[title] = f"WRONG: {error}"
        self.client.close()
        return results


def await_bytes():
    """Until a slow answer has surely begun, and is far from over (it takes 80 s)."""
    time.sleep(0.5)


def kill_workers(server):
    """SIGKILL for the processes that serve; the master starts others."""
    listing = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, text=True,
        check=False,
    )
    for number in listing.stdout.split():
        os.kill(int(number), signal.SIGKILL)


def table(results, is_markdown):
    columns = list(results)
    titles = list(dict.fromkeys(title for column in results.values() for title in column))
    names = [f"{server} {WAYS[way][0]}" for server, way in columns]
    rows = [[title] + [results[column].get(title, "-") for column in columns] for title in titles]
    if is_markdown:
        lines = ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
    widths = [max(len(row[0]) for row in rows)] + [
        max(len(name), *(len(row[i + 1][:30]) for row in rows)) for i, name in enumerate(names)]
    lines = []
    for row in [[""] + names] + rows:
        lines.append("  ".join(cell[:30].ljust(width) for cell, width in zip(row, widths)))
    wrong = [
        f"{row[0]}, {name}: {cell}" for row in rows for name, cell in zip(names, row[1:])
        if cell.startswith("WRONG")
    ]
    return "\n".join(lines + [""] + wrong)


def main():
    options = arguments()
    chosen = [server for server in servers.ALL if not options.only or server.name in options.only]
    scratch = Path(tempfile.mkdtemp(prefix="imgdl-interop-"))
    scratch.chmod(0o755)
    results, versions = {}, []
    try:
        site = Site(scratch / "site")
        certificates = Certificates(scratch / "certificates")
        for kind in chosen:
            server = kind(site.folder, certificates, scratch)
            versions.append(f"{server.name}: {server.version()}")
            with server:
                for way in server.speaks:
                    if options.transport != "socket" and way != "http/1.1":
                        continue  # it trusts the system's authorities, and cannot be told a version
                    try:
                        results[kind.name, way] = Checks(server, way, site, options, scratch).run()
                    except Unavailable as error:
                        print(f"{kind.name} {way}: left out: {error}", file=sys.stderr)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print("\n".join(versions) + "\n")
    print(table(results, options.markdown))
    sys.exit(any("WRONG" in cell for column in results.values() for cell in column.values()))


main()
