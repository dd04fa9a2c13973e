"""The views of a record's resources: filters, refreshes and the selection."""

import base64
import re

from playwright.sync_api import expect

from screens import choose, open_record, show, tiles


def test_the_selection_and_the_marks_stay_after_a_refresh(stage, page):
    origin = stage.origin()
    addresses = [f"{origin.url}scenes/{name}.jpg" for name in ("dawn", "noon", "dunes", "none")]
    stage.cli("add", "--quiet", str(stage.list_of("growing", addresses)), check=False)
    open_record(stage, page)
    expect(page.locator(".tile img:not([hidden])")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tile-1")).to_have_attribute("aria-selected", "true")
    choose(page, page.locator("header"), "Mark all")
    expect(page.get_by_role("button", name="4 marked")).to_be_visible()
    new = [f"{origin.url}scenes/{name}.jpg" for name in ("night", "forest")]
    stage.list_of("growing", [*new, *addresses])
    choose(page, page.locator("header"), "Refresh")
    expect(tiles(page)).to_have_count(6)
    expect(page.locator(".tile[aria-selected=true]")).to_have_count(1)
    expect(page.locator("#tile-3")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("grid")).to_have_attribute("aria-activedescendant", "tile-3")
    expect(page.locator(".tile.marked:not([hidden])")).to_have_count(6)
    expect(page.get_by_role("button", name="6 marked")).to_be_visible()
    # An image that a filter leaves out is not selected any more.
    show(page, "Failed")
    expect(tiles(page)).to_have_count(1)
    expect(page.locator(".tile[aria-selected=true]")).to_have_count(0)
    show(page, "All")
    expect(tiles(page)).to_have_count(6)
    expect(page.locator(".tile[aria-selected=true]")).to_have_count(0)


def test_the_viewer_stays_at_its_image_after_a_refresh(stage, page):
    origin = stage.origin()
    addresses = [f"{origin.url}scenes/{name}.jpg" for name in ("dawn", "noon", "dunes")]
    stage.cli("add", "--quiet", str(stage.list_of("growing", addresses)))
    open_record(stage, page)
    tiles(page).nth(1).click()
    expect(page.locator(".caption")).to_contain_text("2/3")
    stage.list_of("growing", [f"{origin.url}scenes/night.jpg", *addresses])
    stage.cli("refresh", "--quiet", "1")
    expect(page).to_have_url(re.compile("/records/1/3$"))
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text("4/4")
    page.keyboard.press("i")
    expect(page.locator(".facts-box")).to_contain_text("dunes.jpg")


def test_a_filtered_view_follows_the_record(stage, page):
    slow = stage.origin("--rate", "3K")
    page.goto(stage.link())
    sources = [f"{slow.url}scenes/{name}.jpg" for name in ("dawn", "noon")]
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("two", sources)))
    expect(page.locator(".row:not([hidden])")).to_have_count(1)
    page.goto(page.url + "records/1?show=finished")
    unfinished = page.context.new_page()
    unfinished.goto(page.url.replace("finished", "unfinished"))
    expect(tiles(unfinished)).to_have_count(2)
    expect(page.get_by_text("There is nothing here.")).to_be_visible()
    expect(tiles(page)).to_have_count(2)
    expect(unfinished.get_by_text("There is nothing here.")).to_be_visible()


def test_a_lazy_record_fetches_what_a_filter_shows(stage, page):
    """LZ2"""
    origin = stage.origin()
    missing = [f"{origin.url}scenes/none-{number}.jpg" for number in range(400)]
    stage.cli("add", "--quiet", "--lazy", str(stage.list_of("lazy", missing)))
    page.goto(stage.link())
    expect(page.locator(".row:not([hidden])")).to_have_count(1)
    page.goto(page.url + "records/1?show=unfinished")
    expect(tiles(page).first).to_contain_text("Error")
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    expect(page.locator("#tile-399")).to_contain_text("Error")
    failed = int(re.search(r"(\d+) failed", stage.cli("list"))[1])
    assert 5 <= failed < 300, "neither none nor all"
    page.goto(page.url.split("?")[0] + "?sort=size&layout=list")
    expect(page.get_by_role("grid")).to_have_attribute("aria-rowcount", "400")
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight / 2 }")
    expect(page.locator("#tile-200")).to_contain_text("Error")


def test_an_id_belongs_to_one_visible_tile(stage, page):
    origin = stage.origin()
    sources = [f"{origin.url}scenes/{name}.jpg" for name in ("dawn", "noon", "dunes", "aurora")]
    stage.cli("add", "--quiet", str(stage.list_of("four", sources)))
    open_record(stage, page)
    expect(tiles(page)).to_have_count(4)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    for layout in ("list", "grid"):
        page.keyboard.press("v")
        expect(page).to_have_url(re.compile(f"layout={layout}"))
        expect(page.locator("#tile-1")).to_have_count(1)
        expect(page.locator("#tile-1")).to_be_visible()
        expect(page.locator("[aria-selected=true]")).to_have_count(1)
    # The list has been read, so that its names are known in the grid, too.
    expect(page.locator("#tile-1")).to_have_attribute("aria-label", re.compile("^2 of 4, noon.jpg"))


def test_the_summary_has_no_rate_after_the_end_and_counts_failures_once(stage, page):
    slow = stage.origin("--rate", "20K")
    sources = [f"{slow.url}scenes/{name}.jpg" for name in ("dawn", "noon", "none", "gone")]
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("mixed", sources)))
    page.locator("[role=row]:not([hidden]) a").first.click()
    summary = page.locator(".summary")
    expect(summary).to_contain_text("/s")
    stage.cli("pause")
    expect(summary).not_to_contain_text("/s")
    stage.cli("resume", check=False)
    expect(summary).to_have_text(re.compile(r"^Finished, 2 failed · 2/4 · [\d.]+ kB$"))


def test_a_line_without_a_thumbnail_has_a_grey_box(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", str(stage.list_of("missing", [origin.url + "none.jpg"])), check=False)
    page.goto(stage.link())
    expect(page.locator(".row:not([hidden])")).to_have_count(1)
    page.goto(page.url + "records/1?layout=list")
    expect(tiles(page).first).to_contain_text("Error")
    box = tiles(page).first.bounding_box()
    clip = {"x": box["x"], "y": box["y"], "width": 200, "height": box["height"]}
    pixels = page.evaluate("""async (png) => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(png), (c) => c.charCodeAt(0))]));
      const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
      canvas.drawImage(picture, 0, 0);
      return [40, 88].map((x) => [...canvas.getImageData(x, 10, 1, 1).data].join());
    }""", base64.b64encode(page.screenshot(clip=clip)).decode())
    assert pixels[0] != pixels[1], "the box differs from the line's background"
