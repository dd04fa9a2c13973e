"""Chromium without a driver: the DevTools protocol over a pipe, with no domain enabled that a measurement does not need.

A driver such as Playwright enables the domains for requests, pages and scripts in every tab, and handles their events
in processes of its own. On two cores that adds 100 to 200 ms to the loading of a page, which no user has.
"""

import json
import os
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """A headless browser; it ends with the block."""

    def __init__(self, *options):
        self.profile = tempfile.mkdtemp(prefix="imgdl-chromium-")
        commands, self.writing = os.pipe()
        self.reading, answers = os.pipe()

        def connect():
            # The browser reads commands from descriptor 3, and writes to 4. Copies are made first, as either may be taken.
            first, second = os.dup(commands), os.dup(answers)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            ["/usr/bin/chromium", "--headless", "--no-sandbox", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-extensions",
             f"--user-data-dir={self.profile}", *options, "about:blank"],
            preexec_fn=connect, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(answers)
        self.buffer = bytearray()
        self.number = 0
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.writing)
        os.close(self.reading)
        shutil.rmtree(self.profile, ignore_errors=True)

    def message(self):
        """The next message, an answer or an event."""
        while (end := self.buffer.find(b"\0")) < 0:
            data = os.read(self.reading, 1 << 20)
            if not data:
                raise RuntimeError("Chromium has ended")
            self.buffer += data
        message = json.loads(bytes(self.buffer[:end]))
        del self.buffer[:end + 1]
        return message

    def call(self, method, session=None, **parameters):
        self.number += 1
        command = {"id": self.number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        os.write(self.writing, json.dumps(command).encode() + b"\0")
        while (message := self.message()).get("id") != self.number:
            self.events.append(message)
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']['message']}")
        return message["result"]

    def context(self, cookies=()):
        """A new profile, without cache and connections."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        if cookies:
            self.call("Storage.setCookies", cookies=list(cookies), browserContextId=context)
        return context

    def cookies(self, context):
        known = ("name", "value", "domain", "path", "secure", "httpOnly", "sameSite")
        found = self.call("Storage.getCookies", browserContextId=context)["cookies"]
        return [{name: each[name] for name in known if name in each} for each in found]

    def page(self, context, url="about:blank"):
        """A new tab of a context."""
        target = self.call("Target.createTarget", url=url, browserContextId=context)
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        return Page(self, attached["sessionId"])

    def dispose(self, context):
        self.call("Target.disposeBrowserContext", browserContextId=context)


class Page:
    """A tab."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def at_start(self, script):
        """Runs a script before those of each following document."""
        self.call("Page.enable")
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, url):
        self.call("Page.navigate", url=url)

    def evaluate(self, expression):
        """The value of an expression; a promise is waited for."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description", expression))
        return result["result"].get("value")

    def wait_for(self, expression, seconds=30):
        """The first true value of an expression."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if value := self.evaluate(expression):
                    return value
            except RuntimeError as error:
                # A new tab has no document yet.
                if "execution context" not in str(error):
                    raise
            time.sleep(0.1)
        raise TimeoutError(f"still false after {seconds} s: {expression}")

    def press(self, key, code):
        """A key of the keyboard, such as ArrowRight with the code 39."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def trace(self, categories, act):
        """The events of a trace of what a function does."""
        self.browser.events.clear()
        self.call("Tracing.start", transferMode="ReportEvents", traceConfig={"includedCategories": categories})
        act()
        self.call("Tracing.end")
        found, is_complete = [], False
        pending = self.browser.events
        while not is_complete:
            message = pending.pop(0) if pending else self.browser.message()
            if message.get("method") == "Tracing.dataCollected":
                found.extend(message["params"]["value"])
            is_complete = message.get("method") == "Tracing.tracingComplete"
        return found
