"""Ports for the servers of tests and benchmarks."""

import contextlib
import pathlib
import random
import socket


def free_port():
    """A free port of 127.0.0.1 below those that the kernel itself hands out.

    Neither a connection nor a listener with port 0 can take it before its server listens.
    """
    first_of_kernel = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    while True:
        port = random.randrange(first_of_kernel // 2, first_of_kernel)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
