"""The stubs name what there is, and everything there is is documented."""

import ast
import inspect
import pathlib

import meeple
from meeple import _meeple

STUBS = pathlib.Path(meeple.__file__).with_name("_meeple.pyi")


def declared():
    """The names in the stubs, with those of each class."""
    names = {}
    for node in ast.parse(STUBS.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            names[node.name] = node
        elif isinstance(node, ast.ClassDef):
            names[node.name] = {
                inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)
            }
    return names


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def test_stubs_name_what_there_is():
    stubs = declared()
    assert set(stubs) == public(_meeple)
    for name, inner in stubs.items():
        found = getattr(_meeple, name)
        if isinstance(inner, dict):
            assert public(found) == {n for n in inner if not n.startswith("_")}, name
    elsewhere = {"CHANCE", "TERMINAL", "Tables", "GameType", "PlayerAction", "__version__"}
    assert set(meeple.__all__) - elsewhere <= set(stubs)


def test_signatures_agree():
    def parameters(node):
        arguments = node.args
        return [a.arg for a in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]

    for name, inner in declared().items():
        nodes = inner.items() if isinstance(inner, dict) else [(None, inner)]
        for method, node in nodes:
            found = getattr(_meeple, name)
            if method is not None:
                found = getattr(found, method)
            if (method or "").startswith("_") or not callable(found):
                continue
            real = [
                p.name
                for p in inspect.signature(found).parameters.values()
                if p.kind is not p.VAR_KEYWORD
            ]
            assert parameters(node) == real, (name, method)


def test_everything_public_has_a_docstring():
    for name in meeple.__all__:
        thing = getattr(meeple, name)
        if inspect.isclass(thing) or inspect.isroutine(thing):
            assert thing.__doc__, name
            for method in public(thing) if inspect.isclass(thing) else []:
                assert getattr(thing, method).__doc__, (name, method)


def test_the_package_is_typed():
    assert STUBS.with_name("py.typed").exists()
