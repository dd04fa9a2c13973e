"""What tiles show and how they are marked: failures, badges, checks, ranges and menus."""

import re

import pytest
from playwright.sync_api import expect

from screens import choose, open_record, tiles


def marked(page):
    return page.locator(".tile.marked:not([hidden])")


def open_scenes(stage, page, number=1):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    open_record(stage, page, number)
    expect(page.locator(".tile img:not([hidden])").nth(5)).to_be_visible()


def test_a_failed_tile_says_why_and_retries(stage, page):
    origin = stage.origin()
    sources = [f"{origin.url}scenes/{name}.jpg" for name in ("none", "dawn", "gone")]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    open_record(stage, page)
    failed = tiles(page).nth(2)
    expect(failed).to_contain_text("gone.jpg")
    expect(failed).to_contain_text("Error: HTTP 404 Not Found")
    expect(failed).to_contain_text(origin.url.split("/")[2])
    with page.expect_request("**/retry") as request:
        failed.get_by_role("button", name="Retry gone.jpg").click()
    assert request.value.post_data_json == {"resources": [3]}
    # A click on the button opens nothing.
    expect(page).to_have_url(re.compile("/records/1$"))


def test_documents_and_archives_have_badges(stage, page):
    open_scenes(stage, page)
    expect(tiles(page).last.locator(".label")).to_have_text("ZIP · 4")
    expect(tiles(page).first.locator(".label")).to_be_hidden()


def test_a_tile_shows_the_downloaded_part_as_a_ring(stage, page):
    origin = stage.origin("--rate", "5K")
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("slow", [f"{origin.url}scenes/city.jpg"])))
    page.locator("[role=row]:not([hidden]) a").first.click()
    ring = tiles(page).first.locator(".ring")
    expect(ring).to_be_visible()
    page.wait_for_function("() => parseFloat(document.querySelector('.ring').style.getPropertyValue('--part')) > 20")
    stage.cli("remove", "--yes", "1")


def test_the_check_of_a_tile_marks_it(stage, page):
    open_scenes(stage, page)
    bar = page.get_by_role("toolbar", name="Marked images")
    expect(bar).to_be_hidden()
    check = tiles(page).nth(1).locator(".check")
    expect(check).to_have_css("opacity", "0")
    tiles(page).nth(1).hover()
    expect(check).to_have_css("opacity", "1")
    check.click()
    expect(marked(page)).to_have_count(1)
    expect(page).to_have_url(re.compile("/records/1$"))
    expect(bar).to_be_visible()
    bar.get_by_role("button", name="1 marked").click()
    expect(marked(page)).to_have_count(0)
    expect(bar).to_be_hidden()


def test_a_click_with_shift_marks_a_range(stage, page):
    open_scenes(stage, page)
    tiles(page).nth(2).click(modifiers=["Control"])
    tiles(page).nth(6).click(modifiers=["Shift"])
    expect(marked(page)).to_have_count(5)
    # Backwards from the same tile.
    tiles(page).nth(0).click(modifiers=["Shift"])
    expect(marked(page)).to_have_count(7)
    expect(page.get_by_role("button", name="7 marked")).to_be_visible()
    expect(page).to_have_url(re.compile("/records/1$"))


def test_a_range_covers_tiles_that_were_not_read(stage, page):
    urls = [f"http://127.0.0.1:1/{number}.jpg" for number in range(2000)]
    stage.cli("add", "--quiet", "--lazy", str(stage.list_of("many", urls)))
    stage.link()
    stage.cli("pause")
    open_record(stage, page)
    page.get_by_role("grid").focus()
    page.keyboard.press("Home")
    tiles(page).first.click(modifiers=["Control"])
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    page.locator("#tile-1999").click(modifiers=["Shift"])
    expect(page.get_by_role("button", name="2,000 marked")).to_be_visible()


def test_the_menu_of_a_tile_concerns_it_or_all_marked_ones(stage, page):
    open_scenes(stage, page)
    tiles(page).nth(3).click(button="right")
    menu = page.get_by_role("menu")
    with page.expect_request("**/reload") as request:
        menu.get_by_role("menuitem", name="Reload").click()
    assert request.value.post_data_json == {"resources": [4]}
    tiles(page).nth(3).click(button="right")
    menu.get_by_role("menuitem", name="Mark", exact=True).click()
    tiles(page).nth(5).click(modifiers=["Control"])
    tiles(page).nth(5).click(button="right")
    with page.expect_request("**/reload") as request:
        menu.get_by_role("menuitem", name="Reload 2 marked images").click()
    assert sorted(request.value.post_data_json["resources"]) == [4, 6]


def test_a_browser_without_a_clipboard_is_offered_no_copy(stage, page):
    """Browsers have none for a page that comes over plain HTTP from another machine."""
    open_scenes(stage, page)
    tiles(page).first.click(button="right")
    copy = page.get_by_role("menuitem", name="Copy the URL")
    expect(copy).to_be_visible()
    page.keyboard.press("Escape")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    tiles(page).first.click(button="right")
    expect(page.get_by_role("menuitem", name="Reload")).to_be_visible()
    expect(copy).to_have_count(0)


def test_the_original_is_saved(stage, page):
    open_scenes(stage, page)
    tiles(page).first.click(button="right")
    with page.expect_download() as saved:
        page.get_by_role("menuitem", name="Save the original").click()
    assert saved.value.suggested_filename.endswith("dawn.jpg")
    with open(saved.value.path(), "rb") as file:
        assert file.read(2) == b"\xff\xd8"


@pytest.mark.parametrize(("path", "width"), [
    ("", 390), ("/records/1", 390), ("/records/1/2", 390), ("/records/1/details", 390), ("/hosts", 390),
    ("/records/1", 1024), ("/records/1/details", 1024)])
def test_fingers_have_targets_of_44_pixels(stage, browser, path, width):
    origin = stage.origin()
    sources = [f"{origin.url}scenes/{name}.jpg" for name in ("none", "dawn", "gone")]
    stage.cli("add", "--quiet", str(stage.list_of("mixed", sources)), check=False)
    context = browser.new_context(viewport={"width": width, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(stage.link())
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(1)
    page.goto(page.url.rstrip("/") + path)
    expect(page.locator("main[aria-busy=false]")).to_be_attached()
    expect(page.get_by_role("button").first).to_be_attached()
    if path == "":
        page.get_by_role("button", name="Settings").tap()
        expect(page.get_by_role("dialog")).to_be_visible()
    if path == "/records/1":
        expect(page.get_by_role("button", name="Retry gone.jpg")).to_be_visible()
    small = page.locator("button:visible, select:visible, .segments span:visible").evaluate_all(
        """(all) => all.map((each) => [each, each.getBoundingClientRect()])
          .filter(([, box]) => box.width && (box.width < 44 || box.height < 44)).map(([each]) => each.outerHTML)""")
    assert small == []
    outside = page.evaluate("""() => [...document.querySelectorAll('nav.bottom > *')]
      .filter((each) => each.getBoundingClientRect().right > innerWidth).length""")
    assert outside == 0
    context.close()


def test_the_bar_at_the_bottom_of_a_phone_has_at_most_five_commands(stage, page):
    page.set_viewport_size({"width": 390, "height": 844})
    open_scenes(stage, page)
    bottom = page.get_by_role("navigation", name="Record")
    assert 3 <= bottom.get_by_role("button").count() <= 5
    choose(page, bottom, "Mark all")
    expect(marked(page)).to_have_count(12)


def test_a_finger_opens_a_record_by_its_cover_and_an_image_by_its_corner(stage, browser):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(stage.link())
    page.locator("[role=row]:not([hidden]) .cover").first.tap()
    expect(page).to_have_url(re.compile("/records/1$"))
    expect(tiles(page)).to_have_count(12)
    # An invisible check takes no tap.
    tiles(page).nth(2).tap(position={"x": 12, "y": 12})
    expect(page).to_have_url(re.compile("/records/1/3$"))
    context.close()


def test_all_visible_failures_are_named(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", str(stage.list_of("gone", [f"{origin.url}{place}.jpg" for place in range(150)])),
              check=False)
    page.set_viewport_size({"width": 2560, "height": 2400})
    open_record(stage, page)
    names = page.locator(".tile:not([hidden]) .failure > .strong")
    expect(names).to_have_count(150)
    expect(names.filter(has_text=re.compile(r"\d+\.jpg"))).to_have_count(150)
