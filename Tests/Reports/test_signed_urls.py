"""Lists whose URLs are signed, and therefore change with each request of the list."""

import json

import pytest

from pictures import noise
from raw_server import FORBIDDEN, picture, response

COUNT = 6
LARGE = noise("large", 500, 400)


class Shop:
    """A server whose URLs are valid until the next list is made."""

    def __init__(self, serve, parameters):
        self.version = 1
        self.count = COUNT
        self.parameters = parameters
        self.is_cutting = False
        self.server = serve(self.answer)
        self.list = f"{self.server.url}/list.json"

    def query(self):
        return "&".join(f"{name}={value.format(self.version)}" for name, value in self.parameters.items())

    def content(self):
        urls = [f"{self.server.url}/img/{number}.png?{self.query()}" for number in range(self.count)]
        return json.dumps(urls).encode()

    def answer(self, request):
        if request.path == "/list.json":
            return response(self.content(), Content_Type="application/json")
        if request.target.partition("?")[2] != self.query():
            return FORBIDDEN
        if request.path != "/img/5.png":
            tag = f'"{request.path}"'
            if request.fields.get("if-none-match") == tag:
                return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
            return picture(noise(request.path), ETag=tag)
        start = request.first_byte
        if start and request.fields.get("if-range") == '"large"':
            return response(
                LARGE[start:], "206 Partial Content", ETag='"large"', Content_Type="image/png",
                Content_Range=f"bytes {start}-{len(LARGE) - 1}/{len(LARGE)}")
        whole = picture(LARGE, ETag='"large"')
        return [whole[: len(LARGE) // 2]] if self.is_cutting else whole

    def requests_of(self, action):
        """The requests of images during an action."""
        before = len(self.server.requests)
        action()
        return [request for request in self.server.requests[before:] if request.path.startswith("/img/")]


SIGNATURES = {
    "cloudfront": {"Expires": "17{}", "Signature": "s{}~", "Key-Pair-Id": "K1"},
    "s3": {"X-Amz-Date": "2026010{}T000000Z", "X-Amz-Expires": "60", "X-Amz-Signature": "ab{}"},
    "google": {"X-Goog-Date": "2026010{}T000000Z", "X-Goog-Signature": "ab{}"},
    "azure": {"sv": "2022", "se": "2026-01-0{}", "sig": "x{}%3D"},
    "token": {"token": "t{}"},
}


@pytest.mark.parametrize("parameters", SIGNATURES.values(), ids=SIGNATURES)
def test_a_new_signature_is_the_same_resource(library, serve, parameters):
    shop = Shop(serve, parameters)
    library.add(shop.list)
    for version in (2, 3):
        shop.version = version
        assert shop.requests_of(lambda: library.run("refresh", 1)) == []
    assert len(library.resources()) == COUNT
    assert len(library.files()) == COUNT


@pytest.mark.parametrize("is_local", [True, False])
@pytest.mark.parametrize("parameters", SIGNATURES.values(), ids=SIGNATURES)
def test_a_list_that_was_signed_anew_is_added_again_without_downloads(library, serve, parameters, is_local):
    shop = Shop(serve, parameters)
    shop.count = COUNT - 1
    for version in (1, 2, 3):
        shop.version = version
        source = library.write("list.json", shop.content()) if is_local else shop.list
        requests = shop.requests_of(lambda: library.add(source))
        assert [("if-none-match" in request.fields) for request in requests] == [version > 1] * shop.count
    files = library.files()
    assert len(files) == 3 * shop.count
    # All names of a picture are links to one file.
    assert len({(library.folder / name).stat().st_ino for name in files}) == shop.count


def test_another_number_in_the_query_is_another_resource(library, serve):
    shop = Shop(serve, {"id": "{}"})
    library.add(shop.list)
    shop.version = 2
    assert len(shop.requests_of(lambda: library.run("refresh", 1))) == COUNT
    assert len(library.resources()) == 2 * COUNT


def test_a_partial_file_is_continued_with_the_new_signature(library, serve):
    shop = Shop(serve, SIGNATURES["cloudfront"])
    shop.is_cutting = True
    library.add("--retry", 0, shop.list, code=1)
    shop.is_cutting = False
    shop.version = 2
    [request] = shop.requests_of(lambda: library.run("refresh", 1))
    assert request.first_byte > 0
    assert request.fields["if-range"] == '"large"'
    assert library.files()[library.resources()[5]["file"]] == LARGE
