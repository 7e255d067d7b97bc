import os

import pytest
from hypothesis import HealthCheck, settings

# The same examples on every run of CI; new ones on every run at a desk. Nothing is stored, and
# nothing depends on how fast the machine is.
settings.register_profile(
    "exdec",
    database=None,
    deadline=None,
    max_examples=60,
    derandomize="CI" in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("exdec")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the browser's tests last: playwright leaves an event loop running in its thread."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
