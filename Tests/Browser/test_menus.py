"""Menus, settings, and what is dropped."""

import re

import pytest
from playwright.sync_api import expect

from test_records import rows


def add(stage):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")


def test_the_right_button_opens_the_menu_of_a_record(stage, page):
    add(stage)
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    rows(page).nth(1).click(button="right")
    menu = page.get_by_role("menu", name="patterns")
    expect(menu).to_be_visible()
    expect(rows(page).nth(1)).to_have_attribute("aria-selected", "true")
    box = menu.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= 800 and box["x"] + box["width"] <= 1280
    # What destroys is the last item, and asks.
    expect(menu.get_by_role("menuitem").last).to_have_text(re.compile("Remove…"))
    menu.get_by_role("menuitemradio", name="High priority").click()
    expect(menu).to_have_count(0)
    expect(rows(page).nth(1).locator(".meta")).to_contain_text("high priority")


def test_a_menu_is_operated_by_keys(stage, page):
    add(stage)
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    page.keyboard.press("ContextMenu")
    menu = page.get_by_role("menu", name="patterns")
    expect(menu.get_by_role("menuitem", name="Open")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(menu.get_by_role("menuitem", name="Image Details")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_role("menuitem", name="Remove…")).to_be_focused()
    # The key closes the menu, and the record stays selected.
    page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(page.get_by_role("grid")).to_be_focused()
    expect(rows(page).nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ContextMenu")
    expect(menu.get_by_role("menuitem", name="Open")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/records/2/details$"))


def test_the_menu_concerns_its_record_when_another_is_shown(stage, page):
    origin = stage.origin()
    for title in ("one", "two"):
        stage.cli("add", "--quiet", str(stage.list_of(title, [f"{origin.url}{title}.jpg"])), check=False)
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    rows(page).first.get_by_role("button", name="More about one").click()
    expect(page.get_by_role("menu", name="one")).to_be_visible()
    # The filter hides the record, so that none is selected.
    page.get_by_role("searchbox").evaluate(
        "(filter) => { filter.value = 'two'; filter.dispatchEvent(new Event('input')) }")
    expect(rows(page)).to_have_count(1)
    with page.expect_request(lambda request: request.url.endswith("/retry")) as request:
        page.get_by_role("menuitem", name="Retry what failed").click()
    assert request.value.url.endswith("/v1/records/1/retry")


def test_the_menu_of_the_selected_record_is_reached_without_a_menu_key(stage, page):
    add(stage)
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    page.get_by_role("grid").focus()
    page.keyboard.press("End")
    expect(page.locator(".more[tabindex='0']:visible")).to_have_count(1)
    page.keyboard.press("Tab")
    expect(rows(page).nth(1).get_by_role("button", name="More about patterns")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu", name="patterns")).to_be_visible()
    page.keyboard.press("Escape")
    # The button that has lost its record loses the focus.
    page.keyboard.press("ArrowUp")
    expect(page.get_by_role("grid")).to_be_focused()


def test_a_finger_opens_the_menu_as_a_sheet(stage, browser):
    add(stage)
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    session = context.new_cdp_session(page)
    box = rows(page).first.bounding_box()
    session.send("Input.dispatchTouchEvent", {
        "type": "touchStart", "touchPoints": [{"x": box["x"] + 150, "y": box["y"] + 30}]})
    expect(page.locator(".row.lifted")).to_have_count(1)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    menu = page.get_by_role("menu", name="scenes")
    expect(menu).to_be_visible()
    sheet = menu.bounding_box()
    assert sheet["width"] == 390 and abs(sheet["y"] + sheet["height"] - 844) < 1
    menu.get_by_role("menuitem", name="Image Details").tap()
    expect(page).to_have_url(re.compile("/records/1/details$"))
    context.close()


def test_the_chosen_colours_override_those_of_the_system(stage, page):
    def background():
        return page.evaluate("getComputedStyle(document.body).backgroundColor")

    page.emulate_media(color_scheme="light")
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    light = background()
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog.get_by_role("radio", name="System")).to_be_checked()
    dialog.get_by_text("Dark").click()
    dark = background()
    assert dark != light
    # Before the first script of the page's modules is loaded.
    page.route("**/app.js", lambda route: route.abort())
    page.reload()
    assert background() == dark
    page.unroute("**/app.js")
    page.reload()
    page.get_by_role("button", name="Settings").click()
    dialog.get_by_text("System").click()
    assert background() == light
    page.emulate_media(color_scheme="dark")
    assert background() == dark


def test_the_settings_show_a_limit_that_another_program_has_set(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    slider = page.get_by_role("dialog", name="Settings").get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "16 downloads")
    page.evaluate("""fetch('/v1/settings/concurrency', {
      method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: '{"limit":5}' })""")
    expect(slider).to_have_attribute("aria-valuetext", "5 downloads")


def test_what_is_dragged_over_the_page_has_a_visible_target(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    drag = """(kind) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/uri-list', 'http://127.0.0.1:1/a.jpg');
      document.body.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer }));
    }"""
    page.evaluate(drag, "dragover")
    expect(page.get_by_text("Drop to add")).to_be_visible()
    page.evaluate(drag, "dragleave")
    expect(page.get_by_text("Drop to add")).to_have_count(0)
    page.evaluate(drag, "dragover")
    page.evaluate(drag, "drop")
    expect(page.get_by_text("Drop to add")).to_have_count(0)
    expect(page.get_by_role("textbox", name="URL")).to_have_value("http://127.0.0.1:1/a.jpg")


@pytest.mark.parametrize("width", [1024, 1280])
def test_the_header_and_the_footer_have_one_line(stage, page, width):
    add(stage)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(stage.link())
    expect(rows(page)).to_have_count(2)
    assert page.locator("header").bounding_box()["height"] <= 60
    assert page.locator("footer").bounding_box()["height"] <= 60
