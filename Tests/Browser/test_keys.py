"""Keys of other keyboards than the US one, input methods, Caps Lock, and keys that are held."""

import pytest
from playwright.sync_api import expect

import screens

PRESS = """([key, code, options]) => {
  const event = new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true, ...options });
  (document.activeElement ?? document.body).dispatchEvent(event);
  return event.defaultPrevented;
}"""

WINDOWS_ALTGR = {"ctrlKey": True, "altKey": True, "modifierAltGraph": True}


def press(page, key, code, **options):
    """Presses a key as a browser reports it. Returns whether the page has taken it."""
    return page.evaluate(PRESS, [key, code, options])


def open_records(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    # The key table is loaded with the first key.
    page.keyboard.press("k")


def open_record(stage, page):
    """Shows a record, and returns the list of the commands that are sent to it from then on."""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "scenes/dawn.jpg")
    screens.open_record(stage, page)
    expect(screens.tiles(page)).to_have_count(1)
    page.keyboard.press("k")
    changes = []
    page.on("request", lambda request: changes.append(request.url.split("/v1/")[1])
            if request.method == "POST" and request.url.endswith(("/reload", "/pause")) else None)
    return changes


@pytest.mark.parametrize("key, code, options", [
    ("?", "KeyW", {"modifierAltGraph": True}),
    ("?", "KeyW", WINDOWS_ALTGR),
    ("?", "Minus", {"shiftKey": True, "altKey": True}),
    ("?", "Digit7", {"shiftKey": True}),
    ("ф", "KeyA", {}), ("ש", "KeyA", {}), ("ａ", "KeyA", {}), ("Process", "KeyA", {"keyCode": 229}),
    ("A", "KeyA", {"modifierCapsLock": True}), ("Ф", "KeyA", {"modifierCapsLock": True}),
])
def test_a_key_is_found_on_other_keyboards(stage, page, key, code, options):
    open_records(stage, page)
    assert press(page, key, code, **options)
    expect(page.get_by_role("dialog")).to_be_visible()


@pytest.mark.parametrize("key, code, options", [
    ("a", "KeyA", {"ctrlKey": True}), ("a", "KeyA", {"altKey": True}), ("a", "KeyA", {"metaKey": True}),
    ("?", "Slash", {"ctrlKey": True, "shiftKey": True}), ("æ", "KeyA", {"modifierAltGraph": True}),
    ("ą", "KeyA", WINDOWS_ALTGR), ("å", "KeyA", {"altKey": True}), ("ü", "BracketLeft", {}),
])
def test_keys_of_the_browser_and_other_letters_do_nothing(stage, page, key, code, options):
    open_records(stage, page)
    assert not press(page, key, code, **options)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_signs_that_another_script_does_not_have_are_at_their_places(stage, page):
    open_records(stage, page)
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "16 downloads")
    assert press(page, "ъ", "BracketRight")
    expect(slider).to_have_attribute("aria-valuetext", "18 downloads")
    assert press(page, "[", "Digit8", **WINDOWS_ALTGR)
    expect(slider).to_have_attribute("aria-valuetext", "16 downloads")


def test_caps_lock_turns_no_key_into_another_command(stage, page):
    changes = open_record(stage, page)
    for key in ("L", "Д"):
        assert press(page, key, "KeyL", modifierCapsLock=True)
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Shift decides, whichever letter results.
    for key in ("l", "L"):
        assert press(page, key, "KeyL", modifierCapsLock=True, shiftKey=True)
        expect(page.get_by_role("dialog")).to_contain_text("Download the whole record again?")
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
    assert changes == []


def test_a_held_key_changes_nothing_again_and_the_reload_of_a_record_asks(stage, page):
    changes = open_record(stage, page)
    assert press(page, "L", "KeyL", shiftKey=True)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("1 resource will be requested again.")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)
    assert press(page, "L", "KeyL", shiftKey=True, repeat=True)
    assert press(page, "P", "KeyP", shiftKey=True, repeat=True)
    expect(dialog).to_have_count(0)
    assert changes == []
    assert press(page, "L", "KeyL", shiftKey=True)
    with page.expect_response("**/records/1/reload"):
        dialog.get_by_role("button", name="Reload").click()
    expect(dialog).to_have_count(0)
    assert changes == ["records/1/reload"]


def test_a_held_key_moves_on(stage, page):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    rows = page.locator("[role=row]:not([hidden])")
    expect(rows).to_have_count(2)
    page.keyboard.press("j")
    for _ in range(2):
        assert press(page, "j", "KeyJ", repeat=True)
    expect(rows.nth(1)).to_have_attribute("aria-selected", "true")


def test_everything_is_marked_on_other_keyboards(stage, page):
    open_record(stage, page)
    page.get_by_role("grid").focus()
    press(page, "ф", "KeyA", ctrlKey=True)
    expect(page.get_by_role("button", name="1 marked")).to_be_visible()
