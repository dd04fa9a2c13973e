"""The removal of records, after a question."""

import subprocess

import pytest
from playwright.sync_api import expect

from screens import choose
from test_records import rows


def test_removes_and_resets_after_a_question(stage, page):
    """DL5"""
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    rows(page).first.locator(".status").click()
    choose(page, rows(page).first, "Remove…")
    page.get_by_role("button", name="Cancel").click()
    expect(rows(page)).to_have_count(2)
    choose(page, rows(page).first, "Remove…")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Reset…").click()
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("The library is empty.")).to_be_visible()
    assert stage.cli("list").strip() == ""


@pytest.fixture
def immutable():
    """Makes a folder immutable, until the test ends."""
    folders = []

    def make(folder):
        folders.append(folder)
        if subprocess.run(["chattr", "+i", folder], capture_output=True).returncode != 0:
            pytest.skip("this user, or this file system, makes no folder immutable")

    yield make
    for folder in folders:
        subprocess.run(["chattr", "-i", folder], capture_output=True)


@pytest.mark.parametrize(("button", "confirmation", "titles"), [
    ("Remove…", "Remove", ["scenes"]), ("Reset…", "Delete everything", ["scenes", "patterns"])])
def test_names_the_files_that_cannot_be_deleted(stage, page, immutable, button, confirmation, titles):
    origin = stage.origin()
    stage.cli("add", "--quiet", origin.url + "collection.zip")
    page.goto(stage.link())
    rows(page).first.locator(".status").click()
    files = []
    for title in titles:
        files += sorted(path.name for path in (stage.library / title).iterdir())
        immutable(stage.library / title)
    if button == "Reset…":
        page.get_by_role("button", name="Settings").click()
        page.get_by_role("button", name=button).click()
    else:
        choose(page, rows(page).first, button)
    page.get_by_role("button", name=confirmation, exact=True).click()
    dialog = page.get_by_role("dialog", name=f"{len(files)} files could not be deleted")
    lines = dialog.get_by_role("listitem")
    expect(lines).to_have_count(len(files))
    for name in files:
        expect(lines.filter(has_text=name)).to_have_count(1)
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    expect(rows(page)).to_have_count(2 - len(titles))
