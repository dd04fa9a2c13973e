"""Servers that refuse the streams of HTTP/2, or close the connection after some of them."""

import collections
import contextlib
import os
import pathlib
import socket
import subprocess
import sys

import pytest
from h2.errors import ErrorCodes

from http2_server import BODY, Http2Server, certificate
from library import wait_until
from pictures import noise
from raw_server import MISDIRECTED, picture

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Tools/interop"))

from ports import free_port  # noqa: E402

COUNT = 12


@pytest.fixture
def serve_http2():
    with contextlib.ExitStack() as stack:
        yield lambda *arguments: stack.enter_context(contextlib.closing(Http2Server(*arguments)))


def each_second(*endings):
    """Every second connection answers all of its streams; the others answer the first one and end at the second."""
    def behave(streams, stream):
        if streams.number % 2 == 0 or streams.opened == 1:
            streams.answer(stream)
        elif streams.opened == 2:
            for ending in endings:
                ending(streams, stream)
    return behave


def refuse(streams, stream):
    streams.reset(stream)


def leave_before(streams, stream):
    streams.go_away(stream - 2)


def leave_behind(streams, stream):
    streams.go_away(stream)


def one_stream(streams, stream):
    """Each connection answers one stream."""
    if streams.opened == 1:
        streams.answer(stream)
    elif streams.opened == 2:
        streams.go_away(stream - 2)


def refuse_some(streams, stream):
    """Every second stream is refused, and the connection stays open."""
    if streams.opened % 2:
        streams.answer(stream)
    else:
        streams.reset(stream)


def answer_and_reset(streams, stream):
    """As servers do that do not read the rest of a request."""
    streams.answer(stream)
    streams.reset(stream, ErrorCodes.NO_ERROR)


def refuse_first(streams, stream):
    """The first two connections refuse everything, but stay open."""
    if streams.number <= 2:
        streams.reset(stream)
    else:
        streams.answer(stream)


def misdirect_first(streams, stream):
    """The first connection leads to a server that does not have the pictures."""
    if streams.number == 1:
        streams.answer(stream, status="421")
    else:
        streams.answer(stream)


def fail_always(streams, stream):
    """HTTP/1.1 is what remains of such a server."""
    streams.reset(stream, ErrorCodes.INTERNAL_ERROR)


def trailers(streams, stream):
    streams.answer(stream, trailers=[("x-checksum", "1")])


BEHAVIOURS = {
    "refuses, and goes away in the same write": each_second(refuse, leave_behind),
    "goes away, and refuses in the same write": each_second(leave_before, refuse),
    "goes away": each_second(leave_before),
    "refuses every second stream": refuse_some,
    "answers one stream a connection": one_stream,
    "refuses everything on its first connections": refuse_first,
    "has other pictures on its first connection": misdirect_first,
    "resets what it has answered": answer_and_reset,
    "fails at every stream": fail_always,
    "sends trailers": trailers,
}


def download(library, port, count=COUNT):
    """Downloads pictures, and returns their bytes."""
    library.add("--cacert", certificate()[0], library.list_of(
        f"https://localhost:{port}/{number}.png" for number in range(count)))
    files = library.files()
    assert len(files) == count
    return set(files.values())


@pytest.mark.parametrize("behave", BEHAVIOURS.values(), ids=BEHAVIOURS)
def test_all_files_come_from_a_server_that(library, serve_http2, behave):
    assert download(library, serve_http2(behave).port) == {BODY}


@pytest.mark.parametrize("ends_connection", [False, True])
def test_a_server_that_wants_http_1_gets_it(library, serve_http2, ends_connection):
    def behave(streams, stream):
        if ends_connection:
            streams.go_away(0, ErrorCodes.HTTP_1_1_REQUIRED)
        else:
            streams.reset(stream, ErrorCodes.HTTP_1_1_REQUIRED)

    server = serve_http2(behave)
    assert download(library, server.port) == {BODY}
    assert server.opened <= COUNT
    assert len(server.requests) == COUNT


def test_a_server_that_refuses_everything_is_left_with_a_reason(library, serve_http2):
    server = serve_http2(refuse)
    done = library.add(
        "--retry", 1, "--cacert", certificate()[0],
        library.list_of(f"https://localhost:{server.port}/{number}.png" for number in range(4)), code=1)
    assert "the server refused the request" in done.errors
    assert server.opened < 100


@pytest.mark.parametrize("is_http2", [True, False])
def test_a_misdirected_request_is_repeated_once(library, serve_http2, is_http2):
    server = serve_http2(lambda streams, stream: streams.answer(stream, status="421"), ["h2" if is_http2 else "http/1.1"])
    server.answer = lambda _: MISDIRECTED
    done = library.add(
        "--retry", 0, "--cacert", certificate()[0],
        library.list_of(f"https://localhost:{server.port}/{number}.png" for number in range(4)), code=1)
    assert "421" in done.errors
    assert library.files() == {}
    if is_http2:
        assert server.streams == 8
    else:
        # The first request of a connection is not repeated.
        assert 4 <= len(server.requests) < 8


def test_a_misdirected_request_of_http_1_is_repeated_if_its_connection_was_used_before(library, serve):
    def answer(request):
        answered[request.connection] += 1
        return picture(BODY) if answered[request.connection] <= 2 else MISDIRECTED

    answered = collections.Counter()
    server = serve(answer)
    library.add("--retry", 0, "--set", "network.maxPerHost=1", library.list_of(
        f"{server.url}/{number}.png" for number in range(COUNT)))
    assert len(library.files()) == COUNT
    assert list(answered.values()) == [3] * (COUNT // 2 - 1) + [2]


CONFIGURATION = """
{user}
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log; keepalive_requests {requests}; http2_max_concurrent_streams {streams};
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} ssl http2; root {folder}/www;
    ssl_certificate {certificate}; ssl_certificate_key {key};
  }}
}}
"""


@contextlib.contextmanager
def nginx(folder, requests, streams, files):
    """nginx, whose connections end after some requests; the port."""
    (folder / "www").mkdir()
    for name, content in files.items():
        (folder / "www" / name).write_bytes(content)
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(
        user="user root;" if os.getuid() == 0 else "", folder=folder, requests=requests, streams=streams, port=port,
        certificate=certificate()[0], key=certificate()[1]))
    process = subprocess.Popen(
        ["nginx", "-p", folder, "-e", folder / "error.log", "-c", configuration],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def is_listening():
        assert process.poll() is None, (folder / "error.log").read_text()
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return True

    try:
        wait_until(is_listening)
        yield port
    finally:
        process.terminate()
        process.wait()


@pytest.mark.parametrize(("requests", "streams"), [(1, 4), (3, 4), (20, 4), (20, 128)])
def test_all_files_come_from_nginx_that_ends_connections_after_some_requests(library, tmp_path, requests, streams):
    files = {f"{number}.png": noise(number, 16, 12) for number in range(200)}
    with nginx(tmp_path, requests, streams, files) as port:
        assert download(library, port, len(files)) == set(files.values())
    log = (tmp_path / "access.log").read_text()
    assert "HTTP/2.0" in log
    assert log.count("GET ") <= 2 * len(files)
