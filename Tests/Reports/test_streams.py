"""Responses that are no picture yet, never end, or are only a part of one."""

import json

import pytest

from pictures import noise
from raw_server import page, picture, response

BODY = noise("stream", 300, 200)
MOST = 200 << 20


def limited(head, part):
    """A response that would last for ever; the test server stops after a while, so that no disk is filled."""
    yield head
    for _ in range(MOST // len(part)):
        yield part


def transport_stream(_):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\nTransfer-Encoding: chunked\r\n\r\n"
    return limited(head, b"4000\r\n" + bytes(16384) + b"\r\n")


def camera(_):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=f\r\n\r\n"
    return limited(head, b"--f\r\nContent-Type: image/jpeg\r\n\r\n" + BODY + b"\r\n")


def typeless_stream(_):
    """Packets of an MPEG transport stream, whose type says nothing."""
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n"
    return limited(head, (b"G\x1f\xff\x10" + bytes(184)) * 64)


def radio(_):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nicy-name: radio\r\n\r\n"
    return limited(head, b"\xff\xfb\x90\x00" + bytes(16380))


@pytest.mark.parametrize("stream", [transport_stream, camera, typeless_stream, radio])
def test_a_stream_in_place_of_a_picture_is_stopped_by_its_first_bytes(library, serve, stream):
    server = serve(lambda request: stream(request) if request.path == "/live.jpg" else picture(BODY))
    library.add("--retry", 0, library.list_of([f"{server.url}/live.jpg", f"{server.url}/still.png"]), code=1)
    assert [row["status"] for row in library.resources()] == ["failed", "finished"]
    # The buffers of two sockets hold a few MiB.
    assert server.sent < 32 << 20


def test_a_picture_that_is_made_on_request_is_requested_again(library, serve):
    def answer(request):
        if server.count(request.path) < 3:
            return response(json.dumps({"state": "rendering"}).encode(), "202 Accepted", Retry_After="0")
        return picture(BODY)

    server = serve(answer)
    library.add(library.list_of([f"{server.url}/later.png"]))
    assert list(library.files().values()) == [BODY]
    assert server.count("/later.png") == 3


def test_a_picture_in_a_202_is_a_picture(library, serve):
    server = serve(lambda _: response(BODY, "202 Accepted", Content_Type="image/png"))
    library.add(library.list_of([f"{server.url}/now.png"]))
    assert list(library.files().values()) == [BODY]
    assert len(server.requests) == 1


def test_a_busy_server_is_asked_again(library, serve):
    def answer(request):
        if server.count(request.path) < 3:
            return response(b"<html>busy</html>", "503 Service Unavailable", Content_Type="text/html")
        return picture(BODY)

    server = serve(answer)
    library.add(library.list_of([f"{server.url}/busy.png"]))
    assert list(library.files().values()) == [BODY]


FIRST_ANSWERS = {
    "a web page": page("<html>checking your browser</html>"),
    "nothing": picture(b""),
    "a part of the picture": picture(BODY[:4000]),
}


@pytest.mark.parametrize("first", FIRST_ANSWERS.values(), ids=FIRST_ANSWERS)
def test_what_came_in_place_of_a_picture_is_replaced_by_a_retry(library, serve, first):
    server = serve(lambda request: picture(BODY) if server.count(request.path) > 1 else first)
    library.add("--retry", 0, library.list_of([f"{server.url}/once.png"]), code=1)
    assert [row["status"] for row in library.resources()] == ["failed"]
    library.run("retry", "--no-progress")
    assert list(library.files().values()) == [BODY]


class Interrupted:
    """A server that breaks off in the middle of its first response, and answers the range with 200."""

    def __init__(self, serve, rest):
        self.rest = rest
        self.server = serve(self.answer)

    def answer(self, request):
        if len(self.server.requests) == 1:
            return [picture(BODY, ETag='"v1"', Accept_Ranges="bytes")[: len(BODY) // 2]]
        return self.rest(request.first_byte)


def test_a_200_with_the_rest_alone_is_joined_if_range_and_tag_prove_it(library, serve):
    origin = Interrupted(serve, lambda start: picture(
        BODY[start:], ETag='"v1"', Content_Range=f"bytes {start}-{len(BODY) - 1}/{len(BODY)}"))
    library.add(library.list_of([f"{origin.server.url}/file.png"]))
    assert list(library.files().values()) == [BODY]
    assert len(origin.server.requests) == 2


def test_a_200_is_not_joined_because_its_length_fits(library, serve):
    other = noise("another", 300, 200)
    origin = Interrupted(serve, lambda start: picture(other[start:] if start else other, ETag='"v2"'))
    library.add(library.list_of([f"{origin.server.url}/file.png"]), code=None)
    assert BODY not in library.files().values()
    for content in library.files().values():
        assert not content.startswith(BODY[: len(BODY) // 4])
