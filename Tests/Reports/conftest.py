"""Fixtures of the tests of reported conditions: each test has a library and servers of its own."""

import pytest

from library import Library
from raw_server import Server


@pytest.fixture
def library():
    library = Library()
    yield library
    library.close()


@pytest.fixture
def serve():
    """Starts a server on a free port of the loopback interface, which sends what a function returns for a request."""
    servers = []

    def start(answer, **options):
        server = Server(answer, **options)
        servers.append(server)
        return server

    yield start
    for server in servers:
        server.close()
