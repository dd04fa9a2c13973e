"""Grids of records with more rows than a browser can scroll."""

import random
import re

import pytest
from playwright.sync_api import expect

from test_resources import open_record

# The indexes of the first visible tile, in the middle of the record and after each of 40 steps of three rows.
STEPS = """async (grid) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { top } = grid.getBoundingClientRect();
  const first = () => Math.min(...[...grid.querySelectorAll('.tile:not([hidden])')]
    .filter((tile) => tile.getBoundingClientRect().bottom > top + 1).map(({ dataset }) => Number(dataset.index)));
  grid.scrollTop = grid.scrollHeight / 2;
  await frame();
  const indexes = [first()];
  for (let step = 0; step < 40; step += 1) {
    grid.scrollTop += 3 * grid.querySelector('.tile').offsetHeight;
    await frame();
    indexes.push(first());
  }
  return indexes;
}"""


# The index of the first visible tile after the layout has changed.
SETTLED = """async (grid) => {
  for (let frame = 0; frame < 4; frame += 1) await new Promise(requestAnimationFrame);
  const { top } = grid.getBoundingClientRect();
  return Math.min(...[...grid.querySelectorAll('.tile:not([hidden])')]
    .filter((tile) => tile.offsetHeight && tile.getBoundingClientRect().bottom > top + 1)
    .map(({ dataset }) => Number(dataset.index)));
}"""


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
    # A lazy record is a list at first.
    expect(page.locator("#tile-0")).to_contain_text("0.jpg")
    page.keyboard.press("v")
    expect(page).to_have_url(re.compile("layout=grid"))
    expect(page.locator("#tile-0 .label")).to_have_text("Paused")
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
    # Scrolling is not compressed, unlike the scroll bar: no row is left out.
    firsts = grid.evaluate(STEPS)
    columns = int(grid.get_attribute("aria-colcount"))
    rows = [(later - earlier) // columns for earlier, later in zip(firsts, firsts[1:])]
    assert len(rows) == 40 and all(2 <= each <= 4 for each in rows), rows
    # Neither another layout nor another size moves the first tile out of the first row, however often.
    kept = firsts[-1]
    for _ in range(3):
        page.set_viewport_size({"width": 700, "height": 800})
        grid.evaluate(SETTLED)
        page.set_viewport_size({"width": 1280, "height": 800})
        first = grid.evaluate(SETTLED)
    assert first <= kept < first + columns, (first, kept)
    # No row that is no longer used covers the others.
    hidden = page.locator("[role=row][hidden]")
    assert hidden.count() > 0
    assert hidden.evaluate_all("(rows) => rows.every(({ offsetHeight }) => offsetHeight === 0)")
    context.close()
