"""The driver with the worker of this checkout, over images that a local server sends."""

import hashlib
import http.server
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import sys
import tarfile
import threading
import time

import pyarrow.parquet as pq
import pytest

ROOT = pathlib.Path(__file__).parents[2]
SAMPLE = ROOT / "Apps/imgdl-cli/Sample"
IMAGES = sorted(path for path in SAMPLE.rglob("*") if path.suffix in (".jpg", ".png", ".webp"))

JPEG = next(path for path in IMAGES if path.suffix == ".jpg").read_bytes()
PNG = next(path for path in IMAGES if path.suffix == ".png").read_bytes()
# Files that lack nothing but the mark of their end, and files that lack pixels.
CUTS = {"unmarked-jpeg": JPEG[:-2], "unmarked-png": PNG[:-12], "cut-jpeg": JPEG[: len(JPEG) // 2]}
CUTS |= {"cut-png": PNG[: len(PNG) // 2], "barely-cut-jpeg": JPEG[:-200], "beginning": JPEG[: len(JPEG) // 50]}

pytestmark = pytest.mark.skipif("IMGDL_PROGRAMS" not in os.environ, reason="Tools/checks/datasets builds the worker")


class Server(http.server.ThreadingHTTPServer):
    """Serves the sample's images, and slow, missing and damaged ones."""

    request_queue_size = 512

    def __init__(self):
        self.requests = []
        self.home = None
        self.released = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_port}/"

    def kill_worker(self):
        """Kills the worker whose home is the folder of the test."""
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if words[1:2] == [b"worker"] and b"HOME=" + self.home in environment.split(b"\0"):
                os.kill(int(entry.name), signal.SIGKILL)

    def handle_error(self, request, client_address):
        """A client that was stopped is no error."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.requests.append(self.path)
        name, _, number = self.path[1:].partition("/")
        if name == "killer" and self.server.requests.count(self.path) == 1:
            self.server.kill_worker()
        if name == "missing":
            return self.answer(404, b"")
        if name == "html":
            return self.answer(200, b"<!DOCTYPE html><p>no image")
        body = IMAGES[int(number) % len(IMAGES)].read_bytes()
        if name in CUTS:
            return self.answer(200, CUTS[name])
        if name == "trickle":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for byte in body:
                self.wfile.write(bytes([byte]))
                if self.server.released.wait(1):
                    return
        elif name == "half":
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: len(body) // 2])
            self.close_connection = True
        else:
            self.answer(200, body)

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def server():
    server = Server()
    yield server
    server.released.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def download(tmp_path, monkeypatch, server):
    """Runs the command over paths of the server; returns its exit code and the folder of the shards."""
    monkeypatch.setenv("IMGDL_BINARY", f"{os.environ['IMGDL_PROGRAMS']}/imgdl-cli")
    # The settings of the person who runs the tests must not matter.
    monkeypatch.setenv("HOME", str(tmp_path))

    def run(paths, name="out", *flags):
        (tmp_path / "urls.txt").write_text("".join(f"{server.url}{path}\n" for path in paths))
        command = [
            sys.executable, "-m", "imgdl_dataset.command", "--url_list", str(tmp_path / "urls.txt"),
            "--output_folder", str(tmp_path / name), "--output_format", "webdataset", "--allow_private",
            "--number_sample_per_shard", "10", *flags]
        return subprocess.run(command, check=False, capture_output=True, text=True).returncode, tmp_path / name

    return run


def rows(folder):
    return [row for path in sorted(folder.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_makes_shards(download):
    code, folder = download([f"ok/{index}" for index in range(25)])
    assert code == 0
    assert [path.name for path in sorted(folder.glob("*.tar"))] == ["00000.tar", "00001.tar", "00002.tar"]
    found = rows(folder)
    assert [row["key"] for row in found] == [f"0000{shard}{index}" for shard in range(3) for index in range(10)][:25]
    for index, row in enumerate(found):
        assert row["status"] == "success", row
        assert (row["width"], row["height"]) == (256, 256)
        assert row["sha256"] == hashlib.sha256(IMAGES[index % len(IMAGES)].read_bytes()).hexdigest()
    with tarfile.open(folder / "00002.tar") as tar:
        names = tar.getnames()
        assert names == [f"00002{index}.{kind}" for index in range(5) for kind in ("jpg", "json")]
        meta = json.load(tar.extractfile("000020.json"))
        assert meta["key"] == "000020" and meta["status"] == "success"


def test_the_same_input_gives_the_same_bytes(download):
    paths = [f"ok/{index}" for index in range(20)]
    sums = []
    for name in ("one", "two"):
        code, folder = download(paths, name)
        assert code == 0
        sums.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.tar"))])
    assert sums[0] == sums[1]


def test_every_url_has_a_status(download):
    code, folder = download(["ok/0", "missing/1", "html/2", "half/3"], "out", "--timeout", "2")
    assert code == 0
    found = rows(folder)
    assert [row["status"] for row in found] == [
        "success", "failed_to_download", "failed_to_resize", "failed_to_download"]
    assert found[1]["error_message"] == "HTTP Error 404: Not Found"
    assert found[2]["error_message"] == "Image decoding error"


@pytest.mark.parametrize("policy", [None, "keep", "flag"])
def test_images_that_lack_pixels_are_failures_unless_they_are_kept(download, policy):
    code, folder = download([f"{name}/0" for name in CUTS], "out", *(["--damaged", policy] if policy else []))
    found = dict(zip(CUTS, rows(folder), strict=True))
    lacking = {name for name, row in found.items() if row["status"] != "success"}
    if policy is not None:
        # Of the beginning, no row can be decoded.
        assert lacking <= {"beginning"}
    else:
        assert code == 0 and lacking == CUTS.keys() - {"unmarked-jpeg", "unmarked-png"}
        assert {found[name]["error_message"] for name in lacking} == {"Image decoding error"}
    if policy == "flag":
        assert found["unmarked-jpeg"]["damage"] is None and "ends too early" in found["cut-jpeg"]["damage"]


def test_certificates_are_checked_unless_they_are_ignored(download, server, tmp_path):
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.url = server.url.replace("http:", "https:")
    code, folder = download(["ok/0"], "checked")
    assert code == 3 and "CERTIFICATE_VERIFY_FAILED" in rows(folder)[0]["error_message"]
    assert download(["ok/0"], "ignored", "--ignore_ssl_certificate")[0] == 0


def test_a_body_that_is_too_large_is_a_failed_download(download):
    code, folder = download(["ok/0", "missing/1"], "out", "--max_bytes", "100")
    assert code == 3
    assert [row["status"] for row in rows(folder)] == ["failed_to_download"] * 2


def test_a_slow_server_does_not_hold_a_shard(download):
    start = time.monotonic()
    code, folder = download([*(f"ok/{index}" for index in range(9)), "trickle/0"], "out", "--sample_deadline", "2")
    assert code == 0
    assert time.monotonic() - start < 30
    stats = json.loads((folder / "00000_stats.json").read_text())
    assert stats["successes"] == 9
    assert stats["duration"] < 3.5


def test_a_finished_folder_is_not_downloaded_again(download, server):
    paths = [f"ok/{index}" for index in range(20)]
    assert download(paths)[0] == 0
    count = len(server.requests)
    assert download(paths)[0] == 0
    assert len(server.requests) == count


def test_retries_only_what_failed(download, server):
    paths = [f"ok/{index}" for index in range(5)] + ["missing/5"]
    assert download(paths, "out", "--max_failed", "0")[0] == 1
    server.requests.clear()
    code, folder = download(paths, "out", "--retry_failed", "--max_failed", "0.2")
    assert code == 0
    assert server.requests == ["/missing/5"]
    assert [row["status"] for row in rows(folder)] == ["success"] * 5 + ["failed_to_download"]


def test_a_worker_that_is_killed_loses_nothing(download, server, tmp_path):
    """The server kills the worker in the middle of a shard; the driver runs the shard again."""
    server.home = str(tmp_path).encode()
    paths = [f"ok/{index}" for index in range(40)]
    paths[17] = "killer/17"
    code, folder = download(paths)
    assert code == 0
    assert server.requests.count("/killer/17") == 2
    found = rows(folder)
    assert [row["url"] for row in found] == [f"{server.url}{path}" for path in paths]
    assert all(row["status"] == "success" for row in found)
