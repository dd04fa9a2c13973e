"""Makes a wheel for any Python 3 of one platform: it has programs, and no extension modules."""

import re
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

VERSION = Path(__file__).resolve().parents[2] / "Modules/Models/ProgramVersion.swift"


class PlatformWheel(bdist_wheel):
    """A wheel whose name has a platform."""

    def get_tag(self) -> tuple[str, str, str]:
        """Returns the tags of Python, its binary interface, and the platform."""
        return "py3", "none", super().get_tag()[2]


class PlatformDistribution(Distribution):
    """A distribution that has programs."""

    def has_ext_modules(self) -> bool:
        """Returns whether the platform matters."""
        return True


setup(
    version=re.search(r'static let text = "(.*)"', VERSION.read_text()).group(1),
    distclass=PlatformDistribution,
    cmdclass={"bdist_wheel": PlatformWheel},
)
