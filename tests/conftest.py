import os

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
