"""Options of a request: they are kept for what follows from it, also while imgdld runs, and go to nobody else."""

import pytest

from pictures import noise
from raw_server import FORBIDDEN, NOT_FOUND, page, picture, response

SECRET = "Bearer 5f2e9c"


@pytest.fixture(params=[False, True], ids=["alone", "imgdld"])
def engine(request, library):
    """A library with and without a running imgdld."""
    if request.param:
        library.start_daemon()
    return library


def test_the_limit_of_a_request_is_kept(library, serve):
    body = noise("limit", 400, 300)
    server = serve(lambda _: picture(body))
    library.add("--limit-rate", "100k", library.list_of([f"{server.url}/file.png"]))
    [row] = library.resources()
    # What may be sent at once is less than half of the file; on a busy machine, the rest takes longer still.
    assert row["milliseconds"] > 1000 * len(body) / 200_000
    assert list(library.files().values()) == [body]


def test_a_limit_that_a_running_engine_cannot_keep_is_refused_by_name(library, serve):
    server = serve(lambda _: picture(noise("limit")))
    library.start_daemon()
    done = library.add("--limit-rate", "100k", library.list_of([f"{server.url}/file.png"]), code=8)
    assert "--limit-rate" in done.errors
    assert server.requests == []


def test_a_retry_may_bring_cookies_and_a_referer(engine, serve):
    def answer(request):
        fields = request.fields
        is_right = fields.get("cookie") == "pass=1" and fields.get("referer") == "https://example.org/"
        return picture(noise("a")) if is_right else FORBIDDEN

    server = serve(answer)
    engine.add(engine.list_of([f"{server.url}/file.png"]), code=1)
    cookies = engine.write("cookies.txt", "127.0.0.1\tFALSE\t/\tFALSE\t4102444800\tpass\t1\n")
    engine.run("retry", "--no-progress", "--load-cookies", cookies, "--referer", "https://example.org/")
    assert list(engine.files().values()) == [noise("a")]


def test_credentials_go_to_the_server_of_the_source_alone(engine, serve):
    other = serve(lambda request: picture(noise(request.path)))

    def answer(request):
        if request.path == "/album":
            return page(
                '<title>Album</title><main><img src="/own.png" width=400 height=300>'
                f'<img src="{other.url}/other.png" width=400 height=300></main>')
        return picture(noise(request.path)) if request.path.endswith(".png") else NOT_FOUND

    server = serve(answer)
    engine.add("--header", f"Authorization: {SECRET}", "--header", "X-Plain: 1", f"{server.url}/album")
    own = [request for request in server.requests if request.path in ("/album", "/own.png")]
    assert {request.fields.get("authorization") for request in own} == {SECRET}
    assert "/other.png" in other.targets
    assert {request.fields.get("authorization") for request in other.requests} == {None}


def test_credentials_do_not_follow_a_redirect_to_another_server(engine, serve):
    other = serve(lambda request: picture(noise("a")))
    server = serve(lambda _: response(status="302 Found", Location=f"{other.url}/moved.png"))
    engine.add("--header", f"Authorization: {SECRET}", engine.list_of([f"{server.url}/file.png"]))
    assert [request.fields.get("authorization") for request in server.requests] == [SECRET]
    assert [request.fields.get("authorization") for request in other.requests] == [None]


def test_credentials_are_not_written_into_the_library(engine, serve):
    server = serve(lambda _: picture(noise("a")))
    engine.add("--header", f"Authorization: {SECRET}", engine.list_of([f"{server.url}/file.png"]))
    files = [path for path in engine.folder.rglob("*") if path.is_file()]
    assert not [path for path in files if SECRET.encode() in path.read_bytes()]


@pytest.mark.parametrize("refusal", [NOT_FOUND, FORBIDDEN], ids=["404", "403"])
def test_a_failed_reload_keeps_the_images_that_are_there(engine, serve, refusal):
    is_gone = False
    server = serve(lambda request: refusal if is_gone else picture(noise(request.path)))
    engine.add(engine.list_of(f"{server.url}/{number}.png" for number in range(4)))
    before = engine.files()
    is_gone = True
    engine.run("reload", 1, "--quiet", code=None)
    assert engine.files() == before
    assert [record["finished"] for record in engine.records()] == [4]
    rows = engine.resources()
    assert {row["status"] for row in rows} == {"finished"}
    assert all("reload" in row["reason"] for row in rows)
    target = engine.home / "export"
    engine.run("export", 1, "--format", "dir", "--output", target)
    assert sorted(path.read_bytes() for path in target.iterdir() if path.suffix == ".png") == sorted(before.values())


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "a.localhost", "a.b.localhost"])
def test_names_of_localhost_are_this_machine(library, serve, host):
    server = serve(lambda _: picture(noise("local")))
    library.add("--retry", 0, library.list_of([f"http://{host}:{server.port}/file.png"]))
    assert list(library.files().values()) == [noise("local")]
