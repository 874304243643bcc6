from static_analysis.memory.origins import LOCAL, UNKNOWN, Origin
from static_analysis.memory.regions import SHARED, Events, divide
from static_analysis.memory.ssa import ADD, ENTRY, FRESH, READ, RESET, SET
from static_analysis.memory.traffic import Traffic, Write


def private(**words):
    return Origin(LOCAL, 0, is_object=True, is_fresh=True, **words)


def at(origin, offset, size, terms=()):
    return origin, offset, terms, 0, size


def events_of(traffic):
    return Events(traffic, divide(traffic)).of_block(0)


def test_cells_are_the_stretches_that_no_access_splits():
    origin = private()
    traffic = Traffic([[0, 1, 2]], objects=[origin])
    traffic.writes = {0: Write((at(origin, 0, 8),), True), 1: Write((at(origin, 4, 2),), True)}
    traffic.reads = {2: at(origin, 0, 8)}
    regions = divide(traffic)
    bounds, first = regions.cells[origin]
    assert bounds == [0, 4, 6, 8]
    assert events_of(traffic) == [
        *[(first + cell, 0, SET) for cell in range(3)],
        (first + 1, 1, SET),
        *[(first + cell, 2, READ) for cell in range(3)],
    ]


def test_an_indexed_object_is_one_variable_that_keeps_its_content():
    origin = private()
    traffic = Traffic([[0, 1]], objects=[origin])
    traffic.writes = {0: Write((at(origin, 0, 4, (("i", 4),)),), True)}
    traffic.reads = {1: at(origin, 0, 4)}
    variable = divide(traffic).chains[origin]
    assert events_of(traffic) == [(variable, 0, ADD), (variable, 1, READ)]


def test_an_object_seen_through_a_choice_is_one_variable():
    origin = private()
    choice = Origin(0, 0, parts=[])
    choice.objects, choice.mask = (origin,), UNKNOWN
    traffic = Traffic([[0]], objects=[origin])
    traffic.reads = {0: at(choice, 0, 4)}
    variable = divide(traffic).chains[origin]
    assert events_of(traffic) == [(SHARED, 0, READ), (variable, 0, READ)]


def test_a_write_of_unknown_length_may_concern_every_cell():
    origin = private()
    traffic = Traffic([[0, 1]], objects=[origin])
    traffic.writes = {0: Write((at(origin, 4, None),))}
    traffic.reads = {1: at(origin, 0, 4)}
    _, first = divide(traffic).cells[origin]
    assert events_of(traffic) == [(first, 0, ADD), (first, 1, READ)]


def test_what_is_made_anew_forgets():
    origin = private()
    traffic = Traffic([[0, 1]], objects=[origin])
    traffic.writes = {0: Write(makes=origin, is_fresh=True)}
    traffic.reads = {1: at(origin, 0, 4)}
    _, first = divide(traffic).cells[origin]
    assert events_of(traffic) == [(first, 0, RESET), (first, 1, READ)]


def test_objects_that_others_know_are_shared():
    origin = private(escaped=True)
    origin.mask = LOCAL
    traffic = Traffic([[0]], objects=[origin])
    traffic.writes = {0: Write((at(origin, 0, 4),), True)}
    assert events_of(traffic) == [(SHARED, 0, ADD)]


def test_objects_cut_into_too_many_cells_are_one_variable():
    origin = private()
    traffic = Traffic([list(range(200))], objects=[origin])
    for index in range(100):
        traffic.writes[index] = Write((at(origin, index, 1),), True)
        traffic.reads[100 + index] = at(origin, 0, 100)
    assert origin in divide(traffic).chains


def test_arguments_hold_something_and_new_objects_nothing():
    fresh, held = private(), Origin(LOCAL, 0, is_object=True)
    regions = divide(Traffic([[]], objects=[fresh, held]))
    assert regions.initial == [ENTRY, FRESH, ENTRY]
