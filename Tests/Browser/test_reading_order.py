"""What screen readers find in lists of which only the visible rows are elements: order, focus and names."""

import re

import pytest
from playwright.sync_api import expect

from screens import open_record
from stage import wait_until

COUNT = 3000

# Row, column and place on the screen of each cell in the order of the document, after the rows were drawn.
CELLS = """async (grid) => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
  return [...grid.querySelectorAll('[role=row]:not([hidden]) > [role=gridcell]:not([hidden])')].map((cell) => {
    const { top, left } = cell.getBoundingClientRect();
    return { place: [cell.parentElement, cell].map((each) =>
      Number(each.getAttribute('aria-rowindex') ?? each.getAttribute('aria-colindex'))), box: [top, left] };
  });
}"""

# Counts how often an element loses the focus.
BLURS = """(element) => {
  window.blurs = 0;
  element.addEventListener('blur', () => { window.blurs += 1; });
  element.focus();
}"""


def open_grid(stage, page, layout="grid"):
    urls = [f"http://127.0.0.1:1/{number}.jpg" for number in range(COUNT)]
    stage.cli("add", "--quiet", "--lazy", str(stage.list_of("many", urls)))
    stage.link()
    stage.cli("pause")
    open_record(stage, page)
    expect(page.locator("#tile-0")).to_contain_text("0.jpg")
    if layout == "grid":
        page.keyboard.press("v")
        expect(page).to_have_url(re.compile("layout=grid"))
    return page.get_by_role("grid")


def scroll(grid, top):
    grid.evaluate("(grid, top) => { grid.scrollTop = top }", top)


@pytest.mark.parametrize("layout", ["grid", "list"])
def test_the_order_of_the_document_is_that_of_the_screen(stage, page, layout):
    grid = open_grid(stage, page, layout)
    height = grid.evaluate("(grid) => grid.scrollHeight")
    tops = [*range(0, 3000, 230), *range(3000, 0, -410), height // 2, height // 2 - 300, height // 2 + 700,
            height, height - 250, 900, 0]
    for selected in (None, "End"):
        if selected:
            grid.focus()
            page.keyboard.press(selected)
        for top in tops:
            scroll(grid, top)
            cells = grid.evaluate(CELLS)
            places = [each["place"] for each in cells]
            assert len(places) > 8
            assert places == sorted(places), f"at {top}"
            boxes = [each["box"] for each in cells]
            assert boxes == sorted(boxes), f"at {top}"


def test_rows_are_not_moved_while_others_are_recycled(stage, page):
    grid = open_grid(stage, page)
    scroll(grid, 2000)
    grid.evaluate(CELLS)
    moved = grid.evaluate("""async (grid) => {
      const shown = [...grid.querySelectorAll('[role=row]:not([hidden])')];
      const middle = shown[Math.floor(shown.length / 2)];
      const moves = new Map();
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const row of addedNodes) moves.set(row, (moves.get(row) ?? 0) + 1);
      }).observe(grid, { childList: true });
      for (const step of [200, 200, -200, -200]) {
        grid.scrollTop += step;
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
      }
      return { middle: moves.get(middle) ?? 0, all: [...moves.values()].reduce((sum, each) => sum + each, 0) };
    }""")
    assert moved["middle"] == 0
    assert 0 < moved["all"] <= 16


def test_the_selected_tile_stays_when_it_is_scrolled_away(stage, page):
    grid = open_grid(stage, page)
    grid.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(grid).to_have_attribute("aria-activedescendant", "tile-2")
    height = grid.evaluate("(grid) => grid.scrollHeight")
    for top in (400, 1500, height, height // 2):
        scroll(grid, top)
        grid.evaluate(CELLS)
        expect(grid).to_be_focused()
        expect(page.locator("#tile-2")).to_have_count(1)
        expect(page.locator("#tile-2")).to_have_attribute("aria-selected", "true")
        expect(page.locator("#tile-2")).not_to_be_in_viewport()
        assert grid.evaluate("(grid) => grid.scrollHeight") == height
    page.keyboard.press("ArrowRight")
    expect(page.locator("#tile-3")).to_be_in_viewport()
    page.keyboard.press("End")
    scroll(grid, 0)
    grid.evaluate(CELLS)
    expect(page.locator(f"#tile-{COUNT - 1}")).to_have_count(1)
    expect(page.locator("#tile-2")).to_be_in_viewport()


def test_a_title_keeps_the_focus_when_it_is_scrolled_away(stage, page):
    paths = [stage.list_of(f"record {number:03}", ["http://127.0.0.1:1/a.jpg"]) for number in range(200)]
    stage.link()
    stage.cli("pause", check=False)
    stage.cli("add", "--quiet", "--lazy", *map(str, paths))
    page.goto(stage.link())
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "200")
    title = page.get_by_role("link", name="record 003")
    title.evaluate(BLURS)
    for top in (60, 130, 400, 6000, 3000, 50):
        scroll(grid, top)
        grid.evaluate(CELLS)
        expect(title).to_be_focused()
    assert page.evaluate("blurs") == 0
    # Without its row, the list has the focus.
    page.get_by_label("Filter titles").evaluate(
        "(field) => { field.value = 'record 19'; field.dispatchEvent(new Event('input')) }")
    expect(grid).to_have_attribute("aria-rowcount", "10")
    page.get_by_role("link", name="record 199").evaluate("(link) => link.focus()")
    page.get_by_label("Filter titles").evaluate(
        "(field) => { field.value = 'record 00'; field.dispatchEvent(new Event('input')) }")
    assert page.evaluate("document.activeElement !== document.body")


def test_a_tile_says_whether_it_is_being_loaded(stage, page):
    grid = open_grid(stage, page)
    expect(page.locator("#tile-1000")).to_have_count(0)
    # Until the name was seen, no tiles arrive.
    held, released = [], []
    page.route("**/tiles?**", lambda route: route.continue_() if released else held.append(route))
    grid.evaluate("(grid) => { grid.scrollTop = grid.scrollHeight / 2 }")
    tile = page.locator(f"#tile-{COUNT // 2}")
    expect(tile).to_have_attribute("aria-label", f"Image {COUNT // 2 + 1:,} of {COUNT:,}, loading")
    wait_until(lambda: page.wait_for_timeout(50) or held)
    released.append(True)
    for route in held:
        route.continue_()
    expect(tile).to_have_attribute("aria-label", f"Image {COUNT // 2 + 1:,} of {COUNT:,}, Paused")
