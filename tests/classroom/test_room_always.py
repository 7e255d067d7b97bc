"""What holds in a class whatever people do, in whatever order, and whenever the server dies."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from class_room import NOW, again, merged, numbers, told, views, wire
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from exdec import record
from exdec.classroom.chronicle import EVERYONE
from exdec.classroom.controls import CONTROLS
from exdec.classroom.messages import Messages, update
from exdec.classroom.room import Room
from exdec.classroom.seating import Rest
from exdec.classroom.server import mark_of
from exdec.classroom.settings import ClassSettings, Treatment
from exdec.classroom.store import StoreError
from exdec.errors import ExdecError
from exdec.model import Step

NAMES = ["Ann", "ann", "Bot 1", "Bot 2", "Ann & Ben", "Ben", "<b>", "x" * 99, "😀", "\u202eCy"]
# Other numbers of this size there are none: cash stays above, all else below.
MARK = 50_000
MARKED = range(MARK, MARK + 10_000)

LOST = {
    **{do: {} for do in ("close", "undo", "redo", "pause", "go", "reopen", "end", "unend")},
    "kick": {"pupil": 1},
    "rename": {"pupil": 1, "name": "Zoe"},
    "newlink": {"pupil": 1},
    "add": {"name": "Zac"},
}


class Klass(RuleBasedStateMachine):
    """A class, beside it what its phones show, and a list of what was handed in."""

    @initialize(
        pupils=st.integers(1, 9),
        size=st.integers(2, 6),
        rest=st.sampled_from(Rest),
        together=st.booleans(),
        seconds=st.sampled_from([0, 0, 10, 60]),
        absent_after=st.integers(0, 2),
        treatments=st.booleans(),
        reveal=st.sampled_from([[], [], ["cash"]]),
        anew=st.sampled_from([{}, {"size": 3}, {"months": 1, "level": "hard"}, {"size": 9}]),
    )
    def open(self, pupils, size, rest, together, seconds, absent_after, treatments, reveal, anew):
        self.folder = TemporaryDirectory()
        self.now = NOW
        self.mark = MARK
        self.secret = not reveal
        chosen = ClassSettings(
            title="Year 11",
            size=size,
            rest=rest,
            months=2,
            seconds=seconds,
            together=together,
            level="easy",
            absent_after=absent_after,
            rules={"starting_cash": 999_999, "reveal": reveal},
            treatments=[Treatment("Short", {"months": 1}), Treatment("Plain", {})]
            if treatments
            else [],
            roster=["Ros", ("Red", "red")][: pupils % 3],
            most=12,
        )
        self.room = Room.create(Path(self.folder.name, "class.sqlite"), chosen, NOW)
        self.messages = Messages(self.room)
        # What was accepted: still sealed, settled line by line, taken back from the end.
        self.sealed: dict[tuple[int, int], dict] = {}
        self.settled: list[list[dict]] = []
        self.past: list[list[tuple[list[dict], dict[int, dict]]]] = []
        self.receipts: dict[tuple[int, str], int] = {}
        self.back: dict | None = None
        self.phones: dict[int, dict] = {}
        self.backwards = self.redone = self.stopped = False
        for number in range(pupils):
            self.attempt(self.joined(NAMES[number % len(NAMES)], number))
        self.attempt(lambda: self.room.do("settings", self.now, **anew))
        self.attempt(lambda: self.room.do("start", self.now))

    def joined(self, name, phone):
        return lambda: self.room.join(self.room.code, name, f"the phone with number {phone}", NOW)

    def teardown(self):
        if hasattr(self, "room"):
            self.compare_with_the_file()
            self.room.store.close()
            self.folder.cleanup()

    # -- doing -----------------------------------------------------------------------------------

    def attempt(self, act):
        """Do something; what is refused has changed nothing."""
        before = self.room.last_event
        try:
            done = act()
        except ExdecError as refused:
            assert self.room.last_event == before
            assert not self.room._pending
            assert str(refused).endswith(".")  # noqa: PT017
            return None
        self.account()
        self.room.commit()
        self.look()
        return done

    def account(self):
        """Compare what the class holds with what was handed in."""
        room = self.room
        for _ in room.desks[len(self.settled) :]:
            self.settled.append([])
            self.past.append([])
        for desk, mine, past in zip(room.desks, self.settled, self.past, strict=True):
            sealed = {f: b for (t, f), b in self.sealed.items() if t == desk.number}
            steps = [json.loads(line)["bids"] for line in desk.lines]
            ended = self.stopped and len(desk.past) > len(past)
            if len(desk.past) > len(past):
                assert self.backwards or self.stopped
                past.append((list(mine), sealed))
                del mine[len(steps) :]
                if self.backwards:
                    sealed = {}
            elif self.redone and len(desk.past) < len(past):
                mine[:], sealed = past.pop()
            fresh = steps[len(mine) :]
            for number, step in enumerate(fresh):
                bids = sealed if number == 0 else {}
                for firm, lines in bids.items():
                    assert step[f"Firm {firm + 1}"] == lines
                mine.append({firm: dict(lines) for firm, lines in bids.items()})
            if fresh and not ended:
                past.clear()
            if fresh or ended:
                sealed = {}  # orders for a month that is not played are among them
            assert len(steps) == len(mine)
            for step, bids in zip(steps, mine, strict=True):
                assert all(step[f"Firm {firm + 1}"] == lines for firm, lines in bids.items())
            self.sealed = {at: b for at, b in self.sealed.items() if at[0] != desk.number}
            self.sealed |= {(desk.number, firm): lines for firm, lines in sealed.items()}
            assert {firm: one.bids for firm, one in desk.sealed.items()} == sealed
        self.backwards = self.redone = False

    def look(self):
        """Show every phone what is new, and compare."""
        room = self.room
        changed, room.changed = room.changed, set()
        new = views(room, self.messages)
        for number, view in new.items():
            old = self.phones.get(number)
            if old is None:
                continue
            got, view, old = merged(wire(old), wire(update(old, view))), wire(view), wire(old)
            free = {"left", "v"}
            assert {k: v for k, v in got.items() if k not in free} == {
                k: v for k, v in view.items() if k not in free
            }
            other = {k for k in view if view[k] != old[k]} - {"left"}
            # What a page that polls is told, and what is pushed at once.
            assert bool(other) == (mark_of(view) != mark_of(old)), other
            if other - {"lobby", "standings", "draft"}:
                assert room.pupils[number].table in changed or EVERYONE in changed, other
        self.phones = new
        for show in (None, *range(len(room.desks))):
            self.messages.host(show, self.now)

    # -- what people do --------------------------------------------------------------------------

    @rule(name=st.sampled_from(NAMES), phone=st.integers(0, 14))
    def join(self, name, phone):
        before = len(self.room.pupils)
        pupil = self.attempt(self.joined(name, phone))
        same = self.attempt(self.joined(name, phone))
        assert pupil is None or same is pupil
        assert len(self.room.pupils) <= before + 1

    @rule(
        data=st.data(),
        units=st.integers(0, 2),
        cheap=st.booleans(),
        late=st.sampled_from([0, 0, 0, 0, -1]),
        replay=st.booleans(),
    )
    def hand_in(self, data, units, cheap, late, replay):
        pupil = self.some_pupil(data)
        if pupil is None or pupil.table is None:
            return
        desk = self.room.desks[pupil.table]
        month, step = desk.turn
        item = data.draw(st.sampled_from("XFS" if step is Step.BUY else "ABC"))
        self.mark += 1
        price = data.draw(st.integers(1, 60)) if cheap else self.mark
        bids = {item: [units, price]} if units else {}
        name = f"hand-in {self.mark}"
        turn = [month + late, step.value]
        at = (desk.number, pupil.firm)
        free = at not in self.sealed

        def act():
            number = self.room.bid(pupil, name, turn, bids, self.now)
            assert free
            assert late == 0
            assert not desk.places[pupil.firm].bot
            self.sealed[at] = bids
            self.receipts[pupil.number, name] = number
            return number

        number = self.attempt(act)
        if number is not None and replay:
            before = self.room.last_event
            assert self.room.bid(pupil, name, turn, bids, self.now) == number
            assert self.room.bid(pupil, name, ["x"], {"X": [9, 1]}, self.now + 999) == number
            assert self.room.last_event == before

    @rule(data=st.data())
    def change(self, data):
        pupil = self.some_pupil(data)
        if pupil is None or pupil.table is None:
            return
        self.mark += 1
        month, step = self.room.desks[pupil.table].turn

        def act():
            turn = [month, step.value]
            number = self.room.change(pupil, f"change {self.mark}", turn, self.now)
            del self.sealed[pupil.table, pupil.firm]
            return number

        self.attempt(act)

    @rule(data=st.data())
    def draft(self, data):
        pupil = self.some_pupil(data)
        if pupil is not None and pupil.table is not None:
            self.mark += 1
            month, step = self.room.desks[pupil.table].turn
            text = {"X": ["1", str(self.mark)]}
            self.attempt(lambda: self.room.draft(pupil, [month, step.value], text, "a page"))

    @rule(data=st.data())
    def come_back(self, data):
        pupil = self.some_pupil(data)
        if pupil is not None:
            self.attempt(lambda: self.room.come_back(pupil, self.now))

    @rule(data=st.data(), here=st.integers(0, 2))
    def come_or_go(self, data, here):
        pupil = self.some_pupil(data)
        if pupil is not None:
            # Who is here is no part of the log: the server tells the table by itself.
            self.room.here[pupil.number] = here
            self.phones = views(self.room, self.messages)

    @rule(seconds=st.sampled_from([0.1, 3, 12, 70]))
    def wait(self, seconds):
        self.now += seconds
        self.attempt(lambda: self.room.tick(self.now, most=99))
        if self.room.paused_at is None and not self.room.finished:
            ends = [desk.deadline for desk in self.room.desks if desk.deadline is not None]
            assert all(end > self.now - 1.5 for end in ends)

    def some_pupil(self, data):
        pupils = [one for one in self.room.pupils.values() if not one.out]
        return data.draw(st.sampled_from(pupils)) if pupils else None

    # -- what the instructor does ----------------------------------------------------------------

    @rule(data=st.data(), do=st.sampled_from([one for one in CONTROLS if one != "finish"]))
    def control(self, data, do):
        needs = CONTROLS[do].needs
        tables = st.integers(0, max(0, len(self.room.desks) - 1))
        given = {}
        if "table" in needs:
            given["table"] = data.draw(st.none() | tables)
        if "place" in needs:
            given["table"], given["firm"] = data.draw(tables), data.draw(st.integers(0, 5))
        if "pupil" in needs:
            given["pupil"] = data.draw(st.integers(1, max(1, len(self.room.pupils))))
        if "seconds" in needs:
            given["seconds"] = data.draw(st.sampled_from([0, 10, 30]))
        if "name" in needs:
            given["name"] = data.draw(st.sampled_from(NAMES))
        if "show" in needs:
            given["show"] = data.draw(st.booleans())
        if "text" in needs:
            given["text"] = "Look at the board"
        if "bids" in needs:
            self.mark += 1
            given["bids"] = data.draw(st.sampled_from([{}, {"X": [1, self.mark]}, {"A": [1, 7]}]))
        self.do(do, **given)

    @rule(data=st.data(), do=st.sampled_from(["reopen", "undo", "redo", "close", "bots_absent"]))
    def control_again(self, data, do):
        self.do(do)

    @precondition(lambda self: self.back)
    @rule()
    def take_it_back(self):
        self.do(**self.back)

    def do(self, do, **given):
        at = (given.get("table"), given.get("firm"))

        def act():
            done = self.room.do(do, self.now, **given)
            assert done["text"].endswith(".")
            if do == "paper":
                assert at not in self.sealed
                self.sealed[at] = given["bids"]
            if do == "take_back":
                del self.sealed[at]
            return done

        self.backwards = do in ("undo", "reopen")
        self.redone = do in ("redo", "unend")
        self.stopped = do == "end"
        done = self.attempt(act)
        self.backwards = self.redone = self.stopped = False
        if done is not None:
            self.back = done.get("back")
        control = CONTROLS[do]
        assert type(control.on(self.room)) is bool

    # -- what fails ------------------------------------------------------------------------------

    @rule(data=st.data())
    def fill_the_disk(self, data):
        """A batch that cannot be written has not happened, not even a part of it."""
        self.room._now = now = self.now
        before = told(self.room)

        def full(events, drafts=()):
            raise StoreError("The disk is full.")

        def hand_in(number):
            pupil = self.room.pupils[number]
            month, step = self.room.desks[pupil.table or 0].turn
            self.room.bid(pupil, f"lost {number}", [month, step.value], {}, now)

        for do in data.draw(st.lists(st.sampled_from([*LOST, 1, 2, 3, 4]), max_size=5)):
            try:
                if type(do) is int:
                    hand_in(do)
                    self.room.draft(self.room.pupils[do], [1, "buy"], {"X": ["1", "2"]})
                else:
                    self.room.do(do, now, **LOST[do])
            except (ExdecError, LookupError):
                continue
        wanted = self.room.uncommitted
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(self.room.store, "append", full)
            try:
                self.room.commit()
            except StoreError:
                assert wanted
            else:
                assert not wanted
        self.room._now = self.now
        for key, value in told(self.room).items():
            assert value == before[key], key

    @rule(away=st.sampled_from([0, 30, 10_000]), beat=st.booleans())
    def die(self, away, beat):
        """The server dies and comes back; whoever was here has to come again."""
        room = self.room
        if beat:
            room.store.beat(self.now)
        last = max(room._last.at, room.store.last_beat())
        left = {d.number: d.deadline - last for d in room.desks if d.deadline is not None}
        room.store.close()
        self.now += away
        self.room = Room.resume(room.store.path, self.now)
        self.messages = Messages(self.room)
        self.phones = {}
        for number, seconds in left.items():
            if room.phase == "running":
                deadline = self.room.desks[number].deadline
                assert deadline == pytest.approx(self.now + max(20, seconds))
            else:
                assert self.room.left(number, self.now) == room.left(number, self.now)
        self.account()
        self.look()

    # -- what holds ------------------------------------------------------------------------------

    @invariant()
    def the_file_tells_all(self):
        # It takes a while, so it is not asked at every step.
        if hasattr(self, "room") and self.room.last_event % 4 == 0:
            self.compare_with_the_file()

    def compare_with_the_file(self):
        other = again(self.room)
        other.here = dict(self.room.here)
        mine, its = told(self.room), told(other)
        other.store.close()
        for key, value in mine.items():
            assert its[key] == value, key

    @invariant()
    def records_are_the_games_that_were_played(self):
        if hasattr(self, "room"):
            for desk in self.room.desks:
                names = self.room.place_names(desk.number)
                assert len({name.casefold() for name in names}) == len(names)
                game = record.parse(desk.record(names)).game()
                live = self.room.table(desk.number).game
                assert game.players == tuple(names)
                assert game.rules == live.rules
                assert [list(step.bids.values()) for step in game.steps] == [
                    list(step.bids.values()) for step in live.steps
                ]
                assert game.state.firms == live.state.firms
                assert game.state.good_prices == live.state.good_prices
                assert desk.over == (live.step is Step.OVER or desk.months == 0)

    @invariant()
    def everyone_sits_once_and_no_place_waits_for_nobody(self):
        if hasattr(self, "room"):
            seats = {}
            for desk in self.room.desks:
                for firm, place in enumerate(desk.places):
                    assert place.pupils or place.bot
                    for pupil in place.pupils:
                        assert pupil not in seats
                        seats[pupil] = (desk.number, firm)
            for number, one in self.room.pupils.items():
                assert seats.get(number, (None, None)) == (one.table, one.firm)
                assert not (one.out and number in seats)

    @invariant()
    def the_class_can_always_go_on(self):
        """Somebody can hand in, or a clock runs, or the instructor can close a step."""
        if hasattr(self, "room") and self.room.phase == "running":
            assert any(desk.open for desk in self.room.desks)

    @invariant()
    def sealed_bids_are_shown_to_nobody(self):
        if not hasattr(self, "room"):
            return
        room = self.room
        sealed = {at: numbers(json.dumps(bids)) for at, bids in self.sealed.items()}
        drafts = {
            (desk.number, firm): numbers(place.drafted)
            for desk in room.desks
            for firm, place in enumerate(desk.places)
        }
        bid = {
            (desk.number, firm): set().union(
                *(numbers(json.dumps(step.get(f"Firm {firm + 1}", {}))) for step in steps)
            )
            for desk in room.desks
            for steps in [[json.loads(line)["bids"] for line in desk.lines]]
            for firm in range(len(desk.places))
        }
        for number, view in views(room, self.messages).items():
            one = room.pupils[number]
            own = (one.table, one.firm)
            seen = numbers(json.dumps(view))
            for secrets in (sealed, drafts):
                for at, marks in secrets.items():
                    if at != own:
                        # What was drafted once may have been handed in, and settled, since.
                        assert not (marks - bid[at]) & set(MARKED) & seen
            if view["standings"] is None and view["final"] is None and self.secret:
                for at, marks in bid.items():
                    if at != own:
                        assert not marks & set(MARKED) & seen - bid.get(own, set())
        settled = set().union(*bid.values())
        unopened = set().union(*sealed.values(), *drafts.values()) & set(MARKED) - settled
        shown = [repr(room), repr(room.desks), repr(room.pupils), repr(room._pending)]
        shown += [repr(desk.sealed) for desk in room.desks]
        shown += [str(room), *(repr(event) for event in room.store.events())]
        for show in (None, *range(len(room.desks))):
            shown.append(json.dumps(self.messages.host(show, self.now)))
        seen = numbers(" ".join(shown))
        assert not unopened & seen
        if not room.reveal:
            assert not settled & set(MARKED) & seen


TestKlass = pytest.mark.slow(Klass.TestCase)
TestKlass.settings = settings(max_examples=12, stateful_step_count=20, phases=[Phase.generate])
