import re

import pytest

from ir_pipeline import lower
from ir_pipeline.rows.parameters import parameter_count
from ir_pipeline.rows.source_index import SourceIndex
from ir_pipeline.rows.symbol_names import source_name

CODE = """
#include <map>
#include <string>
#include <vector>
namespace ns { struct S { int x; S(int); S(int, int); ~S(); int m() const; int m(S);
  bool operator<(const S &) const; S &operator=(const S &); template <class U> U as(U, int); }; }
ns::S::S(int a) : x(a) {}
ns::S::S(int a, int b) : x(a + b) {}
ns::S::~S() {}
int ns::S::m() const { return 0; }
int ns::S::m(ns::S s) { return s.x; }
bool ns::S::operator<(const ns::S &o) const { return x < o.x; }
ns::S &ns::S::operator=(const ns::S &o) { x = o.x; return *this; }
int f() { return 0; }
int f(int a) { return a; }
int f(const char *const *a, unsigned long long b) { return 0; }
int f(int (*a)(int, char), ns::S b, ns::S *c) { return 0; }
int f(std::string a, std::vector<std::string> b, std::map<int, ns::S> c, double d) { return 0; }
int f(int a, int b, int (&c)[3], int ns::S::*d, long double e) { return 0; }
static int g(float a, bool b) { return a; }
template <class T> T twice(T a) { return a; }
template <class T, int N> T twice(T (&a)[N], T b) { return b; }
int use() { int a[4] = {}; return g(1, true) + twice(2) + twice(a, 3); }
"""


@pytest.fixture(scope="module")
def symbols(tmp_path_factory):
    file = tmp_path_factory.mktemp("overloads") / "a.cpp"
    file.write_text(CODE)
    index = SourceIndex(CODE.encode(), "c++")
    names = re.findall(r"^define .*?@([\w.]+)\(", lower(file), re.MULTILINE)
    return [name for name in names if source_name(name) in index]


def test_every_overload_finds_its_own_text(symbols):
    index = SourceIndex(CODE.encode(), "c++")
    assert len(symbols) >= 17
    found = {name: index.find(source_name(name), parameter_count(name)) for name in symbols}
    assert all(found.values())
    overloads = {found[name].text for name in symbols if source_name(name) == "f"}
    assert len(overloads) == 6
    assert "long long b" in found["_Z1fPKPKcy"].text


@pytest.mark.parametrize(
    ("symbol", "count"),
    [("main", None), ("_ZZ4mainENKUlvE_clEv", None), ("_Z1fv", 0), ("_Z1fiz", 2), ("_Z", None),
     ("_Z3foo", 0), ("_Z9999x", None), ("_ZN1S1mEv.isra.0", 0)],
)  # fmt: skip
def test_what_is_not_read_has_no_count(symbol, count):
    assert parameter_count(symbol) == count
