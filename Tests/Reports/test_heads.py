"""Heads of responses that break the rules of HTTP, which curl and browsers read all the same, and those that nobody
may read, since the end of the body is uncertain."""

import gzip

import pytest

from pictures import noise

BODY = noise("head")
SIZE = f"Content-Length: {len(BODY)}".encode()
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)


def head(*lines, status=b"HTTP/1.1 200 OK", end=b"\r\n"):
    return end.join([status, *lines, b"", b""])


TOLERATED = {
    "LF alone": head(SIZE, end=b"\n") + BODY,
    "LF at the end of the head": b"HTTP/1.1 200 OK\r\n" + SIZE + b"\r\n\n" + BODY,
    "LF in one line": b"HTTP/1.1 200 OK\r\nContent-Type: image/png\n" + SIZE + b"\r\n\r\n" + BODY,
    "LF in chunks": head(b"Transfer-Encoding: chunked") + CHUNKS.replace(b"\r\n", b"\n", 1)[:-7] + b"\n0\n\n",
    "a length beside chunks": head(SIZE, b"Transfer-Encoding: chunked") + CHUNKS,
    "chunked twice": head(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked") + CHUNKS,
    "chunked in capitals": head(b"transfer-encoding: Chunked") + CHUNKS,
    "chunked in HTTP/1.0": head(b"Transfer-Encoding: chunked", status=b"HTTP/1.0 200 OK") + CHUNKS,
    "coded as identity": head(b"Transfer-Encoding: identity", SIZE) + BODY,
    "a blank before the colon": head(b"Content-Type : image/png", SIZE) + BODY,
    "long cookies": head(*(b"Set-Cookie: c%d=%s" % (number, b"x" * 3000) for number in range(25)), SIZE) + BODY,
    "early hints": head(b"Link: </a.css>; rel=preload", status=b"HTTP/1.1 103 Early Hints") + head(SIZE) + BODY,
    "a date in Latin-1": head("Last-Modified: Dienstag, 31. März 2026".encode("latin-1"), SIZE) + BODY,
    "a reason in UTF-8": head(SIZE, status="HTTP/1.1 200 成功".encode()) + BODY,
    "a control character": head(b"X-A: a\x01b", SIZE) + BODY,
    "a name in UTF-8": head("X-é: a".encode(), SIZE) + BODY,
    "a name with parentheses": head(b"X(a): b", SIZE) + BODY,
    **{f"the content coding {name!r}": head(b"Content-Encoding: " + name.encode(), SIZE) + BODY
       for name in ("", "none", "UTF-8", "identity", "binary", "image/png", "aws-chunked")},
}

TWICE = gzip.compress(gzip.compress(BODY))

# What imgdl does not read, and a part of the reason.
REFUSED = {
    "two lengths": (head(b"Content-Length: 0", SIZE) + BODY, "two different values of Content-Length"),
    "a negative length": (head(b"Content-Length: -1") + BODY, "is not valid"),
    "an empty length": (head(b"Content-Length:") + BODY, "is not valid"),
    "a line without a colon": (head(SIZE, b"hello") + BODY, "without a colon"),
    "an empty first line": (b"\r\n" + head(SIZE) + BODY, "not an HTTP response"),
    "no version": (head(SIZE, status=b"HTTP 200 OK") + BODY, "not an HTTP response"),
    "no end of chunks": (head(b"Transfer-Encoding: chunked") + CHUNKS[:-2], "the connection was closed in the body"),
    "plain content coded as gzip": (head(b"Content-Encoding: gzip", SIZE) + BODY, "the gzip data is damaged"),
    "two codings": (head(b"Content-Encoding: gzip, gzip", b"Content-Length: %d" % len(TWICE)) + TWICE, "gzip, gzip"),
}


@pytest.mark.parametrize("answer", TOLERATED.values(), ids=TOLERATED)
def test_a_head_is_read_whose_end_is_certain(library, serve, answer):
    # The connection is closed behind the response, as many such servers do.
    server = serve(lambda _: [answer])
    library.add("--retry", 0, "--format", "resource", f"{server.url}/file.png")
    assert list(library.files().values()) == [BODY]


@pytest.mark.parametrize(("answer", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_response_without_a_certain_end_or_content_is_refused(library, serve, answer, reason):
    server = serve(lambda _: [answer])
    done = library.add("--retry", 0, library.list_of([f"{server.url}/file.png"]), code=1)
    assert reason in done.errors
    assert library.files() == {}


def test_no_byte_behind_a_tolerated_response_becomes_a_part_of_the_next_one(library, serve):
    foreign = head(b"Content-Length: 5") + b"wrong"

    def answer(request):
        if request.path == "/0.png":
            return head(SIZE, b"Transfer-Encoding: chunked") + CHUNKS + foreign
        return head(SIZE) + BODY

    server = serve(answer)
    library.add("--max-per-host", 1, library.list_of(f"{server.url}/{number}.png" for number in range(4)))
    assert list(library.files().values()) == [BODY] * 4
