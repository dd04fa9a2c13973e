"""Our parser of robots.txt against Protego: the verdicts of both on made-up files.

A plain file keeps to the grammar of RFC 9309 and to what both parsers read alike; there must be no
difference. A wild file has quirks, of which each is known to be read differently. A difference counts as
explained if the same file without one quirk is read alike; any other difference is an error.
"""

import argparse
import collections
import json
import random
import subprocess
import sys

from protego import Protego

# Each quirk, with what Protego does and what we do.
QUIRKS = {
    "dollar": "a $ inside a pattern: Protego also compares a final $ as a character; it ends the path for us",
    "index": "Allow: …/index.html: Protego allows the folder, too; the RFC does not",
    "question": "a ? in a pattern: Protego counts it as three bytes (%3F), and as the same as %3F",
    "bytes": "a * between the encoded bytes of one character: Protego replaces the bytes, which are no text alone",
    "slash": "%2F in a query: the same as / for us, as in the table of RFC 9309 2.2.2; another byte for Protego",
    "token": "other names that begin like ours, and versions: Protego searches the name in the User-Agent",
    "between": "another record between two User-agent lines: it ends the group for Protego, which the RFC forbids",
    "spelling": "misspelt names of records, and names without a colon: read by Protego, ignored by us",
    "separator": "line separators besides CR and LF: they end a line for Protego only",
}
PIECES = ["a", "b", "ab", "ba", "A", "é", "%C3%A9", "%c3%a9", "%61", "%7E", "~", ".", "-", "!", ":", "%3A", "&", "+"]
AGENTS = ["imgdl", "other", "third-bot"]


class Maker:
    """Makes one file from a seed. Without a quirk, all else stays the same."""

    def __init__(self, seed, quirks):
        self.chance = random.Random(seed)
        self.quirks = quirks

    def quirk(self, name, odds):
        """Whether a quirk happens here; draws the same numbers if it is switched off."""
        return self.chance.random() < odds and name in self.quirks

    def path(self, is_pattern):
        text = ""
        for _ in range(self.chance.randint(1, 3)):
            text += "/" + "".join(self.chance.choices(PIECES, k=self.chance.randint(0, 2)))
        if is_pattern:
            for _ in range(self.chance.choice([0, 0, 0, 1, 1, 2])):
                place = self.chance.randint(1, len(text))
                is_inside = text[max(0, place - 3):place].upper() == "%C3"
                # Not inside of a %XX.
                if "%" not in text[max(0, place - 2):place] and not (
                        is_inside and "bytes" not in self.quirks):
                    text = text[:place] + "*" + text[place:]
            if self.chance.random() < 0.02:
                text = text[1:]
        dollar = self.chance.randint(1, max(1, len(text)))
        if self.quirk("dollar", 0.1) and "%" not in text[max(0, dollar - 2):dollar]:
            text = text[:dollar] + "$" + text[dollar:]
        query = "?" + self.chance.choice(["", "a", "a=b", "u=/a", "%3Da"])
        if not is_pattern or "question" in self.quirks:
            text += query if self.chance.random() < 0.3 else ""
        else:
            self.chance.random()
        if self.quirk("question", 0.1):
            text = text.replace("?", "%3F", 1)
        if self.quirk("slash", 0.2) and "?" in text:
            path, rest = text.split("?", 1)
            text = path + "?" + rest.replace("/", "%2F")
        if self.quirk("index", 0.1):
            text = text.split("?")[0].rstrip("*") + "/index.html"
        if is_pattern and self.chance.random() < 0.15:
            text += "$"
        return text

    def record(self, name, value):
        name = self.chance.choice([name, name.lower(), name.upper(), name.title()])
        space = self.chance.choice(["", " ", "\t", "  "])
        colon = ":"
        wrong = {"disallow": "disalow", "user-agent": "useragent"}.get(name.lower(), name)
        if self.quirk("spelling", 0.05):
            name = wrong
        if self.quirk("spelling", 0.05):
            colon, space = " ", " "
        comment = self.chance.choice(["", "", "", " # b", "#/a"])
        line = f"{space}{name}{colon}{space}{value}{space if value else ''}{comment}"
        if self.quirk("separator", 0.03):
            line = line.replace(value, value[:1] + "\x0b" + value[1:]) if value else line
        return line

    def agent(self):
        agent = self.chance.choice(AGENTS + ["*", "*", "imgdl"])
        agent = self.chance.choice([agent, agent.upper(), agent.title()])
        other = self.chance.choice(["imgdl/2.0", "img", "imgd", "imgdl x", "im*"])
        return other if self.quirk("token", 0.15) else agent

    def file(self):
        lines = []
        for _ in range(self.chance.randint(0, 5)):
            for _ in range(self.chance.choice([1, 1, 2, 3])):
                lines.append(self.record("User-agent", self.agent()))
                between = self.chance.choice(["Crawl-delay: 7", "Unknown: x"])
                if self.quirk("between", 0.1):
                    lines.append(between)
            for _ in range(self.chance.randint(1, 5)):
                kind = self.chance.choice(["Allow", "Disallow", "Disallow"])
                value = "" if self.chance.random() < 0.05 else self.path(True)
                lines.append(self.record(kind, value))
            if self.chance.random() < 0.2:
                lines.append(f"Crawl-delay: {self.chance.choice(['1', '2.5', 'x', '-1', ''])}")
            lines += self.chance.choice([[], [""], ["# comment"], ["Sitemap: http://h/s.xml"]])
        end = self.chance.choice(["\n", "\r\n", "\r"])
        return end.join(lines)

    def case(self):
        file = self.file()
        targets = [self.path(False) for _ in range(8)] + ["/", "/robots.txt"]
        return {"agent": "imgdl/0.1", "file": file, "targets": targets}


class Ours:
    """The program robots-fixture."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def decide(self, case):
        self.process.stdin.write(json.dumps(case) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return answer["allowed"], answer.get("delay")


def decide_theirs(case):
    parsed = Protego.parse(case["file"])
    agent = case["agent"].split("/")[0]
    allowed = [parsed.can_fetch("http://h" + target, agent) for target in case["targets"]]
    return allowed, parsed.crawl_delay(agent)


def differs(case, ours):
    return ours.decide(case) != decide_theirs(case)


def explain(seed, ours):
    """The quirks without which the file is read alike; one if possible, or else the first two."""
    names = list(QUIRKS)
    alone = [n for n in names if not differs(Maker(seed, set(names) - {n}).case(), ours)]
    if alone:
        return alone[:1]
    for index, first in enumerate(names):
        for second in names[index + 1:]:
            if not differs(Maker(seed, set(names) - {first, second}).case(), ours):
                return [first, second]
    # Several quirks at once; plain files show that there is nothing besides them.
    return [] if differs(Maker(seed, set()).case(), ours) else names


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ours = Ours(options.program)
    bad = 0
    for kind, quirks in (("plain", set()), ("wild", set(QUIRKS))):
        files = verdicts = denied = different = 0
        reasons = collections.Counter()
        for number in range(options.cases):
            seed = f"{options.seed} {kind} {number}"
            case = Maker(seed, quirks).case()
            (mine, delay), (theirs, their_delay) = ours.decide(case), decide_theirs(case)
            files += (mine, delay) == (theirs, their_delay)
            verdicts += len(mine)
            denied += mine.count(False)
            different += sum(a != b for a, b in zip(mine, theirs))
            if (mine, delay) == (theirs, their_delay):
                continue
            reason = explain(seed, ours) if quirks else []
            if not reason:
                bad += 1
                print(f"unexplained: {json.dumps(case)}\n  ours {mine} {delay}\n  theirs {theirs} {their_delay}")
            reasons["several" if len(reason) > 2 else " and ".join(reason)] += 1
        print(f"{kind}: {files} of {options.cases} files read alike; {different} of {verdicts} verdicts "
              f"differ; {denied} are \"disallowed\"")
        for reason, count in reasons.most_common():
            print(f"  {count:5} files: {QUIRKS.get(reason, reason)}")
    sys.exit(1 if bad else 0)


main()
