"""Who may see the page, and what the browser reveals of it."""

import pytest
from playwright.sync_api import expect

from stage import free_port


def test_a_link_logs_in_once_and_leaves_no_token(stage, context, page):
    link = stage.link()
    page.goto(link)
    expect(page.get_by_role("heading", name="imgdl")).to_be_visible()
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    assert "#" not in page.url and page.url.endswith(f".localhost:{stage.port}/")
    assert page.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0
    page.go_back()
    assert page.url == "about:blank", "the link is not in the history"

    cookie, = context.cookies()
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict"


def test_a_used_link_leads_to_an_explanation(stage, browser, page):
    link = stage.link()
    page.goto(link)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    other = browser.new_context()
    stranger = other.new_page()
    stranger.goto(link)
    expect(stranger.get_by_text("This browser is not logged in.")).to_be_visible()
    expect(stranger.get_by_text("imgdl-cli web")).to_be_visible()
    expect(stranger.get_by_text("A link works once, within 60 seconds.")).to_be_visible()
    other.close()
    # The browser that is logged in stays so, also with the used link.
    page.goto("about:blank")
    page.goto(link)
    expect(page.get_by_text("The library is empty.")).to_be_visible()


def test_a_disabled_page_logs_everyone_out(stage, page):
    old = stage.link()
    page.goto(old)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    stage.cli("web", "--stop")
    expect(page.get_by_text("imgdld does not respond.")).to_be_visible()
    # The page has another name afterwards, which no program can know that has seen the old one.
    new = stage.link()
    assert new.split("/login")[0] != old.split("/login")[0]
    page.goto(new.split("login")[0])
    expect(page.get_by_text("This browser is not logged in.")).to_be_visible()
    page.goto(new)
    expect(page.get_by_text("The library is empty.")).to_be_visible()


def serve(html):
    """Serves a page of a stranger on another port of 127.0.0.1."""
    import http.server
    import threading

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.mark.parametrize("target", ["page", "address", "rebound"])
def test_a_page_of_a_stranger_can_neither_read_nor_change(stage, browser, target):
    """The page runs on another port of 127.0.0.1, in a browser that is logged in. In the last case the
    stranger's own name leads to 127.0.0.1, and the page pretends to be imgdl's origin."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    host = page.evaluate("location.host")
    victim = {"page": host, "address": f"127.0.0.1:{stage.port}",
              "rebound": f"rebound.localhost:{stage.port}"}[target]
    server = serve("<form method=post></form>")
    attacker = context.new_page()
    attacker.goto(f"http://127.0.0.1:{server.server_port}/")
    if target == "rebound":
        # The browser resolves every name below localhost to this machine, as a rebound name is.
        answer = attacker.goto(f"http://{victim}/v1/status")
        assert answer.status == 421
    else:
        read = attacker.evaluate(
            """async (url) => { try { return (await fetch(url, {credentials: 'include'})).status }
            catch { return 'refused' } }""", f"http://{victim}/v1/status")
        assert read == "refused"
        with context.expect_event("request", lambda request: request.url.endswith("/v1/pause")) as sent:
            attacker.evaluate(
                "(url) => { document.forms[0].action = url; document.forms[0].submit() }",
                f"http://{victim}/v1/pause")
        assert sent.value.response().status == 403
        framed = context.new_page()
        framed.goto(f"http://127.0.0.1:{server.server_port}/")
        framed.evaluate(
            "(url) => { const frame = document.createElement('iframe'); frame.src = url;"
            " document.body.append(frame); return new Promise((done) => { frame.onload = done }) }",
            f"http://{victim}/")
        framed.frames[1].wait_for_url(lambda url: url.startswith("chrome-error:"), wait_until="commit")
    assert '"isPaused":false' in page.evaluate("fetch('/v1/status').then((answer) => answer.text())")
    server.shutdown()
    context.close()
