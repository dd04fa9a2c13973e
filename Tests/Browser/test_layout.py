"""Windows of all sizes, and texts of any length."""

import re

import pytest
from playwright.sync_api import expect

PHONE = {"width": 390, "height": 844}


def rows(page):
    return page.locator("[role=row]:not([hidden])")


@pytest.mark.parametrize("size", [(390, 844), (1280, 800), (2560, 1440)], ids=lambda size: f"{size[0]}")
def test_a_text_of_any_length_makes_no_screen_wider(stage, page, size):
    origin = stage.origin()
    title = "W" * 200
    stage.cli("add", "--quiet", str(stage.list_of(title, [f"{origin.url}scenes/{'q' * 4000}.jpg"])), check=False)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(stage.link())
    expect(rows(page)).to_have_count(1)
    base = page.url.rstrip("/")

    def overflow():
        return page.evaluate(
            """() => ['html', 'header', 'dialog', '.facts-box', '.notice'].filter((selector) =>
              [...document.querySelectorAll(selector)].some((each) => each.scrollWidth > each.clientWidth))""")

    rows(page).locator(".status").click()
    page.keyboard.press("x")
    expect(page.get_by_role("dialog")).to_contain_text(title)
    assert overflow() == []
    page.keyboard.press("Escape")
    for path, sign in [("", ".row"), ("/records/1", ".tile"), ("/records/1/details", ".row")]:
        page.goto(base + path)
        expect(page.locator(sign).first).to_be_visible()
        assert overflow() == [], path
    page.goto(f"{base}/records/1/1")
    expect(page.locator(".message")).not_to_be_empty()
    page.keyboard.press("i")
    facts = page.locator(".facts-box")
    expect(facts).to_contain_text("qqq")
    assert overflow() == []
    # All of a long address can be read, by scrolling.
    box, stage_box = facts.bounding_box(), page.locator(".stage").bounding_box()
    assert box["y"] + box["height"] <= stage_box["y"] + stage_box["height"]
    facts.hover()
    page.mouse.wheel(0, 10_000)
    expect(facts.get_by_text("State")).to_be_in_viewport()


def test_a_phone_shows_rates_and_percentages_and_the_viewer_has_one_row_of_buttons(stage, page):
    """DL1"""
    origin = stage.origin("--rate", "6K")
    page.set_viewport_size(PHONE)
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    row = rows(page).first
    expect(row.locator(".speed")).to_have_text(re.compile(r"kB/s"))
    expect(row.locator(".speed")).to_be_visible()
    cells = row.locator(":scope > *").evaluate_all(
        "(cells) => cells.map((cell) => cell.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])")
    box = row.bounding_box()
    assert all(top >= box["y"] and bottom <= box["y"] + box["height"] for top, bottom in cells)
    row.locator("a").click()
    # The percentage is in a line of its own if necessary.
    label = page.locator(".tile .label", has_text=re.compile(r"Downloading \d+%")).first
    assert label.evaluate("(label) => label.scrollWidth <= label.clientWidth")
    page.locator(".tile").first.click()
    bar = page.locator(".viewer .bar")
    expect(bar.get_by_role("button", name="Info")).to_be_attached()
    assert bar.bounding_box()["height"] < 80


def test_no_rate_is_shown_after_the_last_download(stage, page):
    origin = stage.origin()
    page.goto(stage.link())
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    expect(rows(page).first.locator(".status")).to_have_text("Finished")
    expect(page.locator("footer .numbers")).to_have_text(re.compile(r"^18/18 · [0-9.]+ [kM]B$"))


@pytest.mark.parametrize("width", [390, 1280])
def test_words_of_tables_are_not_cut(stage, page, width):
    origin = stage.origin("--rate", "5K")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(stage.link())
    stage.cli("add", "--quiet", "--detach", origin.url + "collection.zip")
    expect(rows(page)).to_have_count(2)
    base = page.url.rstrip("/")
    page.goto(f"{base}/records/1/details")
    size = page.locator(".row .size", has_text="Downloading").first
    assert size.evaluate("(cell) => cell.scrollWidth <= cell.clientWidth")
    page.goto(f"{base}/hosts")
    expect(page.locator("tbody tr")).to_have_count(1)
    heights = page.locator("thead th").evaluate_all("(cells) => cells.map((cell) => cell.clientHeight)")
    assert max(heights) < 70, "no heading has more than two lines"


@pytest.mark.parametrize("pointer", ["mouse", "finger"])
@pytest.mark.parametrize("size", [(640, 320), (844, 390), (320, 480)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_slice_has_most_of_a_low_window(stage, browser, size, pointer):
    series = stage.series(5)
    stage.cli("add", "--quiet", series.url)
    is_touch = pointer == "finger"
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, has_touch=is_touch, is_mobile=is_touch)
    page = context.new_page()
    page.goto(stage.link())
    rows(page).first.locator("a").click()
    expect(page.locator("header .summary")).to_have_text("1/5")
    expect(page.locator(".stage > canvas")).to_be_visible()
    # The number of loaded slices takes a line of a narrow window until all are loaded.
    expect(page.locator("footer.slices .numbers")).to_have_text("")
    share = page.locator(".stage > canvas").bounding_box()["height"] / size[1]
    assert share >= (0.7 if size[0] > size[1] else 0.5)
    controls = page.locator("main :is(button, input)")
    assert controls.count() == 9
    smallest = 44 if is_touch else 24
    for control in controls.all():
        control.scroll_into_view_if_needed()
        expect(control).to_be_in_viewport(ratio=0.99)
        box = control.bounding_box()
        assert min(box["width"], box["height"]) >= smallest, control.evaluate("(control) => control.outerHTML")
    context.close()


@pytest.mark.parametrize("size", [(320, 256), (640, 320)], ids=lambda size: f"{size[0]}")
@pytest.mark.parametrize("path", ["", "/records/1", "/records/1/details"])
def test_a_list_keeps_rows_in_a_very_low_window(stage, page, size, path):
    """320 × 256 is a window of 1280 × 1024 at 400 % (WCAG 1.4.10)."""
    origin = stage.origin()
    stage.cli("add", "--quiet", str(stage.list_of("images", [f"{origin.url}scenes/{n}.jpg" for n in range(9)])),
              check=False)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(stage.link())
    expect(rows(page)).to_have_count(1)
    page.goto(page.url.rstrip("/") + path)
    grid = page.get_by_role("grid")
    expect(rows(page).first).to_be_visible()
    assert grid.bounding_box()["height"] >= 200
    grid.scroll_into_view_if_needed()
    expect(rows(page).first).to_be_in_viewport()
