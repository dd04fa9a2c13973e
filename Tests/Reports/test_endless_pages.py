"""Sources without an end: they are stopped by the limit of their kind, before they fill a disk."""

import pytest

from pictures import noise
from raw_server import NOT_FOUND, page, picture

MIB = 1 << 20
# More than the limit of any kind of source, and less than a disk.
MOST = 600 * MIB
ENDLESS = {
    "text/html": b'<p><img src="/z.png" width=900 height=900>\n',
    "application/rss+xml": b"<item><title>x</title></item>\n",
    "text/plain": b"http://127.0.0.1:9/a.png\n",
}
BEGINNINGS = {"application/rss+xml": b'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title>\n'}


def endless(kind):
    line = ENDLESS[kind]
    part = line * (256 * 1024 // len(line))
    yield f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\n\r\n".encode() + BEGINNINGS.get(kind, b"")
    for _ in range(MOST // len(part)):
        yield part


@pytest.mark.parametrize("options", [(), ("--dry-run",)], ids=["add", "dry run"])
@pytest.mark.parametrize("kind", ["text/html", "application/rss+xml"])
def test_a_document_without_end_is_not_received_beyond_the_limit_of_its_kind(library, serve, kind, options):
    server = serve(lambda request: endless(kind) if request.path == "/endless" else NOT_FOUND)
    done = library.add("--retry", 0, *options, f"{server.url}/endless", code=None)
    assert done.code not in (0, None), done
    assert server.sent < MOST // 2
    assert library.bytes_on_disk() < 64 * MIB


def test_a_chain_of_pages_without_news_ends(library, serve):
    def answer(request):
        if request.path == "/robots.txt":
            return NOT_FOUND
        if request.path == "/i.png":
            return picture(noise("i"))
        number = int(request.path.removeprefix("/page/"))
        return page(
            f'<link rel="next" href="/page/{number + 1}"><title>Chain</title>'
            '<main><img src="/i.png" width=400 height=300></main>')

    server = serve(answer)
    library.add(f"{server.url}/page/1", code=None)
    assert len(server.requests) < 250
