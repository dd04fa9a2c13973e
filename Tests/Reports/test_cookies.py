"""Files that are sent to those only who bring a cookie, or the address of the page that shows them."""

import pytest

from pictures import noise
from raw_server import FORBIDDEN, NOT_FOUND, page, picture, response

PATHS = [f"/i/{number}.png" for number in range(4)]
IMAGES = "".join(f'<a href="{path}"><img src="{path}" width=400 height=300></a>' for path in PATHS)
ALBUM = f"<title>Trip</title><main>{IMAGES}</main>"
LET_IN = {"Set_Cookie": "pass=1; Path=/"}


def has_pass(request):
    return "pass=1" in request.fields.get("cookie", "")


def wall(request):
    return response(status="302 Found", Location=request.target, **LET_IN)


def detour(request):
    if request.path == "/begin.png":
        return response(status="302 Found", Location="/file.png", **LET_IN)
    return FORBIDDEN


def throttle(_):
    return response(status="429 Too Many Requests", Retry_After="0", **LET_IN)


@pytest.mark.parametrize("refusal", [wall, detour, throttle])
def test_the_cookie_of_a_refusal_is_sent_with_the_next_request(library, serve, refusal):
    server = serve(lambda request: picture(noise("a")) if has_pass(request) else refusal(request))
    library.add(f"{server.url}/begin.png")
    assert list(library.files().values()) == [noise("a")]
    assert [has_pass(request) for request in server.requests] == [False, True]


def test_a_server_may_set_one_cookie_after_the_other(library, serve):
    def answer(request):
        cookies = request.fields.get("cookie", "")
        if "one=1" in cookies and "two=2" in cookies:
            return picture(noise("a"))
        cookie = "two=2" if "one=1" in cookies else "one=1"
        return response(status="302 Found", Location=request.target, Set_Cookie=cookie)

    server = serve(answer)
    library.add(f"{server.url}/begin.png")
    assert list(library.files().values()) == [noise("a")]


USELESS = {
    "missing": {},
    "for another path": {"Set_Cookie": "pass=1; Path=/elsewhere"},
    "expired": {"Set_Cookie": "pass=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT"},
    "removed": {"Set_Cookie": "pass=1; Path=/; Max-Age=0"},
    "for TLS alone": {"Set_Cookie": "pass=1; Path=/; Secure"},
}


@pytest.mark.parametrize("fields", USELESS.values(), ids=USELESS)
def test_a_redirect_to_itself_is_a_loop_if_its_cookie_is(library, serve, fields):
    server = serve(lambda request: picture(noise("a")) if has_pass(request)
                   else response(status="302 Found", Location=request.target, **fields))
    done = library.add(library.list_of([f"{server.url}/begin.png"]), code=1)
    assert "loop" in done.errors
    assert len(server.requests) == 1


def test_a_cookie_that_changes_with_each_redirect_does_not_make_it_endless(library, serve):
    server = serve(lambda request: response(
        status="302 Found", Location=request.target, Set_Cookie=f"count={request.number}"))
    library.add(library.list_of([f"{server.url}/begin.png"]), code=1)
    assert len(server.requests) <= 20


def test_images_are_requested_with_the_cookie_and_the_address_of_their_page(library, serve):
    def answer(request):
        if request.path == "/album":
            return page(ALBUM, Set_Cookie="sid=7; Path=/; HttpOnly")
        if request.fields.get("cookie") == "sid=7" and request.fields.get("referer") == f"{server.url}/album":
            return picture(noise(request.path))
        return FORBIDDEN if request.path.startswith("/i/") else NOT_FOUND

    server = serve(answer)
    library.add(f"{server.url}/album")
    assert list(library.files().values()) == [noise(path) for path in PATHS]


def test_another_server_gets_no_cookie_and_only_the_origin_of_the_page(library, serve):
    images = serve(lambda request: picture(noise(request.path)))
    pages = serve(lambda _: page(
        ALBUM.replace("/i/", f"{images.url.replace('127.0.0.1', 'localhost')}/i/"), Set_Cookie="sid=7; Path=/"))
    library.add(f"{pages.url}/album?private=1")
    requests = [request for request in images.requests if request.path.startswith("/i/")]
    assert len(requests) == 4
    assert {request.fields.get("cookie") for request in requests} == {None}
    assert {request.fields.get("referer") for request in requests} == {f"{pages.url}/"}


def test_an_element_may_state_another_policy_for_its_url(library, serve):
    elements = {
        "/1.png": '<img src="{}" width=400 height=300 referrerpolicy="no-referrer">',
        "/2.png": '<img src="{}" width=400 height=300 referrerpolicy="ORIGIN">',
        "/3.png": '<img src="{}" width=400 height=300 referrerpolicy="nonsense">',
        "/4.png": '<a href="{}" referrerpolicy="no-referrer"><img src="/small.png" width=80 height=60></a>',
    }
    album = "<title>Trip</title><main>" + "".join(text.format(path) for path, text in elements.items()) + "</main>"
    server = serve(
        lambda request: page(album) if request.path == "/album" else picture(noise(request.path)))
    library.add(f"{server.url}/album")
    sent = {request.path: request.fields.get("referer") for request in server.requests}
    assert [sent[path] for path in elements] == [None, f"{server.url}/", f"{server.url}/album", None]


def test_a_stated_referer_replaces_that_of_the_page_also_for_retries(library, serve):
    broken = True

    def answer(request):
        if request.path == "/album":
            return page(ALBUM)
        return NOT_FOUND if broken else picture(noise(request.path))

    server = serve(answer)
    library.add("--referer", "https://example.org/start", f"{server.url}/album", code=1)
    broken = False
    library.run("retry")
    requests = [request for request in server.requests if request.path.startswith("/i/")]
    assert len(requests) == 8
    assert {request.fields.get("referer") for request in requests} == {"https://example.org/start"}
    assert len(library.files()) == 4


def test_the_command_that_gets_the_cookies_of_a_page_again_is_named(library, serve):
    is_broken = True

    def answer(request):
        if request.path == "/album":
            return page(ALBUM, Set_Cookie="sid=7; Path=/")
        if is_broken:
            return response(status="503 Service Unavailable")
        is_known = request.fields.get("cookie", "").startswith("sid=7")
        return picture(noise(request.path)) if is_known else response(
            status="403 Forbidden", Set_Cookie="other=1; Path=/")

    server = serve(answer)
    library.add(library.list_of([f"{server.url}/a.png"]), code=1)
    assert "cookies" not in library.add("--retry", 0, f"{server.url}/album", code=1).errors
    is_broken = False
    hint = f"imgdl-cli refresh 2 -d {library.folder} gets the cookies again"
    assert hint in library.run("retry", 2, code=1).errors
    assert library.run("refresh", 2).code == 0
    assert len(library.files()) == len(PATHS)


def test_cookies_of_servers_are_not_written_into_the_library(library, serve):
    secret = "sid-4f1c9a77e0"
    server = serve(lambda request: page(ALBUM, Set_Cookie=f"sid={secret}; Path=/") if request.path == "/album"
                   else picture(noise(request.path)))
    library.add(f"{server.url}/album")
    assert any(secret in request.fields.get("cookie", "") for request in server.requests)
    files = [path for path in library.folder.rglob("*") if path.is_file()]
    assert not [path for path in files if secret.encode() in path.read_bytes()]


def test_a_bad_line_in_a_file_of_cookies_is_reported_and_the_others_are_used(library, serve):
    server = serve(lambda request: picture(noise("a")) if has_pass(request) else FORBIDDEN)
    cookies = library.write(
        "cookies.txt",
        "# Netscape HTTP Cookie File\nthis is no cookie\n"
        "127.0.0.1\tFALSE\t/\tFALSE\t4102444800.25\tpass\t1\n127.0.0.1\tFALSE\t/\tFALSE\t\tother\t2\n")
    done = library.add("--load-cookies", cookies, f"{server.url}/file.png")
    assert "cookies.txt:2: " in done.errors
    assert server.requests[-1].fields["cookie"] == "pass=1; other=2"


def test_other_cookies_try_again_what_was_refused(library, serve):
    server = serve(lambda request: picture(noise("a")) if has_pass(request) else FORBIDDEN)
    sources = library.list_of([f"{server.url}/file.png"])
    library.add(sources, code=1)
    cookies = library.write("cookies.txt", "127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tpass\t1\n")
    library.add("--load-cookies", cookies, sources)
    assert list(library.files().values()) == [noise("a")]
