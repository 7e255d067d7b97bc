import asyncio
import html
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from comm import create_comm
from IPython.core.interactiveshell import InteractiveShell

from exdec import STANDARD, Game, RecordError, RulesError, Step, TurnError
from exdec.bots import BOTS, LEVELS, about
from exdec.notebook import hot_seat, replay, resume, solo, start, watch
from exdec.notebook.hot_seat import HotSeat
from exdec.notebook.live import Live
from exdec.notebook.stage import CONTROL, _page_connected
from exdec.notebook.start import IN_TURNS, LOOKING_ON, StartPanel
from exdec.notebook.view import TableView
from exdec.notebook.watch import Exhibition
from exdec.record import read
from exdec.rules import VARIATION, Rules

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "play.ipynb"


@pytest.fixture(autouse=True)
def sent(monkeypatch) -> list[str]:
    """Everything that is drawn on the page, as text, in order."""
    drawn: list[str] = []

    def draw(_live, bundle, **_how):
        drawn.append(text(bundle))

    monkeypatch.setattr(Live, "update", draw)
    monkeypatch.setattr(Live, "show", draw)
    return drawn


def text(what: object) -> str:
    return html.unescape(json.dumps(what, ensure_ascii=False, default=str))


def shown(view) -> str:
    return text([*view.parts()])


def in_a_loop(coroutine):
    """Run it as a kernel would; in a thread, because browser tests leave a loop running here."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


# -- watch ---------------------------------------------------------------------------------------


def test_an_exhibition_goes_step_by_step_to_the_end_with_every_bid_open():
    room = watch(["cautious", "full capacity"], months=1)
    assert "Nobody plays here in person" in shown(room)
    room._step.click()
    # Cautious bids $2 over the last price; with two players its half limit is 3 of each grade.
    assert "3 at $42" in shown(room)
    assert room._progress.value == 1
    room._step.click()
    assert room.table.game.step is Step.OVER
    assert "The end." in shown(room)
    assert room._step.disabled
    with pytest.raises(TurnError, match="ended with January"):
        room.step()


def test_the_same_seed_plays_the_same_exhibition_again():
    room = watch(months=2, seed=5)
    for _ in range(3):
        room.step()
    first = room.table.game.steps
    room._again.click()
    assert room.table.game.steps == ()
    assert room._progress.value == 0
    for _ in range(3):
        room.step()
    assert room.table.game.steps == first
    assert watch(months=2, seed=6).table.seed == 6


def test_playing_through_goes_on_until_it_is_stopped_or_over():
    async def look_on() -> Exhibition:
        room = watch(months=2)
        room.pause = 0
        room._through.click()
        assert room._through.description == "Stop"
        while len(room.table.game.steps) < 2:
            await asyncio.sleep(0)
        room._through.click()
        assert room._through.description == "Play through"
        played = len(room.table.game.steps)
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(room.table.game.steps) == played < 4
        room._through.click()
        while room.table.game.step is not Step.OVER:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        return room

    room = in_a_loop(look_on())
    assert room._through.disabled
    assert room._progress.value == 4


def test_after_the_last_step_that_is_played_through_there_is_nothing_to_stop():
    async def look_on() -> str:
        room = watch(months=1)
        room.play_through()
        while room.table.game.step is not Step.OVER:
            room.pause = 0
            await asyncio.sleep(0)
        return room._through.description

    assert in_a_loop(look_on()) == "Play through"


def test_an_error_while_playing_through_is_shown(monkeypatch):
    room = watch(months=1)

    def broken():
        raise RecordError("The disk is full.")

    monkeypatch.setattr(room.table, "play_rivals", broken)

    async def look_on() -> None:
        room.play_through()
        for _ in range(5):
            await asyncio.sleep(0)

    in_a_loop(look_on())
    assert "The disk is full." in room._message.value
    assert room._through.description == "Play through"


# -- replay --------------------------------------------------------------------------------------


@pytest.fixture
def played() -> Game:
    """January of three players, and February's orders."""
    game = Game(["Ann", "Ben", "Cy"], STANDARD.vary(months=2))
    game.order("Ann", X=(2, 40), F=(4, 35), S=(6, 23))
    game.order("Ben", X=(5, 45), F=(6, 38), S=(1, 20))
    game.order("Cy", X=(4, 42), F=(5, 36))
    game.offer("Ann", C=(3, 90))
    game.offer("Ben", A=(2, 139), B=(1, 115))
    game.offer("Cy", A=(2, 143))
    game.order("Ann", X=(1, 50))
    game.order("Ben")
    game.order("Cy", F=(2, 40))
    return game


def test_a_replay_shows_each_step_as_it_was(played):
    room = replay(played)
    assert "Opening" in text(room._slider.options)
    room._on.click()
    seen = shown(room)
    assert "After January, materials" in seen
    assert "11 X-FINE ordered, so +1: it posts at $41." in seen
    assert "2 at $40<small>below market</small>" in seen
    assert "This is the teacher's view" in seen
    assert "$143" not in seen  # January's goods are not posted yet
    room._on.click()
    assert "4 A offered, so +3: it posts at $143." in shown(room)
    room._back.click()
    assert shown(room) == seen


def test_a_replay_of_an_unfinished_game_stops_where_the_record_does(played):
    room = replay(played)
    room.go(99)
    assert room.at == 3
    assert room._on.disabled
    assert "The record stops here; the game is not over." in shown(room)
    assert "February (2 of 2) · step 3 of 4: offer" in shown(room)


def test_a_replay_ends_with_the_standings(played):
    played.open_bids()
    room = replay(played)
    room.go(4)
    assert "The end." in shown(room)
    assert "This is the end of the game." in shown(room)


def test_a_replay_takes_a_file_or_a_record_and_tells_what_was_lost(played, tmp_path):
    path = tmp_path / "game.jsonl"
    played.save(path, title="Group 3", bots={"Cy": "random"})
    assert "Group 3" in shown(replay(read(path)))
    assert "Cy (random)" in shown(replay(path))
    whole = path.read_text()
    path.write_text(whole[:-9])
    assert "Line 4 was cut off while it was written" in shown(replay(str(path)))
    assert path.read_text() == whole[:-9]  # looking changes nothing


def test_what_cannot_be_read_is_told_in_words(tmp_path):
    for way in (replay, resume):
        with pytest.raises(RecordError, match=r"nowhere\.jsonl cannot be"):
            way(tmp_path / "nowhere.jsonl")
    (tmp_path / "bad.jsonl").write_text("no record\n")
    for way in (replay, resume):
        with pytest.raises(RecordError, match=r"bad\.jsonl, line 1: this is not JSON"):
            way(tmp_path / "bad.jsonl")


def test_a_notebook_shows_a_refusal_as_a_sentence_without_lines_of_code(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    shell = InteractiveShell()
    shell.history_manager.enabled = False
    shell.run_cell("from exdec.notebook import watch\nwatch(['random'])")
    assert capsys.readouterr().out == "TurnError: 2 to 6 can play, not 1: 0 people and 1 rival.\n"


# -- resume --------------------------------------------------------------------------------------


def test_a_record_is_resumed_the_way_it_was_played(tmp_path):
    alone = solo(["cautious"], months=2, record=tmp_path / "a.jsonl")
    alone.hand_in({"X": (1, 45)})
    assert isinstance(resume(tmp_path / "a.jsonl"), TableView)
    room = hot_seat(["Ann", "Ben"], months=2, record=tmp_path / "b.jsonl")
    room.table.hand_in("Ann", {})
    again = resume(tmp_path / "b.jsonl")
    assert isinstance(again, HotSeat)
    assert again.player == "Ben"
    show = watch(["cautious", "random"], months=2, record=tmp_path / "c.jsonl")
    show.step()
    again = resume(tmp_path / "c.jsonl")
    assert isinstance(again, Exhibition)
    again.step()
    show = watch(["cautious", "random"], months=2)
    show.step()
    show.step()
    assert again.table.game.steps == show.table.game.steps


def test_what_a_torn_line_cost_is_told_to_everyone(tmp_path):
    path = tmp_path / "b.jsonl"
    table = hot_seat(["Ann", "Ben"], months=2, record=path).table
    for player in ("Ann", "Ben"):
        table.hand_in(player, {})
    path.write_bytes(path.read_bytes()[:-5])
    assert "Line 2 was cut off while it was written" in shown(resume(path))
    path = tmp_path / "a.jsonl"
    solo(["cautious"], months=2, record=path).hand_in({"X": (1, 45)})
    path.write_bytes(path.read_bytes()[:-5])
    assert "Line 2 was cut off while it was written" in text([*resume(path).parts()])


def test_a_record_of_another_game_is_not_played_on(tmp_path):
    path = tmp_path / "b.jsonl"
    hot_seat(["Ann", "Ben"], record=path).table.hand_in("Ann", {})
    with pytest.raises(TurnError, match="other players"):
        hot_seat(["Ann", "Cy"], record=path)


def test_rivals_are_named_by_strategy_or_level_and_recorded_by_strategy(tmp_path):
    path = tmp_path / "a.jsonl"
    for way in (solo, watch, lambda rivals, **how: hot_seat(["Ann", "Ben"], rivals, **how)):
        room = way(["easy", "random"], months=1)
        assert [*room.table.rivals.values()] == ["cautious", "random"]
    table = solo(["easy", "random"], record=path).table
    table.hand_in("You", {})
    assert read(path).extra["bots"] == {"Ben": "cautious", "Cy": "random"}
    for same in (["easy", "random"], ["cautious", "random"]):
        assert solo(same, record=path).table.turn == table.turn
    assert "Ben (cautious)" in shown(replay(path))


def test_a_single_rival_needs_no_list():
    assert solo("easy").table.rivals == {"Ben": "cautious"}


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [("hrd", "'hard'"), ("Medium", "'medium'"), ("full_capacity", "'full capacity'")],
)
def test_a_rival_that_is_not_there_is_refused_with_the_nearest_name(wrong, hint):
    for way in (solo, watch, lambda rivals: hot_seat(["Ann", "Ben"], rivals)):
        with pytest.raises(TurnError, match=f"no rival called '{wrong}'. Did you mean {hint}"):
            way(["random", wrong])


def test_a_rival_that_is_like_none_is_refused_with_every_name():
    with pytest.raises(TurnError, match="There are: easy, medium, hard, cautious, full capacity"):
        solo(["qqq"])


def test_too_many_or_too_few_are_refused_in_words():
    with pytest.raises(TurnError, match="2 to 6 can play, not 7"):
        hot_seat(["a", "b", "c", "d", "e"], ["random", "random"])
    with pytest.raises(TurnError, match="2 to 6 can play, not 1"):
        watch(["random"])


def test_names_that_are_no_list_are_refused_with_the_way_to_write_one():
    with pytest.raises(TurnError, match=r"'Ann' is no list of names.*: hot_seat\(\[\"Ann\", \"Ben"):
        hot_seat("Ann")
    with pytest.raises(TurnError, match="'Ann, Ben' is no list of names"):
        hot_seat("Ann, Ben", ["easy"])


# -- the start panel -----------------------------------------------------------------------------


@pytest.fixture
def panel(tmp_path) -> StartPanel:
    return start(tmp_path / "games")


def press_start(panel: StartPanel) -> None:
    panel.start.button.click()
    panel.start.echo.value = panel.start.ask.value


def test_start_gives_way_to_a_game_alone_and_leaves_no_file_before_the_first_order(
    panel, tmp_path, sent
):
    assert "3 firms: You, Ben (cautious), Cy (full capacity). 12 months" in panel.summary.value
    panel.names.value = "Ann"
    panel.months.value = 3
    press_start(panel)
    assert panel.table.player == "Ann"
    assert "January (1 of 3)" in sent[-4]
    assert panel._stage.controls is panel.table.widget
    assert list(tmp_path.iterdir()) == []
    panel.table.hand_in({"X": (1, 45)})
    assert read(tmp_path / "games" / "ann-1.jsonl").extra["practice"] is True
    assert "step 3 of 4: offer" in text([*panel.table.parts()])


def test_names_of_records_are_readable_and_never_taken(panel, tmp_path):
    panel.way.value = IN_TURNS
    panel.names.value = "Ann, Émile Ö,Cy"
    press_start(panel)
    assert isinstance(panel.table, HotSeat)
    panel.table.table.hand_in("Ann", {})
    second = start(tmp_path / "games")
    second.way.value, second.names.value = IN_TURNS, "Ann, Émile Ö, Cy"
    press_start(second)
    assert second.table.table.path.name == "ann-émile-ö-cy-2.jsonl"


def test_an_exhibition_can_be_started(panel):
    panel.way.value = LOOKING_ON
    assert panel.names.layout.display == "none"
    panel.large.value = True
    press_start(panel)
    assert isinstance(panel.table, Exhibition)
    assert "exdec-large" in shown(panel.table)


def test_what_cannot_be_played_is_told_in_the_engines_words_and_can_be_mended(panel):
    panel.way.value = IN_TURNS
    refused = "Write their names with commas"
    assert refused in panel.summary.value
    assert panel.start.button.disabled
    press_start(panel)
    assert refused in panel.message.value
    assert panel.table is None
    panel.names.value = "Ann, Ann"
    assert "Two players are called 'Ann'" in html.unescape(panel.summary.value)
    panel.names.value = "Ann, Ben"
    assert not panel.start.button.disabled
    press_start(panel)
    assert panel.table.player == "Ann"


def test_people_who_take_turns_have_no_rivals_until_they_choose_some(panel):
    panel.way.value = IN_TURNS
    panel.names.value = "Ann, Ben, Cy, Dee, Eve, Flo"
    assert "6 firms: Ann, Ben, Cy, Dee, Eve, Flo." in panel.summary.value
    panel.many.value = 1
    assert "not 7: 6 people and 1 rival." in panel.summary.value
    panel.way.value = LOOKING_ON
    assert panel.strategies == ["easy", "full capacity", "random"]


def test_as_many_rivals_can_be_chosen_as_can_play(panel):
    def offered() -> tuple[int, ...]:
        return panel.many.options

    assert offered() == (1, 2, 3, 4, 5)
    panel.way.value = IN_TURNS
    assert offered() == (0, 1, 2, 3, 4)
    panel.way.value = LOOKING_ON
    assert offered() == (2, 3, 4, 5, 6)
    panel.many.value = 6
    assert "6 firms: Ben (cautious), Cy (full capacity), Dee (random)" in panel.summary.value


def test_each_rival_is_a_level_or_a_strategy_with_a_sentence_that_says_what_it_does(panel):
    rival, told = panel.rivals[1], panel._abouts[1]
    assert [one for _, one in rival.options] == [*LEVELS, *BOTS]
    assert rival.options[0] == ("easy · cautious", "easy")
    for kind in rival.options:
        rival.value = kind[1]
        assert html.escape(about(kind[1]), quote=False) in html.unescape(told.value)
    panel.names.value = "Ann"
    rival.value = "easy"
    assert "Ann, Ben (cautious), Cy (cautious)" in panel.summary.value


def test_only_the_rivals_who_play_are_seen(panel):
    def seen() -> list[str]:
        return [one.description for one in panel.rivals if one.layout.display != "none"]

    assert seen() == ["Rival 1", "Rival 2"]
    panel.many.value = 3
    assert seen() == ["Rival 1", "Rival 2", "Rival 3"]
    assert [one.layout.display for one in panel._abouts] == [""] * 3 + ["none"] * 3
    panel.way.value = IN_TURNS
    assert seen() == []


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("ann, Ann", "ann and Ann sound alike"),
        ("Ann,, Ben", "A name is missing beside a comma"),
        ("Ann, Ben,", "A name is missing beside a comma"),
    ],
)
def test_names_that_would_be_mixed_up_or_are_missing_are_refused(panel, names, said):
    panel.way.value = IN_TURNS
    panel.names.value = names
    assert said in panel.summary.value
    assert panel.start.button.disabled


def test_a_rival_is_not_called_like_a_person(panel):
    panel.names.value = "ben"
    assert "ben, Cy (cautious)" in panel.summary.value


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2.5", "Seed: '2.5' is not a whole number."),
        ("−5", "Seed: '−5' is below 0."),
        ("9" * 30, "is too large"),
        ("", "Seed: nothing is written."),
        ("one", "Seed: 'one' is not a number in digits."),
    ],
)
def test_a_seed_that_will_not_do_is_told_and_stays_as_it_was_typed(panel, typed, said):
    panel.seed.value = typed
    assert said in html.unescape(panel.summary.value)
    assert panel.seed.value == typed
    assert panel.start.button.disabled


@pytest.mark.parametrize(
    ("rule", "typed", "said"),
    [
        ("starting_cash", "-1, 600, 450, 350, 300", "Starting cash (2 players) runs from 0"),
        ("opening_materials", "0, 30, 20", "Opening prices of materials (X) is $0, below Lowest"),
        ("production", "0, 0, 0, 1, 1, 1, 0, 2, 1", "(A) takes no certificate"),
        ("buy_dollars_per_unit_lost", "0", "Dollars below the market that cost one unit runs"),
        ("buy_dollars_per_unit_lost", "1.5", "one unit: '1.5' is not a whole number."),
    ],
)
def test_a_rule_that_makes_no_sense_is_named_as_the_panel_names_it(panel, rule, typed, said):
    panel.rules[rule].value = typed
    assert said in html.unescape(panel.summary.value)
    assert not any(one.name in panel.summary.value for one in Rules.fields() if "_" in one.name)


def test_every_rule_stands_in_the_panel_with_its_help(panel):
    everything = text([widget.value for widget in helps(panel)])
    for rule in Rules.fields():
        if rule.name != "months":
            assert panel.rules[rule.name].description == rule.label
            assert rule.help in everything
    assert panel.chosen_rules == STANDARD


def helps(panel: StartPanel) -> list:
    from exdec.notebook.stage import widgets_of

    return [one for one in widgets_of(panel) if type(one).__name__ == "HTML"]


def test_the_panel_makes_the_rules_that_it_shows(panel):
    panel.game.value = "Variation"
    panel.months.value = 6
    panel.rules["starting_cash"].value = "1000, 600, 450, 350, 300"
    panel.rules["grade_limit"].value = "None, 5, none, none, none"
    panel.rules["goods_calculator"].value = "11, −3, 16"
    panel.rules["production"].value = "2, 1, 0, 1, 1, 1, 0, 2, 2"
    panel.rules["past_table"].value = "clamp"
    panel.rules["reveal"].value = ("cash",)
    assert panel.chosen_rules == VARIATION.vary(
        months=6,
        starting_cash={2: 1000},
        grade_limit={2: None, 3: 5},
        goods_calculator={"per_unit": -3},
        production={"C": {"F": 2}},
        past_table="clamp",
        reveal=["cash"],
    )
    panel.rules["starting_cash"].value = "1000"
    assert "Starting cash: write 5 numbers" in panel.summary.value
    panel.rules["starting_cash"].value = "a, b, c, d, e"
    with pytest.raises(RulesError, match="'a' is not a whole number"):
        panel.sit_down()


def test_games_so_far_are_listed_and_gone_on_with(panel, tmp_path, sent):
    assert panel._so_far.layout.display == "none"
    press_start(panel)
    panel.table.hand_in({"X": (1, 45)})
    (tmp_path / "games" / "z.jsonl").write_text("no record\n")
    again = start(tmp_path / "games")
    labels = [label for label, _ in again.kept.options]
    assert labels == [
        "you-1.jsonl · You, Ben, Cy · January (1 of 12) · step 3 of 4: offer",
        "z.jsonl · cannot be read",
    ]
    again.kept.value = str(tmp_path / "games" / "z.jsonl")
    again.resume.click()
    assert "z.jsonl, line 1" in again.message.value
    again.kept.value = str(tmp_path / "games" / "you-1.jsonl")
    again.large.value = True
    again.resume.click()
    assert again.table.game.steps == panel.table.game.steps
    assert "exdec-large" in shown(again.table)


# -- the notebook --------------------------------------------------------------------------------


def test_the_notebook_of_ways_to_play_offers_each_of_them():
    source = NOTEBOOK.read_text("utf-8")
    for way in ("start(", "solo(", "hot_seat(", "watch(", "replay(", "resume("):
        assert way in source


# -- a page that is loaded again -----------------------------------------------------------------


def test_a_page_that_connects_again_finds_a_widget_for_each_output(monkeypatch):
    monkeypatch.undo()
    rooms = [solo(months=1), hot_seat(["Ann", "Ben"], months=1), watch(months=1)]
    for room in rooms:
        room._ipython_display_()
    connect()
    for room in rooms:
        drawn = dict(room.parts())
        stage = getattr(room, "stage", None) or room._stage
        for part, live in stage._lives.items():
            (output,) = live.widget.outputs
            assert output["data"] == drawn[part]
            assert live.widget in (*stage._above.children, *stage._box.children)
    rooms[0].hand_in({"X": (2, 46)})
    (facts,) = rooms[0].stage._lives["facts"].widget.outputs
    assert "step 3 of 4: offer" in facts["data"]["text/html"]


def connect() -> None:
    """What a page sends when it connects to the kernel."""
    message = {"metadata": {"version": "1.0.0"}, "content": {"target_name": CONTROL, "data": {}}}
    _page_connected(create_comm(target_name=CONTROL), message)
