"""What every test may count on."""

import os
import re
import shutil

import pytest
from hypothesis import HealthCheck, settings

# The first examples on a busy machine are slow; that is no failure.
settings.register_profile(
    "stagefault",
    deadline=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stagefault")

# What stagefault heeds in the environment, a test that needs it sets: CI machines set `CI`,
# which changes what a replay demands, and a developer's shell may hold a key.
_HEEDED = re.compile(r"CI|(NO|FORCE)_COLOR|SOURCE_DATE_EPOCH|(STAGEFAULT|ANTHROPIC|OTEL)_\w+")
for _name in [name for name in os.environ if _HEEDED.fullmatch(name)]:
    del os.environ[_name]


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser that Playwright shall launch; skips where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("no Chromium on this machine (Debian: apt-get install chromium)")
