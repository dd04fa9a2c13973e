"""Our transport in a program of its own, which Tools/interop/client builds."""

import json
import os
import subprocess


class Unavailable(Exception):
    """The client does not know a setting, or died."""


class Client:
    """Our transport in a program of its own, with settings."""

    def __init__(self, root, settings):
        program = root / ".build/interop/release/exchange"
        environment = dict(os.environ, IMGDL_HELPERS=str(root / ".build/interop/release"))
        self.process = subprocess.Popen(
            [str(program), *settings], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=environment,
        )

    def send(self, url, fields=None, times=1, output=None):
        order = {"url": url, "fields": fields or {}, "times": times}
        if output:
            order["output"] = str(output)
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        if not line:
            raise Unavailable(self.process.stderr.read().strip())
        return json.loads(line)

    def ask(self, url, **more):
        self.send(url, **more)
        return self.receive()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
