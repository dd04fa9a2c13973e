"""Image Details, the hosts and the help."""

import csv
import io
import re

from playwright.sync_api import expect


def rows(page):
    return page.locator(".row:not([hidden])")


def column(page, name):
    return rows(page).locator(f".{name}").all_text_contents()


def test_details_are_sorted_and_saved(stage, page):
    """LZ3"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    rows(page).first.locator(".status").click()
    page.keyboard.press("i")
    expect(page.get_by_role("heading", name="Image Details")).to_be_visible()
    expect(rows(page)).to_have_count(12)
    expect(rows(page).first.locator(".name")).to_have_text("dawn.jpg")
    assert all(re.fullmatch(r"[\d.]+ (ms|s)", text) for text in column(page, "time"))
    page.get_by_role("button", name="Sort by size").click()
    expect(rows(page).first.locator(".size")).to_have_text("19.0 kB")
    page.get_by_role("button", name="Sort by size").click()
    expect(rows(page).first.locator(".size")).to_have_text("139 kB")
    expect(page).to_have_url(re.compile("sort=size&descending="))
    page.reload()
    expect(rows(page).first.locator(".size")).to_have_text("139 kB")
    # The bars of the waterfall begin where the phase before ended.
    bars = rows(page).first.locator(".phase").evaluate_all(
        "(bars) => bars.map(({ style }) => [parseFloat(style.left), parseFloat(style.width)])")
    assert bars[-1][1] > 0
    for (left, width), (following, _) in zip(bars, bars[1:]):
        assert abs(left + width - following) < 0.01
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    with open(saved.value.path(), newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == 12 and table[0]["name"] == "rings.webp"
    assert all(float(line["duration_ms"]) >= float(line["transfer_ms"]) for line in table)
    # A row opens its image, in any order of the rows.
    position = rows(page).first.locator(".number").text_content()
    assert position != "1"
    rows(page).first.locator(".name").dblclick()
    expect(page).to_have_url(re.compile(f"/records/1/{position}$"))
    page.go_back()
    expect(rows(page).first.locator(".size")).to_have_text("139 kB")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/records/1$"))


def test_details_follow_the_downloads(stage, page):
    origin = stage.origin("--rate", "200K")
    link = stage.link()
    page.goto(link)
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    rows(page).first.locator(".status").click()
    views = []
    page.on("request", lambda request: request.url.endswith("/views") and views.append(request))
    page.keyboard.press("i")
    for row in range(12):
        expect(rows(page).nth(row).locator(".size")).to_contain_text("kB")
    assert len(views) == 1, "rows in the order of the record are read again in the same view"
    # Another order is made again after a change.
    page.get_by_role("button", name="Sort by size").click()
    expect(rows(page).first.locator(".size")).to_have_text("19.0 kB")
    with page.expect_request(lambda request: request.url.endswith("/views")):
        stage.cli("reload", "--quiet", "1")


def test_details_open_the_image_of_a_row_after_a_refresh(stage, page):
    """Entries at the top have higher numbers than those below."""
    origin = stage.origin()
    names = ["dawn", "noon", "dunes", "aurora"]
    addresses = [f"{origin.url}scenes/{name}.jpg" for name in names]
    stage.cli("add", "--quiet", str(stage.list_of("growing", addresses)))
    new = [f"{origin.url}scenes/{name}.jpg" for name in ("night", "forest")]
    stage.list_of("growing", [*new, *addresses])
    stage.cli("refresh", "--quiet", "1")
    page.goto(stage.link())
    expect(rows(page)).to_have_count(1)
    page.goto(page.url + "records/1/details")
    expect(rows(page)).to_have_count(6)
    assert column(page, "number") == ["5", "6", "1", "2", "3", "4"]
    for order in ("number", "size", "size"):
        if order == "size":
            page.get_by_role("button", name="Sort by size").click()
            expect(page.get_by_role("button", name="Sort by size")).to_have_attribute("aria-pressed", "true")
        for place in (0, 3):
            expect(rows(page).nth(place).locator(".name")).not_to_be_empty()
            name = rows(page).nth(place).locator(".name").text_content()
            rows(page).nth(place).locator(".name").dblclick()
            expect(page.locator(".stage img")).to_be_visible()
            page.keyboard.press("i")
            expect(page.locator(".facts-box")).to_contain_text(name)
            page.go_back()
            expect(rows(page)).to_have_count(6)


def test_a_discarded_view_is_made_again(stage, page):
    """imgdld discards a view ten minutes after its last use."""
    origin = stage.origin()
    urls = [f"{origin.url}none-{number}.jpg" for number in range(250)]
    stage.cli("add", "--quiet", str(stage.list_of("many", urls)), check=False)
    page.goto(stage.link())
    expect(rows(page)).to_have_count(1)
    record = page.url + "records/1"
    views = []
    page.on("response", lambda response: response.url.endswith("/views") and views.append(response))

    def open_and_discard(address):
        page.goto(address)
        expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "250")
        page.wait_for_load_state("networkidle")
        view = views[-1].json()["view"]
        assert page.evaluate("async (view) => (await fetch(`/v1/views/${view}`, { method: 'DELETE' })).status",
                             view) == 204

    open_and_discard(f"{record}?layout=list")
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    expect(page.locator("#tile-249")).to_contain_text("none-249.jpg")
    open_and_discard(f"{record}/details")
    page.get_by_role("grid").evaluate("(list) => { list.scrollTop = list.scrollHeight }")
    expect(page.locator("#row-249 .name")).to_have_text("none-249.jpg")
    open_and_discard(f"{record}/details")
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    with open(saved.value.path(), newline="") as file:
        assert len(list(csv.DictReader(file))) == 250


def test_hostile_titles_compute_nothing_in_a_spreadsheet(stage, page):
    origin = stage.origin()
    entries = [{"url": origin.url + "scenes/dawn.jpg", "title": '=HYPERLINK("http://evil.test")'}]
    stage.cli("add", "--quiet", str(stage.list_of("evil", {"title": "evil", "urls": entries})))
    link = stage.link()
    page.goto(link)
    expect(rows(page)).to_have_count(1)
    page.goto(link.split("login")[0] + "records/1/details")
    expect(rows(page)).to_have_count(1)
    with page.expect_download() as saved:
        page.get_by_role("button", name="CSV").click()
    with open(saved.value.path(), newline="") as file:
        line, = csv.DictReader(file)
    assert line["name"] == '\'=HYPERLINK("http://evil.test")'


def test_hosts_say_which_are_throttled_and_why(stage, page):
    import http.server
    import threading

    class Throttling(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(429)
            self.send_header("Retry-After", "90")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Throttling)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    urls = [f"http://127.0.0.1:{server.server_port}/{number}.jpg" for number in range(3)]
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("slow", urls)))
    expect(page.get_by_role("button", name="Add")).to_have_attribute("aria-keyshortcuts", "a")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Hosts").click()
    expect(page.get_by_role("button", name="Records")).to_have_attribute("aria-keyshortcuts", "Escape")
    row = page.locator("tbody tr")
    expect(row).to_contain_text(f"127.0.0.1:{server.server_port}")
    expect(row).to_contain_text(re.compile(r"in 1:\d\d, at "))
    expect(row).to_contain_text("429")
    expect(page.get_by_text("1 host · 1 throttled")).to_be_visible()
    server.shutdown()
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys: Hosts")
    expect(dialog.locator("tr")).to_have_text([re.compile("All keys of this screen"), re.compile("Back")])
    page.keyboard.press("Escape")
    page.keyboard.press("q")
    expect(page).to_have_url(re.compile("/$"))


def test_help_shows_the_keys_of_the_screen(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    for keys, title, text in [
        ([], "Keys: Records", "Add a source: a path or a URL"),
        (["Home", "Enter"], "Keys: Images of a record", "Switch between grid and list"),
        (["Home", "Enter"], "Keys: Viewer", "Read from left to right, or right to left"),
    ]:
        for key in keys:
            page.keyboard.press(key)
            if key == "Home":
                expect(page.locator("[aria-selected=true]:not([hidden])").first).to_be_visible()
        if title == "Keys: Viewer":
            expect(page.locator(".viewer")).to_be_visible()
        elif title != "Keys: Records":
            expect(page.locator(".tile:not([hidden])").first).to_be_visible()
        page.keyboard.press("?")
        dialog = page.get_by_role("dialog", name=title)
        expect(dialog).to_contain_text(text)
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)


def test_a_long_touch_leaves_no_timer_without_a_function(stage, browser):
    """A policy of the page forbids texts that become functions."""
    origin = stage.origin()
    stage.cli("add", "--quiet", f"{origin.url}scenes/dawn.jpg")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.add_init_script("""window.strange = [];
      const start = window.setTimeout;
      window.setTimeout = (work, ...others) => {
        if (typeof work !== 'function') window.strange.push(String(work));
        return start(work, ...others);
      };""")
    page.goto(stage.link())
    row = page.locator("[role=row]:not([hidden])").first
    expect(row).to_be_visible()
    page.goto(page.url.rstrip("/") + "/records/1/details")
    expect(row.locator(".time")).not_to_be_empty()
    session = context.new_cdp_session(page)
    box = row.bounding_box()
    session.send("Input.dispatchTouchEvent", {
        "type": "touchStart", "touchPoints": [{"x": box["x"] + 100, "y": box["y"] + 10}]})
    expect(page.locator(".row.lifted")).to_have_count(1)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate("window.strange") == []
    context.close()
