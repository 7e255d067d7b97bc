"""The room's address after a crash: it comes back by itself, or nothing goes on without phones."""

import asyncio
from types import SimpleNamespace

import pytest
from class_server import hosted

from exdec.classroom.listen import ListenError
from exdec.classroom.server import Server
from exdec.classroom.settings import ClassSettings
from exdec.classroom.store import Address

PORT = 8765
HERE = f"http://192.0.2.2:{PORT}/exdec/"
TAKEN = "Another program has port 8765."


class Network:
    """Opens addresses at ports that are free."""

    def __init__(self):
        self.host = "192.0.2.2"
        self.taken = set()
        self.asked = []

    def __call__(self, port):
        self.asked.append(port)
        if port in self.taken:
            raise ListenError(TAKEN)
        port = port or (PORT if PORT not in self.taken else 9_999)
        url = f"http://{self.host}:{port}/exdec/"
        return SimpleNamespace(url=url, port=port, close=lambda: None)


@pytest.fixture
def network():
    return Network()


@pytest.fixture
def one(tmp_path, network):
    with hosted(tmp_path, ClassSettings(title="Year 11", seconds=60)) as one:
        one.server.listen = network
        one.join("Ann")
        yield one


def crash(one, network):
    """The server dies, and a new one goes on with the class."""
    path = one.room.store.path
    one.call(lambda: one.server.shut(gone=False))

    def again():
        one.server.listen = network
        one.server.resume(path.name)

    one.call(again)
    return one.server.state(None)


def test_the_address_comes_back_by_itself_at_the_port_where_phones_look(one, network):
    assert one.do("start")["ok"]
    assert one.do("room", on=True)["ok"]
    state = crash(one, network)
    assert network.asked == [None, PORT]
    assert (state["join"], state["unreached"], state["phase"]) == (HERE, "", "running")
    assert state["tables"][0]["left"] > 50


def test_while_its_port_is_taken_nothing_goes_on_and_the_panel_says_why(one, network):
    one.do("start")
    one.do("room", on=True)
    network.taken.add(PORT)
    state = crash(one, network)
    assert (state["join"], state["phase"]) == (None, "paused")
    assert HERE in state["unreached"]
    assert TAKEN in state["unreached"]
    one.do("go")
    assert HERE in one.server.state(None)["unreached"]
    network.taken.clear()
    assert one.do("room", on=True)["ok"]
    state = one.server.state(None)
    assert (state["join"], state["unreached"]) == (HERE, "")


def test_phones_are_not_at_another_port_and_that_is_said(one, network):
    one.do("start")
    one.do("room", on=True)
    network.taken.add(PORT)
    crash(one, network)
    one.do("room", on=True)
    state = one.server.state(None)
    assert state["join"].endswith(":9999/exdec/")
    assert f"Phones look for the class at {HERE}" in state["unreached"]
    one.do("go")
    assert one.server.state(None)["unreached"] == ""


def test_in_another_network_the_class_waits_for_its_phones(one, network):
    one.do("start")
    one.do("room", on=True)
    network.host = "198.51.100.7"
    state = crash(one, network)
    assert state["phase"] == "paused"
    assert "it is at http://198.51.100.7:8765/exdec/ now" in state["unreached"]


@pytest.mark.parametrize("closed", [False, True])
def test_without_an_address_the_class_is_paused_until_the_teacher_goes_on(one, network, closed):
    one.do("start")
    if closed:
        one.do("room", on=True)
        one.do("room", on=False)
    state = crash(one, network)
    assert (state["join"], state["phase"]) == (None, "paused")
    assert "Press Go on when the pupils are here again." in state["unreached"]
    one.do("go")
    state = one.server.state(None)
    assert (state["unreached"], state["phase"]) == ("", "running")


def test_pupils_who_still_join_miss_nothing_so_nothing_is_paused(one, network):
    state = crash(one, network)
    assert (state["phase"], state["unreached"]) == ("lobby", "")
    one.do("room", on=True)
    assert crash(one, network)["join"] == HERE


def test_where_phones_come_another_way_the_class_goes_on_at_once(one):
    one.server.listen = None
    one.do("start")
    state = crash(one, None)
    assert (state["phase"], state["unreached"]) == ("running", "")


def test_what_a_terminal_opened_for_one_network_a_notebook_does_not_open_for_all(one, network):
    one.do("start")
    one.call(lambda: one.server.found_at(Address(HERE, PORT, "192.0.2.2")))
    assert crash(one, network)["phase"] == "paused"
    assert network.asked == []
    one.do("go")
    one.call(lambda: one.server.found_at(Address(HERE, PORT)))
    state = crash(one, network)
    assert (state["join"], state["phase"]) == (HERE, "running")


def test_a_class_of_an_earlier_exdec_has_no_address(tmp_path):
    async def opened():
        server = Server(tmp_path)
        room = server.open(ClassSettings())
        assert room.store.address() == Address()
        address = Address(HERE, PORT, "192.0.2.2", ("class.local",))
        room.store.note_address(address)
        assert room.store.address() == address
        server.shut()

    asyncio.run(opened())
