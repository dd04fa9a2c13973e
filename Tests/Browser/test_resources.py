"""The resources of a record, and the viewer: screens 2 and 3."""

import random
import re

import pytest
from playwright.sync_api import expect

from stage import wait_until


def tiles(page):
    return page.locator(".tile:not([hidden])")


def open_record(stage, page, number=1):
    page.goto(stage.link())
    expect(page.get_by_role("grid")).to_be_visible()
    page.locator("[role=row]:not([hidden]) a").nth(number - 1).click()
    expect(page).to_have_url(re.compile(f"/records/{number}$"))


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
    page.get_by_label("Show").select_option("failed")
    expect(tiles(page)).to_have_count(1)
    page.reload()
    expect(tiles(page)).to_have_count(1)
    expect(page.get_by_label("Show")).to_have_value("failed")


def test_follows_the_download_of_a_resource(stage, page):
    origin = stage.origin("--rate", "10K")
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    page.locator("[role=row]:not([hidden]) a").first.click()
    expect(tiles(page).first).to_contain_text(re.compile(r"Downloading \d+%"))
    stage.cli("pause")
    expect(tiles(page).last).to_contain_text("Paused")


def test_a_lazy_record_fetches_what_is_visible(stage, page):
    """LZ1"""
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
    assert 20 <= failed < 300, "neither none nor all"
    page.get_by_role("grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
    expect(page.locator("#tile-399")).to_contain_text("Error")


def test_says_that_a_record_does_not_exist(stage, page):
    link = stage.link()
    page.goto(link)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.goto(link.split("login")[0] + "records/7")
    expect(page.get_by_text("This record does not exist.")).to_be_visible()


@pytest.mark.parametrize("ratio", [1, 2, 3])
def test_reaches_every_index_of_a_large_record(stage, browser, ratio):
    count = 300_000
    urls = [f"http://127.0.0.1:1/{number}.jpg" for number in range(count)]
    stage.cli("add", "--quiet", "--lazy", str(stage.list_of("large", urls)))
    stage.link()
    stage.cli("pause")
    context = browser.new_context(
        viewport={"width": 1280, "height": 800}, device_scale_factor=ratio)
    page = context.new_page()
    open_record(stage, page)
    grid = page.get_by_role("grid")
    expect(page.locator("#tile-0")).to_contain_text("Paused")
    grid.focus()
    page.keyboard.press("End")
    expect(page.locator(f"#tile-{count - 1}")).to_contain_text("Paused")
    page.keyboard.press("Home")
    expect(page.locator("#tile-0")).to_be_visible()
    chance = random.Random(ratio)
    for _ in range(20):
        share = chance.random()
        grid.evaluate("(grid, share) => { grid.scrollTop = share * grid.scrollHeight }", share)
        # A visible tile is never blank a second later.
        expect(page.locator(".tile:not([hidden]) .label").filter(visible=True).nth(6)).to_have_text(
            "Paused", timeout=1_000)
    assert page.locator(".tile").count() < 200
    context.close()
