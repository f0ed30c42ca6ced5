"""Lets kazoo's own tests run against a server that somebody else has started.

kazoo's harness starts ZooKeeper itself. As a plugin of pytest, this module puts a cluster of one
server in the place of those. Lines of JSON go out by a pipe: one for each test that has ended, and
one whenever a test wants the server stopped or started, which a line in another pipe answers.
"""

import json
import os
import signal

import pytest
from kazoo.testing import harness

SECONDS_A_TEST = 30

_out = os.fdopen(int(os.environ["REPORT_FD"]), "w")
_answers = os.fdopen(int(os.environ["ANSWER_FD"]))


def _say(line):
    print(json.dumps(line), file=_out, flush=True)


class StartedServer:
    def __init__(self, address):
        self.address = address
        self.host, port = address.split(":")
        self.client_port = int(port)
        self.running = True

    def run(self):
        self._command("run", running=True)

    def stop(self):
        self._command("stop", running=False)

    def _command(self, verb, running):
        if self.running == running:
            return
        _say({"server": verb})
        _answers.readline()
        self.running = running


class StartedCluster(list):
    """What the tests use of kazoo's ZookeeperCluster."""

    def start(self):
        for server in self:
            server.run()


_cluster = StartedCluster([StartedServer(os.environ["SERVER"])])
_name = ""
_uses = 0


def _started_cluster():
    global _uses
    _uses += 1
    return _cluster


harness.get_global_cluster = _started_cluster


class TookTooLong(Exception):
    pass


def _give_up(*_):
    raise TookTooLong("%d seconds" % SECONDS_A_TEST)


signal.signal(signal.SIGALRM, _give_up)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    global _name, _uses
    # The path in the node id depends on the folder that pytest was started in.
    module = item.module.__name__.rpartition(".")[2]
    _name = "::".join([module, item.nodeid.partition("::")[2]])
    _uses = 0
    signal.alarm(SECONDS_A_TEST)
    yield
    signal.alarm(0)


_outcomes = {}


def pytest_runtest_logreport(report):
    """A test has three parts; it has passed if none of them failed."""
    if report.outcome != "passed" or report.nodeid not in _outcomes:
        _outcomes[report.nodeid] = (report.outcome, report.longreprtext)
    if report.when != "teardown":
        return
    outcome, reason = _outcomes.pop(report.nodeid)
    _say(
        {
            "test": _name,
            "outcome": outcome,
            "reason": reason,
            "usesServer": _uses > 0,
        }
    )
