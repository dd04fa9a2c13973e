"""The commands that the documentation shows."""

import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *(ROOT / "Documentation" / f"{name}.md" for name in ("CommandLine", "Installation"))]
# What is behind two blanks explains a command, and a semicolon or a bar divides commands.
COMMANDS = sorted({
    command.strip()
    for page in PAGES
    for block in re.findall(r"^```\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
    for command in re.split(r" {2,}|[;|]", line)
    if command.strip().startswith(("imgdl-cli ", "$ imgdl-cli "))})


def test_the_commands_of_the_documentation_have_their_verbs_and_options(library):
    usages = {}
    for command in COMMANDS:
        verb, *words = shlex.split(command.removeprefix("$ "))[1:]
        if verb == "help":
            verb, *words = words
        if verb not in usages:
            usages[verb] = library.run("help", verb).out
        usage = usages[verb]
        assert usage.startswith(f"Usage: imgdl-cli {verb}"), command
        for word in words:
            if word.startswith("-") and word != "-":
                assert re.search(rf"(^|[\s,]){re.escape(word)}[\s,]", usage), command
