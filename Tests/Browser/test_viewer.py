"""The viewer while its record changes, and images that do not fit."""

import re

from playwright.sync_api import expect

from stage import png, wait_until


def folder(stage, **sides):
    """Writes images with these widths and heights in pixels, and returns the folder for an origin."""
    path = stage.home / "images"
    path.mkdir(exist_ok=True)
    for name, side in sides.items():
        (path / f"{name}.png").write_bytes(png(side, 0.5))
    return path


def add(stage, origin, *names, check=True):
    stage.cli("add", "--quiet", str(stage.list_of("images", [f"{origin.url}{name}.png" for name in names])),
              check=check)


def open_viewer(stage, page, place, query=""):
    link = stage.link()
    page.goto(link)
    # The browser is logged in.
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(1)
    page.goto(f"{link.split('login')[0]}records/1/{place}{query}")
    expect(page.locator(".viewer")).to_be_visible()


def test_shows_images_that_are_downloaded_again(stage, page):
    """The dimensions in the caption and those of the picture tell the versions apart."""
    origin = stage.origin(folder=folder(stage, a=40, b=41))
    add(stage, origin, "a", "b")
    open_viewer(stage, page, 1)
    caption, picture = page.locator(".caption"), page.locator(".stage img")
    expect(caption).to_have_text("1/2 · 40 × 40")
    expect(picture).to_be_visible()
    folder(stage, a=50, b=51)
    stage.cli("reload", "1")
    expect(caption).to_have_text("1/2 · 50 × 50")
    expect(picture).to_have_js_property("naturalWidth", 50)
    page.keyboard.press("ArrowRight")
    expect(caption).to_have_text("2/2 · 51 × 51")
    expect(picture).to_have_js_property("naturalWidth", 51)
    page.keyboard.press("ArrowLeft")
    expect(picture).to_have_js_property("naturalWidth", 50)


def test_shows_an_image_that_was_replaced_while_imgdld_was_away(stage, page):
    origin = stage.origin(folder=folder(stage, a=40, b=41))
    add(stage, origin, "a", "b")
    # The last script that the page loads.
    with page.expect_response("**/thumbhash.js"):
        open_viewer(stage, page, 1)
    expect(page.locator(".caption")).to_have_text("1/2 · 40 × 40")
    stage.kill()
    expect(page.locator("#banner")).to_have_text("imgdld does not respond. Trying again…")
    folder(stage, a=50, b=51)
    page.route("**/v1/events**", lambda route: route.abort())
    stage.cli("reload", "1")
    stage.cli("daemon", "start")
    # The page connects only after the downloads, so that it receives no events about them.
    wait_until(lambda: {png(50, 0.5), png(51, 0.5)} <= {path.read_bytes() for path in stage.library.rglob("*.png")})
    wait_until(lambda: '"finished":2' in stage.cli("list", "--json"))
    page.unroute("**/v1/events**")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".stage img")).to_have_js_property("naturalWidth", 50)
    expect(page.locator(".caption")).to_have_text("1/2 · 50 × 50")


def test_stays_on_the_same_image_when_a_refresh_adds_entries(stage, page):
    origin = stage.origin(folder=folder(stage, a=40, b=41, c=42, d=43))
    add(stage, origin, "a", "b")
    open_viewer(stage, page, 1)
    caption = page.locator(".caption")
    expect(caption).to_have_text("1/2 · 40 × 40")
    page.keyboard.press("i")
    stage.list_of("images", [f"{origin.url}{name}.png" for name in "cdab"])
    stage.cli("refresh", "1")
    expect(caption).to_have_text("3/4 · 40 × 40")
    expect(page).to_have_url(re.compile("/records/1/3$"))
    expect(page.locator(".stage img")).to_have_js_property("naturalWidth", 40)
    expect(page.locator(".facts-box")).to_contain_text("a.png")
    page.keyboard.press("ArrowRight")
    expect(caption).to_have_text("4/4 · 41 × 41")
    page.keyboard.press("Home")
    expect(caption).to_have_text("1/4 · 42 × 42")


def test_follows_the_progress_of_a_download(stage, page):
    origin = stage.origin("--rate", "2K")
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("slow", [f"{origin.url}scenes/dawn.jpg"])))
    open_viewer(stage, page, 1)
    message = page.locator(".message")
    seen = set()
    wait_until(lambda: page.wait_for_timeout(20) or seen.add(message.text_content())
               or len([text for text in seen if re.match(r"Downloading \d+%", text)]) > 2)
    expect(page.locator(".stage img")).to_be_visible()
    expect(message).to_be_hidden()


def test_the_keys_read_an_image_that_fits_to_the_width(stage, page):
    origin = stage.origin(folder=folder(stage, a=400, b=41))
    add(stage, origin, "a", "b")
    open_viewer(stage, page, 1)
    picture, caption = page.locator(".stage img"), page.locator(".caption")
    expect(picture).to_be_visible()
    page.keyboard.press("f")
    stage_box = page.locator(".stage").bounding_box()
    assert abs(picture.bounding_box()["y"] - stage_box["y"]) < 1, "from its top"
    page.keyboard.press("ArrowDown")
    assert picture.bounding_box()["y"] < stage_box["y"] - 50
    page.keyboard.press("ArrowUp")
    assert abs(picture.bounding_box()["y"] - stage_box["y"]) < 1

    def bottom(box):
        return box["y"] + box["height"]

    while bottom(picture.bounding_box()) > bottom(stage_box) + 1:
        page.keyboard.press("ArrowDown")
        expect(caption).to_contain_text("1/2")
    page.keyboard.press("ArrowDown")
    expect(caption).to_contain_text("2/2")


def test_says_that_there_is_nothing_and_corrects_the_address(stage, page):
    origin = stage.origin(folder=folder(stage, a=40, b=41))
    add(stage, origin, "a", "b")
    open_viewer(stage, page, 999)
    expect(page.locator(".caption")).to_contain_text("2/2")
    expect(page).to_have_url(re.compile("/records/1/2$"))
    page.goto(page.url.replace("/1/2", "/1/1?show=failed"))
    expect(page.locator(".message")).to_have_text("There is nothing here.")
    expect(page.locator(".caption")).to_be_empty()
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".viewer")).to_have_count(0)
    expect(page.locator(".empty")).to_have_text("There is nothing here.")


def test_shows_formats_that_browsers_cannot_decode_in_full_size(stage, page):
    """DL10"""
    path = folder(stage)
    header = bytes([0, 0, 2] + [0] * 9) + (400).to_bytes(2, "little") + (300).to_bytes(2, "little") + bytes([24, 32])
    (path / "a.tga").write_bytes(header + bytes(3 * 400 * 300))
    (path / "b.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="200"><circle cx="9" cy="9" r="9"/></svg>')
    origin = stage.origin(folder=path)
    stage.cli("add", "--quiet", str(stage.list_of("images", [f"{origin.url}a.tga", f"{origin.url}b.svg"])))
    image = page.locator(".stage img")
    for number, size in [(1, "400 × 300"), (2, "500 × 200")]:
        open_viewer(stage, page, number)
        expect(page.locator(".caption")).to_have_text(f"{number}/2 · {size}")
        page.wait_for_function(
            "(size) => { const image = document.querySelector('.stage img');"
            " return `${image.naturalWidth} × ${image.naturalHeight}` === size; }", arg=size)
        expect(image).to_be_visible()


def test_loads_the_neighbours_of_an_image_after_the_image(stage, page):
    """Images that are passed need no connection, and no worker."""
    origin = stage.origin(folder=folder(stage, a=40, b=41, c=42, d=43))
    add(stage, origin, "a", "b", "c", "d")
    requested, held = [], []

    def hold(route):
        requested.append(int(route.request.url.split("/resources/")[1].split("/")[0]))
        if requested[-1] == 1 and not held:
            held.append(route)
        else:
            route.continue_()

    page.route("**/pages/1/image*", hold)
    open_viewer(stage, page, 1)
    wait_until(lambda: page.wait_for_timeout(50) or held)
    expect(page.locator(".message")).to_have_text("Loading…")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".stage img")).to_have_js_property("naturalWidth", 41)
    wait_until(lambda: page.wait_for_timeout(50) or 3 in requested)
    assert requested[:2] == [1, 2]
    assert 4 not in requested


def test_shows_the_preview_of_an_image_that_cannot_be_rendered_in_full(stage, page):
    """DL10"""
    origin = stage.origin(folder=folder(stage, a=400))
    add(stage, origin, "a")
    page.route("**/pages/1/image*", lambda route: route.fulfill(status=404))
    open_viewer(stage, page, 1)
    expect(page.locator(".stage img")).to_be_visible()
    expect(page.locator(".caption")).to_contain_text("preview, because the whole image cannot be shown")
    assert page.locator(".stage img").evaluate("(image) => image.naturalWidth") >= 200


def test_shows_the_image_in_the_address_after_a_failed_request(stage, page):
    origin = stage.origin(folder=folder(stage, a=40, b=41))
    add(stage, origin, "a", "b")
    page.route("**/v1/records/1/views", lambda route: route.abort(), times=1)
    open_viewer(stage, page, 2)
    expect(page.locator(".caption")).to_have_text("2/2 · 41 × 41")
    expect(page).to_have_url(re.compile("/records/1/2$"))
