import threading

import pytest

from chunkscope.cancel import CancelledError, CancelToken
from chunkscope.text.loading.watched import watched


def test_what_work_gives_or_raises_comes_through():
    here = threading.current_thread()
    assert watched(lambda: threading.current_thread() is here, CancelToken()) is False
    for error in (TimeoutError, KeyError, RecursionError):

        def fail(error=error):
            raise error("the very one")

        with pytest.raises(error, match="the very one"):
            watched(fail, CancelToken())


def test_who_waits_goes_on_when_it_is_cancelled_meanwhile():
    token, begun, go_on, ended = CancelToken(), *(threading.Event() for _ in range(3))

    def work():
        begun.set()
        token.cancel()
        ended_in_time.append(go_on.wait(60))
        ended.set()

    ended_in_time = []
    with pytest.raises(CancelledError):
        watched(work, token)
    assert begun.is_set()
    assert not ended.is_set()
    go_on.set()
    assert ended.wait(60)
    assert ended_in_time == [True]
