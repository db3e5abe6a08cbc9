"""What every test may count on."""

import shutil

import pytest
from hypothesis import settings

# The first example on a busy machine is slow; that is no failure.
settings.register_profile("stagefault", deadline=None, print_blob=True)
settings.load_profile("stagefault")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser that Playwright shall launch; skips where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
