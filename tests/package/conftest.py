"""What the tests of the Python package share."""

import pytest

import meeple


@pytest.fixture(params=meeple.games())
def name(request):
    """Each game in turn."""
    return request.param
