"""Resources that are not downloaded yet: their dimensions, and the pages of archives."""

import re
import zipfile

from playwright.sync_api import expect

from stage import SAMPLE, wait_until
from test_resources import open_record, tiles


def test_shows_dimensions_while_an_image_is_downloaded(stage, page):
    origin = stage.origin("--rate", "3K")
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("slow", [origin.url + "scenes/city.jpg"])))
    page.locator("[role=row]:not([hidden]) a").first.click()
    tile = tiles(page).first
    expect(tile).to_contain_text(re.compile(r"Downloading \d+% · 960 × 640"))
    shape = "(tile) => [tile.style.getPropertyValue('--ratio'), getComputedStyle(tile).backgroundSize]"
    ratio, size = tile.evaluate(shape)
    assert abs(float(ratio) - 1.5) < 0.02
    assert size.startswith("min(70%") or size.startswith("70%"), size
    # The tiles of a page that is opened now have the ratio from imgdld.
    page.reload()
    expect(tile).to_contain_text("Downloading")
    wait_until(lambda: abs(float(tile.evaluate(shape)[0]) - 1.5) < 0.02)
    tile.click()
    expect(page.locator(".viewer")).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator(".facts-box")).to_contain_text("960 × 640")


def pause_library(stage):
    """Pauses a library, which needs work that can be paused."""
    slow = stage.origin("--rate", "6K")
    stage.link()
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("slow", [slow.url + "scenes/rings.webp"])))
    stage.cli("pause")


def zip_of_scenes(folder):
    """Writes an archive of the sample's images, and returns their number."""
    images = sorted((SAMPLE / "scenes").glob("*.jpg"))
    with zipfile.ZipFile(folder / "scenes.cbz", "w") as archive:
        for image in images:
            archive.write(image, image.name)
    return len(images)


def test_shows_pages_of_an_archive_that_is_not_downloaded(stage, page):
    """DL10, DL11"""
    count = zip_of_scenes(stage.home)
    origin = stage.origin(folder=stage.home)
    pause_library(stage)
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("books", [origin.url + "scenes.cbz"])))
    open_record(stage, page, 2)
    expect(tiles(page).first).to_contain_text("Paused")
    tiles(page).first.click()
    expect(page.locator(".caption")).to_contain_text(f"1/1 · page 1 of {count}")
    expect(page.locator(".stage img")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text(f"page 2 of {count}")
    expect(page.locator(".stage img")).to_be_visible()
    assert '"status":"queued"' in stage.cli("show", "2", "--json")
    # The downloaded archive has its own pages; the viewer goes on with them.
    stage.cli("remove", "--yes", "1")
    stage.cli("resume")
    wait_until(lambda: "Finished" in stage.cli("show", "1"))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".caption")).to_contain_text(f"page 4 of {count}")
    expect(page.locator(".caption")).to_contain_text("960 × 640")
    expect(page.locator(".stage img")).to_be_visible()


def test_says_that_an_archive_must_be_downloaded_whole(stage, page):
    zip_of_scenes(stage.home)
    origin = stage.origin("--fault", "ignore-range:100", folder=stage.home)
    pause_library(stage)
    stage.cli("add", "--quiet", "--detach", str(stage.list_of("books", [origin.url + "scenes.cbz"])))
    open_record(stage, page, 2)
    tiles(page).first.click()
    expect(page.locator(".message")).to_contain_text("does not send parts of files")
