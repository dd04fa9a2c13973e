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
    page.goto(link.split("login")[0] + "records/1/2")
    expect(page.locator(".stage img")).to_be_visible()
    stage.kill()
    expect(page.locator("#banner")).to_have_text("imgdld does not respond. Trying again…")
    assert is_visible(page)
    expect(page.locator(".stage")).to_have_css("opacity", "0.6")
    stage.cli("daemon", "start")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator(".stage")).to_have_css("opacity", "1")
