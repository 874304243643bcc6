from static_analysis.memory.choices import settle
from static_analysis.memory.origins import ARGUMENT, GLOBAL, LOCAL, NOTHING, UNKNOWN, Origin
from static_analysis.memory.traffic import Traffic


def objects(n):
    return [Origin(LOCAL, 0, is_object=True, is_fresh=True) for _ in range(n)]


def choice(*parts):
    return Origin(NOTHING, 1, parts=list(parts))


def test_a_choice_may_be_what_its_parts_may_be():
    x, y = objects(2)
    inner = choice(x, Origin(ARGUMENT, 0))
    outer = choice(inner, y)
    settle(Traffic([], objects=[x, y], choices=[inner, outer]))
    assert set(outer.objects) == {x, y}
    assert (inner.mask, outer.mask) == (ARGUMENT, ARGUMENT)
    assert not x.escaped


def test_choices_in_a_circle():
    (x,) = objects(1)
    first, second = choice(x), choice()
    first.parts.append(second)
    second.parts.append(first)
    settle(Traffic([], objects=[x], choices=[first, second]))
    assert first.objects == second.objects == (x,)


def test_what_escapes_through_a_choice_escapes():
    x, y = objects(2)
    chosen = choice(x)
    settle(Traffic([], objects=[x, y], choices=[chosen], escaping=[chosen]))
    assert (x.escaped, y.escaped) == (True, False)
    assert (x.mask, chosen.mask) == (LOCAL, LOCAL)


def test_a_choice_among_too_many_is_unknown_and_makes_them_known():
    many = objects(9)
    chosen = choice(*many)
    later = choice(chosen)
    settle(Traffic([], objects=many, choices=[chosen, later]))
    assert later.mask & UNKNOWN
    assert all(one.escaped for one in many)


def test_globals_are_shared_without_escaping():
    variable = Origin(GLOBAL, 0, is_object=True)
    chosen = choice(variable)
    settle(Traffic([], choices=[chosen]))
    assert (chosen.objects, chosen.mask) == ((variable,), GLOBAL)
