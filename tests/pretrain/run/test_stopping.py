import os
import signal
import time

import pytest

from pretrain.run.stopping import StopRequest


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_noted_and_the_next_acts_as_before(number):
    seen = []
    before = signal.signal(number, lambda *_: seen.append("second"))
    try:
        with StopRequest() as stop:
            assert not stop.due
            os.kill(os.getpid(), number)
            assert stop.due
            assert stop.signalled
            assert seen == []
            os.kill(os.getpid(), number)
            assert seen == ["second"]
    finally:
        signal.signal(number, before)


def test_handlers_are_put_back():
    before = signal.getsignal(signal.SIGINT)
    with StopRequest():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_time_is_up():
    stop = StopRequest(minutes=0.05 / 60)
    assert not stop.due
    assert 0 <= stop.used < 1
    time.sleep(0.06)
    assert stop.due
    assert not stop.signalled


def test_nothing_is_used_of_endless_time():
    stop = StopRequest()
    time.sleep(0.01)
    assert stop.used == 0
