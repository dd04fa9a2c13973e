"""No serious finding of axe, on every screen, in each colour scheme."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

SCHEMES = [
    {"color_scheme": "light"}, {"color_scheme": "dark"},
    {"color_scheme": "light", "forced_colors": "active"}]


def serious(page):
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html']}" for each in found
            if each["impact"] in ("serious", "critical") for node in each["nodes"]]


@pytest.mark.parametrize("scheme", SCHEMES, ids=["light", "dark", "forced"])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)], ids=["phone", "desktop"])
def test_no_serious_finding(stage, browser, scheme, size):
    origin = stage.origin()
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, **scheme)
    page = context.new_page()
    link = stage.link()
    page.goto(link)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    assert serious(page) == []
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    rows = page.locator("[role=row]:not([hidden])")
    expect(rows).to_have_count(2)
    rows.first.locator(".status").click()
    assert serious(page) == []
    rows.first.click(button="right")
    expect(page.get_by_role("menu")).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+X")
    assert serious(page) == []
    page.keyboard.press("Escape")
    rows.first.locator("a").click()
    expect(page.locator(".tile img:not([hidden])")).to_have_count(12)
    assert serious(page) == []
    page.locator(".tile").first.click()
    expect(page.locator(".stage img")).to_be_visible()
    assert serious(page) == []
    base = page.url.split("/records")[0]
    series = stage.series(3)
    stage.cli("add", "--quiet", series.url)
    for path, sign in [
        ("/records/1?layout=list", ".texts"), ("/records/1/details", ".row"), ("/records/3/slices", ".stage canvas"),
        ("/hosts", "h1"),
    ]:
        page.goto(base + path)
        expect(page.locator(sign).first).to_be_visible()
        assert serious(page) == [], path
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert serious(page) == []
    stranger = browser.new_context(**scheme).new_page()
    stranger.goto(link.split("login")[0])
    expect(stranger.get_by_text("This browser is not logged in.")).to_be_visible()
    assert serious(stranger) == []
    context.close()
