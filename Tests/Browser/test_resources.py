"""The resources of a record, and the viewer: screens 2 and 3."""

import re

from playwright.sync_api import expect

from screens import choose, open_record, show, tiles
from stage import wait_until


def test_shows_thumbnails_and_opens_images(stage, page):
    """DL7, DL8, DL10"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    expect(page.get_by_role("heading", name="scenes")).to_be_visible()
    expect(page.locator(".tile img:not([hidden])")).to_have_count(12)
    tiles(page).nth(2).click()
    expect(page.locator(".stage img")).to_be_visible()
    expect(page.locator(".caption")).to_have_text("3/12 · 960 × 640")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("/records/1/4$"))
    page.reload()
    expect(page.locator(".caption")).to_contain_text("4/12")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("/records/1$"))
    expect(tiles(page)).to_have_count(12)
    page.keyboard.press("Escape")
    expect(page.get_by_text("2 records")).to_be_visible()


def test_back_leads_from_the_viewer_to_the_grid_and_the_records(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    tiles(page).first.click()
    expect(page.locator(".viewer")).to_be_visible()
    page.go_back()
    expect(page.locator(".viewer")).to_have_count(0)
    expect(page.get_by_role("heading", name="scenes")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("2 records")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="scenes")).to_be_visible()


def test_turns_the_pages_of_documents_in_place(stage, page):
    """DL10, DL11"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page, 2)
    tiles(page).last.click()
    expect(page.locator(".caption")).to_contain_text("6/6 · page 1 of 3")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("page 2 of 3")
    expect(page.locator(".stage img")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("page 3 of 3")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".caption")).to_contain_text("5/6")


def test_shows_states_and_reasons(stage, page):
    """DL8"""
    slow = stage.origin("--rate", "8K")
    sources = [slow.url + name for name in ("scenes/aurora.jpg", "scenes/none.jpg")]
    stage.cli("pause", check=False)
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("mixed", sources)))
    open_record(stage, page)
    expect(tiles(page).nth(1)).to_contain_text("Error")
    tiles(page).nth(1).click()
    expect(page.locator(".message")).not_to_be_empty()
    page.keyboard.press("Escape")
    show(page, "Failed")
    expect(tiles(page)).to_have_count(1)
    page.reload()
    expect(tiles(page)).to_have_count(1)
    expect(page.get_by_role("button", name=re.compile("^Failed"))).to_have_attribute("aria-pressed", "true")


def test_follows_the_download_of_a_resource(stage, page):
    origin = stage.origin("--rate", "10K")
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    page.locator("[role=row]:not([hidden]) a").first.click()
    expect(tiles(page).first).to_contain_text(re.compile(r"Downloading \d+%"))
    stage.cli("pause")
    expect(tiles(page).last).to_contain_text("Paused")


def test_a_lazy_record_fetches_what_is_visible(stage, page):
    """LZ1, LZ2"""
    origin = stage.origin()
    missing = [f"{origin.url}scenes/none-{number}.jpg" for number in range(400)]
    stage.cli("add", "--quiet", "--lazy", str(stage.list_of("lazy", missing)))
    stage.link()
    stage.cli("pause", check=False)
    stage.cli("resume", check=False)
    open_record(stage, page)
    expect(tiles(page).first).to_contain_text("Error")
    failed = int(re.search(r"(\d+) failed", wait_until(
        lambda: "failed" in stage.cli("list") and stage.cli("list")))[1])
    assert 5 <= failed < 300, "neither none nor all"
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    expect(page.locator("#tile-399")).to_contain_text("Error")


def test_says_that_a_record_does_not_exist(stage, page):
    link = stage.link()
    page.goto(link)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.goto(link.split("login")[0] + "records/7")
    expect(page.get_by_text("This record does not exist.")).to_be_visible()


def test_a_blurred_image_is_shown_until_the_thumbnail_is_there(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    page.route("**/v1/thumbnails?**", lambda route: None)
    page.locator("[role=row]:not([hidden]) a").first.click()
    expect(page.locator(".tile canvas:not([hidden])")).to_have_count(12)
    # The colours are those of the images: the sky of the second one is blue.
    red, _, blue = page.locator(".tile canvas").nth(1).evaluate(
        "(canvas) => [...canvas.getContext('2d').getImageData(canvas.width / 2, 1, 1, 1).data].slice(0, 3)")
    assert blue > red + 30
    page.unroute("**/v1/thumbnails?**")
    page.reload()
    expect(page.locator(".tile img:not([hidden])")).to_have_count(12)
    expect(page.locator(".tile canvas:not([hidden])")).to_have_count(0)


def test_a_list_shows_names_sizes_and_reasons(stage, page):
    origin = stage.origin()
    sources = [origin.url + name for name in ("scenes/dawn.jpg", "scenes/none.jpg")]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    open_record(stage, page)
    page.keyboard.press("v")
    expect(tiles(page).first).to_contain_text("dawn.jpg")
    expect(tiles(page).first).to_contain_text("27.6 kB")
    expect(tiles(page).nth(1)).to_contain_text("Error: HTTP 404")
    page.reload()
    expect(tiles(page).nth(1)).to_contain_text("Error: HTTP 404")
    page.keyboard.press("v")
    expect(page.locator(".tile img:not([hidden])")).to_have_count(1)


def test_marked_resources_and_everything_that_matches_are_reloaded(stage, page):
    """DL9"""
    origin = stage.origin()
    sources = [f"{origin.url}scenes/{name}.jpg" for name in ("dawn", "noon", "none", "gone", "night")]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    open_record(stage, page)
    expect(tiles(page)).to_have_count(5)

    def press(name, is_asked=False):
        """Presses the button, and returns the number of resources that it concerned."""
        with page.expect_response(re.compile("/(reload|retry)$")) as answer:
            if is_asked:
                choose(page, page.locator("header"), f"{name}…")
                page.get_by_role("dialog").get_by_role("button", name=name).click()
            else:
                page.get_by_role("button", name=name, exact=True).click()
        # The rows have changed when the response arrives; the downloads end later.
        wait_until(lambda: '"failed":2,"finished":3' in stage.cli("list", "--json"))
        return answer.value.json()["count"]

    tiles(page).first.click(modifiers=["Control"])
    tiles(page).nth(3).click(modifiers=["Control"])
    expect(page.get_by_role("button", name="2 marked")).to_be_visible()
    assert press("Reload") == 2
    expect(tiles(page).nth(3)).to_contain_text("Error")
    show(page, "Failed")
    expect(tiles(page)).to_have_count(2)
    page.get_by_role("grid").focus()
    page.keyboard.press("Control+a")
    expect(page.get_by_role("button", name="2 marked")).to_be_visible()
    assert press("Retry") == 2
    expect(tiles(page).nth(1)).to_contain_text("Error")
    # Without marks, the filter says what is meant.
    assert press("Retry failed") == 2
    show(page, "All")
    expect(tiles(page)).to_have_count(5)
    assert press("Reload", is_asked=True) == 5


def test_a_long_press_lifts_a_tile_and_fades_the_others(stage, page):
    """RM9"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    expect(tiles(page)).to_have_count(12)
    tiles(page).nth(3).hover()
    page.mouse.down()
    expect(page.locator(".tile.lifted")).to_have_count(1)
    page.mouse.up()
    expect(page.locator("#tile-3")).to_have_css("opacity", "1")
    expect(page.locator("#tile-4")).to_have_css("opacity", "0.35")
    expect(page).to_have_url(re.compile("/records/1$"))
    page.keyboard.press("Escape")
    expect(page.locator(".tile.lifted")).to_have_count(0)
    expect(page.locator("#tile-4")).to_have_css("opacity", "1")


def touch(page, selector, points):
    """Moves one finger, or two, through these points: a list of positions for each moment."""
    session = page.context.new_cdp_session(page)
    box = page.locator(selector).bounding_box()
    for number, fingers in enumerate(points):
        session.send("Input.dispatchTouchEvent", {
            "type": "touchMove" if number else "touchStart",
            "touchPoints": [{"x": box["x"] + x, "y": box["y"] + y, "id": id}
                            for id, (x, y) in enumerate(fingers)]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_fingers_pull_swipe_and_pinch(stage, browser):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    open_record(stage, page)
    expect(page.locator(".tile img:not([hidden])")).to_have_count(12)
    with page.expect_response("**/refresh"):
        touch(page, ".grid", [[(200, 40 + 15 * step)] for step in range(10)])
    tiles(page).nth(5).tap()
    expect(page.locator(".stage img")).to_be_visible()
    expect(page.locator(".caption")).to_contain_text("6/12")
    touch(page, ".stage", [[(300 - 25 * step, 300)] for step in range(8)])
    expect(page.locator(".caption")).to_contain_text("7/12")
    touch(page, ".stage", [[(100 + 25 * step, 300)] for step in range(8)])
    expect(page.locator(".caption")).to_contain_text("6/12")
    expect(page.locator(".stage img")).to_be_visible()

    def width():
        return page.locator(".stage img").bounding_box()["width"]

    fitting = width()
    touch(page, ".stage", [[(180 - 15 * step, 300), (200 + 15 * step, 300)] for step in range(8)])
    assert width() > 3 * fitting
    # A zoomed image moves; it is not turned.
    touch(page, ".stage", [[(300 - 25 * step, 300)] for step in range(8)])
    expect(page.locator(".caption")).to_contain_text("6/12")
    context.close()


def test_the_viewer_zooms_turns_and_reads_from_right_to_left(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    tiles(page).nth(2).click()
    picture = page.locator(".stage img")
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    page.keyboard.press("+")
    assert picture.bounding_box()["width"] > box["width"] * 1.2
    page.keyboard.press("f")
    assert abs(picture.bounding_box()["width"] - box["width"]) < 2
    page.keyboard.press("f")
    assert abs(picture.bounding_box()["width"] - 1280) < 2
    page.keyboard.press("f")
    page.keyboard.press("r")
    turned = picture.bounding_box()
    assert turned["width"] < turned["height"]
    page.get_by_role("button", name="Pixels").click()
    assert abs(picture.bounding_box()["height"] - 960) < 2
    page.keyboard.press("i")
    expect(page.locator(".facts-box")).to_contain_text("dunes.jpg")
    expect(page.locator(".facts-box")).to_contain_text("960 × 640")
    page.keyboard.press("f")
    page.keyboard.press("d")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".caption")).to_contain_text("4/12")
    expect(page.locator(".facts-box")).to_contain_text("night.jpg")
    page.keyboard.press("G")
    expect(page.locator(".caption")).to_contain_text("12/12")
    page.keyboard.press("g")
    page.keyboard.press("PageDown")
    expect(page.locator(".caption")).to_contain_text("11/12")
    page.reload()
    expect(page.get_by_role("button", name="Reading direction: right to left")).to_be_visible()


def test_refresh_adds_new_entries_at_the_top(stage, page):
    """RM7"""
    origin = stage.origin()
    names = ["dawn", "noon"]
    path = stage.list_of("growing", [f"{origin.url}scenes/{name}.jpg" for name in names])
    stage.cli("add", "--quiet", str(path))
    page.goto(stage.link())
    page.locator("[role=row]:not([hidden]) a").first.click()
    expect(page.locator(".tile img:not([hidden])")).to_have_count(2)
    page.keyboard.press("v")
    stage.list_of("growing", [f"{origin.url}scenes/{name}.jpg" for name in ["night", *names]])
    choose(page, page.locator("header"), "Refresh")
    expect(tiles(page)).to_have_count(3)
    expect(tiles(page).first).to_contain_text("night.jpg")
    expect(tiles(page).nth(1)).to_contain_text("dawn.jpg")


def test_further_pages_of_a_source_are_read_near_the_end(stage, page):
    """RM8"""
    import http.server
    import json
    import threading
    origin = stage.origin()
    asked = []

    class Pages(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            number = int(self.path.strip("/") or 1)
            names = [f"{origin.url}none-{number}-{each}.jpg" for each in range(120)]
            body = json.dumps({"urls": names, "next": f"/{number + 1}" if number < 3 else None}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    stage.cli("add", "--quiet", "--lazy", f"http://127.0.0.1:{server.server_port}/1")
    open_record(stage, page)
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "120")
    assert asked == ["/1"]
    grid.focus()
    page.keyboard.press("End")
    expect(grid).to_have_attribute("aria-rowcount", "240")
    page.keyboard.press("End")
    expect(grid).to_have_attribute("aria-rowcount", "360")
    page.keyboard.press("End")
    server.shutdown()


def test_the_focus_stays_in_the_viewer(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    tiles(page).nth(2).click()
    expect(page.locator(".stage img")).to_be_visible()
    for _ in range(20):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.viewer, body') === document.body"
                             " ? document.activeElement === document.body : true")
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid")).to_be_focused()


def test_the_grid_shows_the_image_that_was_opened_by_its_address(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page)
    page.goto(page.url + "/7")
    expect(page.locator(".stage img")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#tile-6")).to_have_attribute("aria-selected", "true")


def test_a_finger_marks_images(stage, browser):
    """DL9"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    open_record(stage, page)
    expect(page.locator(".tile img:not([hidden])")).to_have_count(12)
    session = context.new_cdp_session(page)
    box = tiles(page).nth(3).bounding_box()
    session.send("Input.dispatchTouchEvent", {
        "type": "touchStart", "touchPoints": [{"x": box["x"] + 40, "y": box["y"] + 40}]})
    # The browser's own menu does not open before the tile is lifted.
    assert not tiles(page).nth(3).evaluate(
        "(tile) => tile.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))")
    expect(page.locator(".tile.lifted")).to_have_count(1)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    tiles(page).nth(3).tap()
    expect(page.locator(".tile.marked")).to_have_count(1)
    expect(page.locator(".tile.lifted")).to_have_count(0)
    page.get_by_role("button", name="Mark all").tap()
    expect(page.get_by_role("button", name="12 marked")).to_be_visible()
    context.close()
