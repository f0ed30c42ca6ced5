"""Uses kazoo as its documentation says, and prints what it sees.

Nothing that is printed depends on the time, on session ids or on zxids: the output has to be the
same with every server.
"""

import queue
import socket
import struct
import sys
import threading

from kazoo.client import KazooClient
from kazoo.exceptions import KazooException
from kazoo.protocol.states import KazooState
from kazoo.security import CREATOR_ALL_ACL, make_acl, make_digest_acl

PATIENCE = 20


def say(what, value=""):
    print(what, value, flush=True)


def attempt(what, action, *args, **kwargs):
    try:
        say(what, action(*args, **kwargs))
    except KazooException as error:
        say(what, type(error).__name__)


def connected(address, **options):
    client = KazooClient(address, timeout=PATIENCE, **options)
    client.start(timeout=PATIENCE)
    return client


def described(stat):
    return (
        stat.version,
        stat.cversion,
        stat.aversion,
        stat.dataLength,
        stat.numChildren,
        stat.ephemeralOwner != 0,
        stat.czxid <= stat.mzxid,
        stat.ctime <= stat.mtime,
    )


def happened(event):
    return (event.type, event.state, event.path)


def await_children(client, path, count):
    there = threading.Event()

    def look(names):
        if len(names) < count:
            return True
        there.set()
        return False

    client.ChildrenWatch(path, look)
    if not there.wait(PATIENCE):
        raise TimeoutError(path)


def end_session(address, session_id, password):
    """Ends it as if it had expired: another connection takes it over and closes it at once."""
    take_over = struct.pack(">iqiqi", 0, 0, 10_000, session_id, len(password)) + password
    close = struct.pack(">ii", 1, -11)
    host, port = address.split(":")
    for _ in range(10):
        with socket.create_connection((host, int(port)), PATIENCE) as connection:
            for frame in (take_over, close):
                connection.sendall(struct.pack(">i", len(frame)) + frame)
            answers = connection.makefile("rb").read()
        # Its owner may be faster and have it back before the second frame, which gets no answer.
        if answers:
            length, _, timeout = struct.unpack_from(">iii", answers)
            if timeout <= 0 or len(answers) > 4 + length:
                return
    raise TimeoutError("the session is still there")


def nodes(client):
    say("version", client.server_version())
    say("is the server well", client.command(b"ruok"))
    attempt("create", client.create, "/nodes", b"first")
    attempt("create again", client.create, "/nodes", b"first")
    attempt("create without a parent", client.create, "/nodes/a/b/c")
    attempt("create with parents", client.create, "/nodes/a/b/c", b"deep", makepath=True)
    attempt("create in sequence", client.create, "/nodes/n-", sequence=True)
    attempt("create in sequence", client.create, "/nodes/n-", sequence=True)
    attempt("create for now", client.create, "/nodes/e", ephemeral=True)
    attempt("create below", client.create, "/nodes/e/f")
    path, stat = client.create("/nodes/with-stat", b"12", include_data=True)
    say("create with stat", (path, described(stat)))
    data, stat = client.get("/nodes")
    say("get", (data, described(stat)))
    say("set", described(client.set("/nodes", b"second", version=0)))
    attempt("set the wrong version", client.set, "/nodes", b"third", version=0)
    attempt("set a root", client.set, "/nodes/missing", b"")
    say("exists", described(client.exists("/nodes")))
    say("exists not", client.exists("/nodes/missing"))
    say("children", sorted(client.get_children("/nodes")))
    children, stat = client.get_children("/nodes", include_data=True)
    say("children with stat", (len(children), described(stat)))
    attempt("delete what has children", client.delete, "/nodes/a")
    attempt("delete the wrong version", client.delete, "/nodes/n-0000000001", version=4)
    attempt("delete", client.delete, "/nodes/n-0000000001", version=0)
    attempt("delete again", client.delete, "/nodes/n-0000000001")
    attempt("delete all", client.delete, "/nodes/a", recursive=True)
    attempt("sync", client.sync, "/nodes")
    attempt("large", client.create, "/nodes/large", b"x" * 900_000)
    say("large", len(client.get("/nodes/large")[0]))
    attempt("name", client.create, "/nodes/\u5317\u4eac")
    attempt("name beyond 16 bits", client.create, "/nodes/\U0001f600")
    say("asynchronous", [client.get_async("/nodes").get()[0] for _ in range(3)])


def access(client, address):
    me = connected(address, auth_data=[("digest", "me:secret")])
    attempt("for me", me.create, "/mine", b"x", acl=CREATOR_ALL_ACL)
    acls, stat = me.get_acls("/mine")
    say("acl", ([(acl.perms, acl.id.scheme, acl.id.id) for acl in acls], described(stat)))
    attempt("read by another", client.get, "/mine")
    attempt("children for another", client.get_children, "/mine")
    attempt("exists for another", lambda: described(client.exists("/mine")))
    attempt("nobody's", client.create, "/never", acl=[make_acl("nosuch", "x", read=True)])
    everybody = make_acl("world", "anyone", read=True)
    me.set_acls("/mine", [make_digest_acl("me", "secret", all=True), everybody])
    attempt("read by another now", lambda: client.get("/mine")[0])
    attempt("written by another", client.set, "/mine", b"y")
    client.add_auth("digest", "me:secret")
    attempt("written as me", lambda: described(client.set("/mine", b"y")))
    client.add_auth("digest", "second:secret")
    client.create("/ours", acl=CREATOR_ALL_ACL)
    say("two identities", sorted(acl.id.id for acl in client.get_acls("/ours")[0]))
    me.stop()


def watches(client, other):
    events = queue.Queue()
    client.create("/watched", b"0")
    client.get("/watched", watch=events.put)
    client.get_children("/watched", watch=events.put)
    client.exists("/watched/later", watch=events.put)
    other.set("/watched", b"1")
    say("event", happened(events.get(timeout=PATIENCE)))
    other.set("/watched", b"2")
    other.create("/watched/later")
    seen = sorted(happened(events.get(timeout=PATIENCE)) for _ in range(2))
    say("events", seen)
    client.get("/watched/later", watch=events.put)
    other.delete("/watched/later")
    say("event", happened(events.get(timeout=PATIENCE)))
    say("no more events", events.empty())

    data = queue.Queue()
    client.DataWatch("/watched/data", lambda value, stat: data.put((value, stat and stat.version)))
    children = queue.Queue()
    client.ChildrenWatch("/watched", lambda names: children.put(sorted(names)))
    say("data", data.get(timeout=PATIENCE))
    say("children", children.get(timeout=PATIENCE))
    other.create("/watched/data", b"a")
    say("data", data.get(timeout=PATIENCE))
    say("children", children.get(timeout=PATIENCE))
    other.set("/watched/data", b"b")
    say("data", data.get(timeout=PATIENCE))
    other.delete("/watched/data")
    say("data", data.get(timeout=PATIENCE))
    say("children", children.get(timeout=PATIENCE))


def transactions(client):
    client.create("/together", b"x")
    transaction = client.transaction()
    transaction.check("/together", 0)
    transaction.create("/together/a", b"1")
    transaction.create("/together/n-", sequence=True)
    transaction.set_data("/together", b"y", version=0)
    transaction.delete("/together/a")
    results = transaction.commit()
    say("committed", [r if isinstance(r, (bool, str)) else described(r) for r in results])
    transaction = client.transaction()
    transaction.create("/together/b")
    transaction.check("/together", 9)
    transaction.delete("/together/missing")
    say("rolled back", [type(item).__name__ for item in transaction.commit()])
    say("left", sorted(client.get_children("/together")))


def locks(client, other):
    mine, theirs = client.Lock("/lock", "mine"), other.Lock("/lock", "theirs")
    say("acquired", mine.acquire(timeout=PATIENCE))
    say("acquired at once", theirs.acquire(blocking=False))
    say("contenders", mine.contenders())
    waiting = threading.Thread(target=theirs.acquire)
    waiting.start()
    await_children(client, "/lock", 2)
    say("contenders", mine.contenders())
    mine.release()
    waiting.join(PATIENCE)
    say("theirs", theirs.is_acquired)
    theirs.release()

    with client.ReadLock("/rw"), other.ReadLock("/rw"):
        say("written while read", other.WriteLock("/rw").acquire(blocking=False))
    say("written", other.WriteLock("/rw").acquire(timeout=PATIENCE))

    one, two = client.Semaphore("/semaphore", "one", 2), other.Semaphore("/semaphore", "two", 2)
    say("leases", (one.acquire(), two.acquire()))
    say("holders", sorted(one.lease_holders()))
    say("a third", client.Semaphore("/semaphore", "three", 2).acquire(blocking=False))


def elections(client, other):
    led = queue.Queue()
    resign = threading.Event()

    def lead(name):
        led.put(name)
        resign.wait(PATIENCE)

    first, second = client.Election("/election", "first"), other.Election("/election", "second")
    threads = [threading.Thread(target=first.run, args=(lead, "first"))]
    threads[0].start()
    say("leads", led.get(timeout=PATIENCE))
    threads.append(threading.Thread(target=second.run, args=(lead, "second")))
    threads[1].start()
    await_children(client, "/election", 2)
    say("contenders", first.contenders())
    resign.set()
    say("leads", led.get(timeout=PATIENCE))
    for thread in threads:
        thread.join(PATIENCE)
    say("contenders", first.contenders())


def recipes(client, other):
    counter = client.Counter("/counter")
    counter += 2
    counter -= 5
    say("counter", other.Counter("/counter").value)

    party = [client.Party("/party", "one"), other.Party("/party", "two")]
    for member in party:
        member.join()
    say("party", sorted(party[0]))
    party[0].leave()
    say("party", sorted(party[1]))

    todo = client.Queue("/queue")
    for value in (b"b", b"c"):
        todo.put(value)
    todo.put(b"a", priority=1)
    say("queue", [todo.get() for _ in range(4)])

    barrier = client.Barrier("/barrier")
    barrier.create()
    say("barrier", other.Barrier("/barrier").wait(0))
    barrier.remove()
    say("barrier", other.Barrier("/barrier").wait(PATIENCE))

    both = [(each, each.DoubleBarrier("/double", 2)) for each in (client, other)]
    entering = [threading.Thread(target=barrier.enter) for _, barrier in both]
    for thread in entering:
        thread.start()
    for thread in entering:
        thread.join(PATIENCE)
    say("entered", [barrier.participating for _, barrier in both])


def sessions(client, address):
    leaving = connected(address)
    leaving.create("/gone", ephemeral=True)
    gone = threading.Event()
    client.exists("/gone", watch=lambda event: gone.set())
    states = queue.Queue()
    leaving.add_listener(states.put)
    leaving.stop()
    say("gone", (gone.wait(PATIENCE), client.exists("/gone")))
    say("state", states.get(timeout=PATIENCE) == KazooState.LOST)

    expired = connected(address)
    expired.create("/expired", ephemeral=True)
    gone = threading.Event()
    client.exists("/expired", watch=lambda event: gone.set())
    lost = threading.Event()
    expired.add_listener(lambda state: lost.set() if state == KazooState.LOST else None)
    end_session(address, *expired.client_id)
    say("expired", (gone.wait(PATIENCE), lost.wait(PATIENCE)))
    expired.stop()


def main(address):
    client, other = connected(address), connected(address)
    nodes(client)
    watches(client, other)
    transactions(client)
    locks(client, other)
    elections(client, other)
    recipes(client, other)
    sessions(client, address)
    access(client, address)
    for each in (client, other):
        each.stop()
        each.close()
    say("done")


main(sys.argv[1])
