"""The dialog that adds sources: pasted lines, dropped and chosen files, and their preview."""

import json

import pytest
from playwright.sync_api import expect

from stage import SAMPLE

LINES = "http://127.0.0.1:1/a.jpg\nhttp://127.0.0.1:1/b.jpg\n\nhttp://127.0.0.1:1/a.jpg\nno URL\n"


def rows(page):
    return page.locator("[role=row]:not([hidden])")


def give_files(page, place, kind, names, url):
    """Drops files on an element or pastes them there; each is a list of one URL."""
    page.evaluate(
        """([place, kind, names, url]) => {
          const data = new DataTransfer();
          for (const name of names) {
            data.items.add(new File([JSON.stringify([`${url}scenes/dawn.jpg?${name}`])], `${name}.json`));
          }
          document.querySelector(place).dispatchEvent(kind === 'drop'
            ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
            : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        }""", [place, kind, names, url])


def answer(page, name, action, following):
    """Expects the dialog of a file, and presses a button of it."""
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".preview")).to_contain_text(f"{name}.json: 1 entry, in 1 record")
    note = {0: "", 1: "Next: 1 other file"}.get(following, f"Next: {following} other files")
    expect(dialog.get_by_role("status").last).to_have_text(note)
    dialog.get_by_role("button", name=action, exact=True).click()


def paste(page, text):
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData('text/plain', text);
          document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
        }""", text)


def test_lines_that_are_pasted_anywhere_are_counted_and_added(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    paste(page, LINES)
    preview = page.locator(".preview")
    expect(preview).to_contain_text("3 entries, in 1 record, 1 duplicate, 1 cannot be used")
    expect(preview.locator(".error")).to_contain_text("no URL")
    page.get_by_label("Download resources when they are viewed").check()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator(".done")).to_have_text("0/3")
    assert rows(page).locator(".title").text_content() == "Pasted list"


def test_a_changed_list_is_what_is_added(stage, page):
    page.goto(stage.link())
    page.get_by_role("button", name="Add…").click()
    box = page.get_by_role("textbox", name="URL")
    box.fill(LINES)
    expect(page.locator(".preview")).to_contain_text("3 entries")
    box.fill("http://127.0.0.1:1/c.jpg\nhttp://127.0.0.1:1/d.jpg")
    # Without waiting for another preview.
    page.get_by_role("button", name="Add", exact=True).click()
    expect(rows(page).locator(".done")).to_have_text("0/2")


def test_a_dropped_file_is_previewed_and_added_with_its_name(stage, page):
    origin = stage.origin()
    text = json.dumps({"title": "Birds", "urls": [origin.url + "scenes/dawn.jpg"] * 2})
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'birds.json'));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
        }""", text)
    expect(page.locator(".preview")).to_contain_text("birds.json: 2 entries, in 1 record, 1 duplicate")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(rows(page)).to_have_count(1)
    expect(rows(page).locator(".status")).to_have_text("Finished")


def test_each_of_several_dropped_files_is_asked_about(stage, page):
    origin = stage.origin()
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    give_files(page, "body", "drop", ["one", "two", "three"], origin.url)
    for following, (name, action) in zip((2, 1, 0), [("one", "Add"), ("two", "Cancel"), ("three", "Add")]):
        answer(page, name, action, following)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(rows(page).locator(".title")).to_have_text(["one", "three"])


@pytest.mark.parametrize("kind", ["drop", "paste"])
def test_each_of_several_files_given_to_the_open_dialog_is_asked_about(stage, page, kind):
    origin = stage.origin()
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    give_files(page, "body", "paste", ["one", "two"], origin.url)
    answer(page, "one", "Cancel", 1)
    expect(page.locator(".preview")).to_contain_text("two.json")
    # These take the place of the file in the dialog.
    give_files(page, "dialog textarea", kind, ["three", "four", "five"], origin.url)
    for following, (name, action) in zip((2, 1, 0), [("three", "Add"), ("four", "Add"), ("five", "Add")]):
        answer(page, name, action, following)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(rows(page).locator(".title")).to_have_text(["three", "four", "five"])


def test_each_of_several_chosen_files_is_asked_about(stage, page):
    page.goto(stage.link())
    page.get_by_role("button", name="Add…").click()
    page.get_by_label("File").set_input_files([
        {"name": f"{name}.json", "mimeType": "application/json", "buffer": f'["http://127.0.0.1:1/{name}.jpg"]'.encode()}
        for name in ("one", "two")])
    answer(page, "one", "Add", 1)
    answer(page, "two", "Add", 0)
    expect(rows(page).locator(".title")).to_have_text(["one", "two"])


def test_text_that_is_dropped_on_the_dialog_is_a_further_line(stage, page):
    page.goto(stage.link())
    page.get_by_role("button", name="Add…").click()
    box = page.get_by_role("textbox", name="URL")
    box.fill("http://127.0.0.1:1/a.jpg")
    box.evaluate(
        """(box) => {
          const data = new DataTransfer();
          data.setData('text/uri-list', 'http://127.0.0.1:1/b.jpg');
          box.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
        }""")
    expect(box).to_have_value("http://127.0.0.1:1/a.jpg\nhttp://127.0.0.1:1/b.jpg")
    expect(page.locator(".preview")).to_contain_text("2 entries")


def test_the_enter_key_that_ends_a_composition_does_not_submit(stage, page, context):
    origin = stage.origin()
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    requests = []
    page.on("request", lambda request: requests.append(request.url)
            if request.method == "POST" and request.url.endswith("/v1/sources") else None)
    page.keyboard.press("a")
    box = page.get_by_role("textbox", name="URL")
    box.focus()
    session = context.new_cdp_session(page)
    session.send("Input.imeSetComposition", {"text": "http", "selectionStart": 4, "selectionEnd": 4})
    expect(box).to_have_value("http")
    session.send("Input.dispatchKeyEvent", {
        "type": "rawKeyDown", "key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 229,
        "nativeVirtualKeyCode": 229})
    # The same as browsers report it that know of the composition.
    assert box.evaluate(
        """(box) => box.dispatchEvent(new KeyboardEvent('keydown', {
          key: 'Enter', code: 'Enter', isComposing: true, bubbles: true, cancelable: true }))""")
    # Escape ends a composition, and neither leaves the field nor closes the dialog.
    box.evaluate(
        """(box) => box.dispatchEvent(new KeyboardEvent('keydown', {
          key: 'Escape', code: 'Escape', isComposing: true, bubbles: true, cancelable: true }))""")
    expect(box).to_be_focused()
    session.send("Input.insertText", {"text": origin.url + "scenes/dawn.jpg"})
    expect(box).to_have_value(origin.url + "scenes/dawn.jpg")
    assert requests == []
    box.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(requests) == 1


def test_a_chosen_archive_is_added_as_a_whole(stage, page):
    page.goto(stage.link())
    page.get_by_role("button", name="Add…").click()
    chooser = page.get_by_label("File")
    chooser.set_input_files(SAMPLE / "scenes/seasons.zip")
    expect(page.locator(".preview")).to_contain_text("seasons.zip: 1 entry, in 1 record")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.keyboard.press("a")
    chooser.set_input_files(SAMPLE / "scenes/seasons.zip")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(rows(page).locator(".status")).to_have_text("Finished")
    assert rows(page).locator(".title").text_content() == "seasons.zip"


def test_a_file_that_is_no_source_says_why(stage, page):
    page.goto(stage.link())
    page.get_by_role("button", name="Add…").click()
    page.get_by_label("File").set_input_files(
        {"name": "broken.json", "mimeType": "application/json", "buffer": b'{"urls": ['})
    expect(page.locator(".preview .error")).to_contain_text("broken.json")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("broken.json")
    # The dialog stays, and another file can be chosen.
    page.get_by_label("File").set_input_files(
        {"name": "good.txt", "mimeType": "text/plain", "buffer": b"http://127.0.0.1:1/a.jpg"})
    expect(page.locator(".preview")).to_contain_text("good.txt: 1 entry")


def test_a_source_is_added_once_if_enter_is_pressed_twice(stage, page):
    origin = stage.origin()
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    requests = []
    page.on("request", lambda request: requests.append(request.url)
            if request.method == "POST" and request.url.endswith("/v1/sources") else None)
    page.keyboard.press("a")
    page.keyboard.type(origin.url + "collection.zip")
    page.get_by_role("textbox", name="URL").evaluate(
        """(input) => {
          for (const _ of [1, 2]) input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', cancelable: true }));
        }""")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(rows(page)).to_have_count(2)
    assert len(requests) == 1


def test_text_is_pasted_also_while_a_slider_has_the_focus(stage, page):
    page.goto(stage.link())
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    page.get_by_role("slider").evaluate(
        """(slider, text) => {
          const data = new DataTransfer();
          data.setData('text/plain', text);
          slider.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
        }""", LINES)
    expect(page.locator(".preview")).to_contain_text("3 entries")
