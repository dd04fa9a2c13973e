"""The connection of the page: many tabs, and an imgdld that ends."""

import re

import pytest
from playwright.sync_api import expect

from stage import wait_until


def test_recovers_when_imgdld_is_killed_and_started_again(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    rows = page.locator("[role=row]:not([hidden])")
    expect(rows).to_have_count(2)
    stage.kill()
    expect(page.locator("#banner")).to_have_text("imgdld does not respond. Trying again…")
    stage.cli("daemon", "start")
    expect(page.locator("#banner")).to_be_hidden()
    expect(rows).to_have_count(2)
    # Events arrive again.
    stage.cli("add", "--quiet", "--again", origin.url + "collection.zip")
    expect(rows).to_have_count(4)
    expect(rows.last.locator(".status")).to_have_text("Finished")


def test_twenty_tabs_share_one_stream(stage, context):
    origin = stage.origin()
    link = stage.link()
    pages = []
    for number in range(20):
        page = context.new_page()
        page.goto(link if number == 0 else link.split("login")[0])
        expect(page.get_by_text("The library is empty.")).to_be_visible()
        pages.append(page)
    assert stage.connections() <= 6
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    for page in pages:
        expect(page.locator(".row .done").first).to_have_text(re.compile("12/12"))
    # The first tab holds the stream; the others go on without it.
    pages.pop(0).close()
    stage.cli("add", "--quiet", "--again", origin.url + "collection.zip")
    for page in pages:
        expect(page.locator("[role=row]:not([hidden])")).to_have_count(4)
    wait_until(lambda: stage.connections() <= 6)


def is_visible(page):
    """Whether nothing covers the banner."""
    return page.locator("#banner").evaluate(
        """(banner) => {
          const box = banner.getBoundingClientRect();
          return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === banner;
        }""")


def test_the_banner_is_visible_in_the_viewer(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    link = stage.link()
    page.goto(link)
    # The browser is logged in.
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(2)
    page.goto(link.split("login")[0] + "records/1/2")
    expect(page.locator(".stage img")).to_be_visible()
    stage.kill()
    expect(page.locator("#banner")).to_have_text("imgdld does not respond. Trying again…")
    assert is_visible(page)
    expect(page.locator(".stage")).to_have_css("opacity", "0.6")
    stage.cli("daemon", "start")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".stage")).to_have_css("opacity", "1")


@pytest.mark.parametrize("path", ["/records/1", "/records/1/2", "/records/1/details", "/records/3/slices"])
def test_nothing_of_a_library_that_another_client_resets_stays(stage, page, path):
    """DL5"""
    origin, series = stage.origin(), stage.series(3)
    stage.cli("add", "--quiet", origin.url + "collection.zip", series.url)
    page.goto(stage.link())
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(3)
    page.goto(page.url.rstrip("/") + path)
    expect(page.locator("main[aria-busy=false]")).to_be_visible()
    stage.cli("reset", "--yes")
    expect(page.get_by_text("This record does not exist.")).to_be_visible()
    expect(page.locator("#banner")).to_have_text("The library was reset.")
    assert page.locator(".viewer, .tile, .row, canvas, img").count() == 0
    assert page.title() == "imgdl"
    page.go_back()
    expect(page.get_by_text("The library is empty.")).to_be_visible()


def test_an_engine_that_has_ended_is_announced_until_the_next_one_works(stage, page):
    """The messages are those of imgdld on a full disk. The reason contains foreign text."""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(2)
    wait_until(lambda: page.evaluate("navigator.locks.query().then(({ held }) => held.length)"))

    def send(event):
        page.evaluate("(event) => new BroadcastChannel('imgdl').postMessage({ kind: 'event', event })", event)

    banner = page.locator("#banner")
    send({"kind": "stopped", "code": "diskFull", "reason": "\u202elibrary: the disk is full"})
    expect(banner).to_have_text("Downloads have stopped: ⟨U+202E⟩library: the disk is full")
    expect(page.locator("main")).to_have_css("opacity", "0.6")
    send({"kind": "started", "record": 1, "resource": 1})
    expect(banner).to_be_hidden()
    expect(page.locator("main")).to_have_css("opacity", "1")
    send({"kind": "problem", "reason": "the list cannot be read"})
    expect(banner).to_have_text("the list cannot be read")


def test_the_page_works_in_a_browser_without_idle_callbacks(stage, page):
    """Safari has no requestIdleCallback."""
    page.add_init_script("delete window.requestIdleCallback")
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
