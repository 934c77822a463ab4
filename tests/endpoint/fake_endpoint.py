"""A real HTTP server on this machine that answers as it is told."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """One answer: a status, headers and a body (bytes as they are, all else as JSON).

    Nothing is sent with `hang_up`; only so many bytes with `cut`; one with `stall`, which is set
    when the endpoint closes.
    """

    body: Any
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    hang_up: bool = False
    cut: int | None = None
    stall: threading.Event | None = None

    def payload(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def said(text: str | None, tokens_in: int = 100, tokens_out: int = 10, **more: Any) -> Answer:
    """A chat model's answer."""
    choice = {"message": {"content": text}, "finish_reason": "stop", **more}
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return Answer({"choices": [choice], "usage": usage, "model": "fake-1"})


@dataclass
class Request:
    path: str
    headers: Mapping[str, str]
    body: Any


class FakeEndpoint:
    """Answers each request by `reply`; remembers all of them."""

    def __init__(self, reply: Callable[[Request], Answer]) -> None:
        self.reply = reply
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._stalled: list[threading.Event] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                request = Request(self.path, dict(self.headers), body)
                with endpoint._lock:
                    endpoint.requests.append(request)
                answer = endpoint.reply(request)
                if answer.hang_up:
                    self.close_connection = True
                    self.connection.close()
                    return
                payload = answer.payload()
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                if answer.cut is not None:
                    self.wfile.write(payload[: answer.cut])
                    return
                if answer.stall is not None:
                    with endpoint._lock:
                        endpoint._stalled.append(answer.stall)
                    self.wfile.write(payload[:1])
                    self.wfile.flush()
                    answer.stall.wait(10)
                    return
                self.wfile.write(payload)

            def log_message(self, *_arguments: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            # Closing it waits for all its threads.
            daemon_threads = False

            def handle_error(self, *_arguments: Any) -> None:
                # A client that hangs up is part of the tests.
                pass

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> "FakeEndpoint":
        self._thread.start()
        return self

    def __exit__(self, *_arguments: object) -> None:
        self._server.shutdown()
        self._thread.join()
        with self._lock:
            for stall in self._stalled:
                stall.set()
        self._server.server_close()


def in_turn(*answers: Answer) -> Callable[[Request], Answer]:
    """Answers one after the other, the last one for good."""
    waiting = list(answers)

    def reply(_request: Request) -> Answer:
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    return reply
