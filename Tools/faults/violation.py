"""How a case ends when it does not end well."""


class Violation(Exception):
    """Something that must never happen has happened; the text names the invariant."""


class Skipped(Exception):
    """The case cannot run here; the text says what is missing."""


def require(holds, text):
    if not holds:
        raise Violation(text)
