"""Fixtures of the browser tests: each test has a library and a browser context of its own."""

import pytest
from playwright.sync_api import expect, sync_playwright

from stage import Stage

CHROMIUM = "/usr/bin/chromium"
# The time in milliseconds in which a page must change; two tests at a time share a small machine.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # The tests run as root in containers, where Chromium's own sandbox does not start.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def stage():
    stage = Stage()
    yield stage
    stage.close()


@pytest.fixture
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def errors():
    """The messages of scripts and of the browser about the pages of a test; none is expected."""
    found = []
    yield found
    assert found == []


@pytest.fixture
def page(context, errors):
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    # A request that is refused or that fails is an error, which some tests provoke; a policy's report is not.
    page.on("console", lambda message: errors.append(message.text)
            if message.type == "error" and "Failed to load resource" not in message.text else None)
    return page
