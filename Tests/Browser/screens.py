"""The screen of a record's resources, as tests use it."""

import re

from playwright.sync_api import expect


def tiles(page):
    return page.locator(".tile:not([hidden])")


def open_record(stage, page, number=1):
    page.goto(stage.link())
    expect(page.get_by_role("grid")).to_be_visible()
    page.locator("[role=row]:not([hidden]) a").nth(number - 1).click()
    expect(page).to_have_url(re.compile(f"/records/{number}$"))
    # The URL changes before the screen does, and keys until then are for the former screen.
    expect(page.get_by_role("button", name="Records", exact=True)).to_be_attached()


def show(page, chip):
    """Chooses which resources are shown, or which records."""
    page.get_by_role("group", name="Show").get_by_role("button", name=chip).click()


def choose(page, place, item):
    """Chooses an item of the menu that a button opens: "…" in the row of a record, or beside other commands."""
    place.get_by_role("button", name=re.compile("^More")).click()
    page.get_by_role("menuitem", name=item).click()
