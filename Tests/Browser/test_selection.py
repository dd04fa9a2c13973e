"""The selected record while the list of records changes, is filtered and sorted."""

from playwright.sync_api import expect


def add(stage, *titles):
    for title in titles:
        stage.cli("add", "--quiet", "--lazy", str(stage.list_of(title, [f"http://127.0.0.1:1/{title}.jpg"])))


def selected(page):
    return page.locator("[role=row][aria-selected=true]:not([hidden]) a")


def open_records(stage, page, *titles):
    add(stage, *titles)
    page.goto(stage.link())
    expect(page.locator("[role=row]:not([hidden])").first).to_be_visible()


def test_a_change_of_the_library_moves_no_row_into_sight(stage, page):
    page.set_viewport_size({"width": 800, "height": 300})
    open_records(stage, page, *[f"record{number:02}" for number in range(20)])
    grid = page.get_by_role("grid")
    page.keyboard.press("Home")
    expect(selected(page)).to_have_text("record00")
    grid.evaluate("(grid) => { grid.scrollTop = 500 }")
    add(stage, "another")
    expect(page.locator("header .summary")).to_have_text("21 records")
    assert grid.evaluate("(grid) => grid.scrollTop") == 500
    stage.cli("remove", "--yes", "3")
    expect(page.locator("header .summary")).to_have_text("20 records")
    assert grid.evaluate("(grid) => grid.scrollTop") == 500


def test_a_filter_selects_no_other_record(stage, page):
    open_records(stage, page, "apple", "pear", "plum")
    page.keyboard.press("Home")
    expect(selected(page)).to_have_text("apple")
    page.get_by_label("Filter titles").fill("p")
    expect(selected(page)).to_have_text("apple")
    page.get_by_label("Filter titles").fill("pl")
    expect(selected(page)).to_have_text("apple")
    page.get_by_label("Filter titles").fill("plum")
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(1)
    expect(selected(page)).to_have_count(0)
    page.get_by_label("Filter titles").fill("")
    expect(selected(page)).to_have_text("apple")


def test_a_lifted_record_stays_lifted_when_others_precede_it(stage, page):
    open_records(stage, page, "pear", "plum")
    page.get_by_label("Sort by").select_option("title")
    row = page.locator("[role=row]:not([hidden])", has_text="plum")
    box = row.bounding_box()
    page.mouse.move(box["x"] + 400, box["y"] + 10)
    page.mouse.down()
    lifted = page.locator(".lifted a")
    expect(lifted).to_have_text("plum")
    page.mouse.up()
    add(stage, "apple")
    expect(page.locator("[role=row]:not([hidden])")).to_have_count(3)
    expect(lifted).to_have_text("plum")
    expect(selected(page)).to_have_text("plum")
