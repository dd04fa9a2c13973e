"""The exceptions that end a case: an invariant is violated, or the machine lacks something."""


class Violation(Exception):
    """An invariant is violated; the text names the invariant."""


class Skipped(Exception):
    """The case cannot run on this machine; the text says what is missing."""


def require(holds, text):
    if not holds:
        raise Violation(text)
