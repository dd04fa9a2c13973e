"""Makes the calls of AriaNg over WebSocket: batches, multicalls and notifications, with imgdld and aria2c, and
compares the shapes of the answers.

Usage: calls.py --program IMGDLD
"""

import argparse
import asyncio
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

import websockets
from aiohttp import web

SECRET = "s3cret"
STATUS_KEYS = ["gid", "totalLength", "completedLength", "uploadSpeed", "downloadSpeed", "connections", "numSeeders",
               "seeder", "status", "errorCode", "verifiedLength", "verifyIntegrityPending", "files", "bittorrent", "infoHash"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Client:
    """A WebSocket with numbered calls, which keeps the notifications."""

    def __init__(self, socket):
        self.socket, self.number, self.notifications = socket, 0, []

    def message(self, method, *parameters):
        self.number += 1
        secret = [] if method.startswith("system.") else [f"token:{SECRET}"]
        return {"jsonrpc": "2.0", "id": f"AriaNg_{self.number}", "method": method, "params": secret + list(parameters)}

    async def receive(self):
        while True:
            answer = json.loads(await asyncio.wait_for(self.socket.recv(), 20))
            if isinstance(answer, list) or "id" in answer:
                return answer
            self.notifications.append(answer["method"])

    async def call(self, method, *parameters):
        message = self.message(method, *parameters)
        await self.socket.send(json.dumps(message))
        answer = await self.receive()
        assert answer["id"] == message["id"], answer
        return answer.get("result", answer.get("error"))

    async def batch(self, *calls):
        messages = [self.message(*call) for call in calls]
        await self.socket.send(json.dumps(messages))
        answers = await self.receive()
        assert [answer["id"] for answer in answers] == [message["id"] for message in messages], answers
        return [answer.get("result", answer.get("error")) for answer in answers]

    async def multicall(self, *calls):
        inner = [{"methodName": method, "params": [f"token:{SECRET}", *parameters]} for method, *parameters in calls]
        return await self.call("system.multicall", inner)

    async def statuses(self, gids, wanted):
        """Waits until all downloads have a status."""
        for _ in range(200):
            found = [answer[0]["status"] for answer in await self.multicall(
                *(("aria2.tellStatus", gid, ["status"]) for gid in gids))]
            if all(status == wanted for status in found):
                return found
            await asyncio.sleep(0.05)
        raise AssertionError(f"{found} instead of {wanted}")


def shape(value):
    """The types of an answer, with the names of objects; lists by their first element."""
    if isinstance(value, dict):
        return {name: shape(inner) for name, inner in sorted(value.items())}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


async def scenario(port, files):
    """The calls of AriaNg in the order of a visit; returns the shapes that must agree, by name."""
    found = {}
    async with websockets.connect(f"ws://127.0.0.1:{port}/jsonrpc", origin=None, max_size=None) as raw:
        client = Client(raw)
        version, listing = await client.batch(["aria2.getVersion"], ["system.listNotifications"])
        found["version"] = {name: type(version[name]).__name__ for name in ("version", "enabledFeatures")}
        found["notifications"] = sorted(listing)
        # A task for each line, all of them paused, as the dialog "Download Later" does.
        uris = [f"http://127.0.0.1:{files}/{number}" for number in range(5)]
        gids = [answer[0] for answer in await client.multicall(
            *(("aria2.addUri", [uri], {"pause": "true", "out": f"{number}.bin"}) for number, uri in enumerate(uris)))]
        found["gids"] = [len(gid) for gid in gids]
        found["paused"] = await client.statuses(gids, "paused")
        waiting = await client.call("aria2.tellWaiting", 0, 1_000, STATUS_KEYS)
        found["order"] = [gids.index(status["gid"]) for status in waiting]
        found["status"] = shape(waiting)
        found["moved"] = await client.call("aria2.changePosition", gids[4], 0, "POS_SET")
        waiting = await client.call("aria2.tellWaiting", 0, 1_000, ["gid"])
        found["order after it"] = [gids.index(status["gid"]) for status in waiting]
        found["reversed"] = [gids.index(status["gid"])
                             for status in await client.call("aria2.tellWaiting", -1, 3, ["gid"])]
        # The details of a task: several calls in one.
        details = await client.multicall(
            ("aria2.tellStatus", gids[0]), ("aria2.getOption", gids[0]), ("aria2.getServers", gids[0]),
            ("aria2.getUris", gids[0]), ("aria2.getFiles", gids[0]))
        found["details"] = [sorted(answer[0]) if index == 0 else type(answer[0] if isinstance(answer, list) else answer).__name__
                            for index, answer in enumerate(details)]
        found["changed"] = await client.batch(
            ["aria2.changeOption", gids[0], {"max-download-limit": "100K"}],
            ["aria2.changeGlobalOption", {"max-concurrent-downloads": "3"}],
            ["aria2.getGlobalStat"])
        found["changed"][2] = sorted(found["changed"][2])
        # Unknown tasks and methods within a batch and a multicall.
        found["errors"] = [answer.get("code") for answer in await client.batch(
            ["aria2.tellStatus", "00000000000000ff"], ["aria2.noSuchMethod"])]
        found["inner error"] = shape((await client.multicall(("aria2.tellStatus", "00000000000000ff")))[0])
        found["without a token"] = shape((await client.call(
            "system.multicall", [{"methodName": "aria2.getVersion", "params": []}]))[0])
        found["unpaused"] = len(await client.multicall(*(("aria2.unpause", gid) for gid in gids)))
        found["complete"] = await client.statuses(gids, "complete")
        stopped = await client.call("aria2.tellStopped", -1, 1_000, STATUS_KEYS)
        found["stopped"] = shape(stopped)
        # Retry: the options of the old task, and a new one.
        (status,), (options,) = await client.multicall(
            ("aria2.tellStatus", gids[0]), ("aria2.getOption", gids[0]))
        again = await client.call("aria2.addUri", [status["files"][0]["uris"][0]["uri"]],
                                  {**options, "allow-overwrite": "true", "out": "again.bin"})
        await client.statuses([again], "complete")
        found["removed"] = (await client.batch(
            ["aria2.removeDownloadResult", again], ["aria2.purgeDownloadResult"], ["aria2.tellStopped", 0, 10]))
        await asyncio.sleep(0.2)
        await client.call("aria2.getVersion")
        found["counts"] = {name: client.notifications.count(name) for name in sorted(set(client.notifications))}
    return found


async def serve_files():
    async def answer(request):
        return web.Response(body=request.path.encode() * 20_000)

    application = web.Application()
    application.router.add_get("/{name}", answer)
    runner = web.AppRunner(application)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return runner, site._server.sockets[0].getsockname()[1]


async def run(program, extra, folder, files):
    port = free_port()
    process = subprocess.Popen(
        [program, *extra, f"--dir={folder}", "--enable-rpc=true", "--quiet", f"--rpc-listen-port={port}",
         f"--rpc-secret={SECRET}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            await asyncio.sleep(0.1)
        return await scenario(port, files)
    finally:
        process.terminate()
        process.wait(20)


async def compare(program):
    runner, files = await serve_files()
    with tempfile.TemporaryDirectory(prefix="aria2c-") as folder:
        found = {}
        for name, path, extra in [("imgdld", os.path.abspath(program), ["--aria2"]), ("aria2c", "/usr/bin/aria2c", [])]:
            place = pathlib.Path(folder, name)
            place.mkdir()
            found[name] = await run(path, extra, place, files)
    await runner.cleanup()
    wrong = 0
    for name, wanted in found["aria2c"].items():
        ours = found["imgdld"][name]
        wrong += ours != wanted
        print(f"{name}: {'same' if ours == wanted else f'imgdld {ours}, aria2c {wanted}'}")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    return asyncio.run(compare(parser.parse_args().program))


if __name__ == "__main__":
    sys.exit(main())
