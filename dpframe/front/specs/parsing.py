"""A spec from its text: strict, every unknown word is refused with the nearest known one."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from dpframe.errors import SpecError, nearest
from dpframe.front.specs.budgets import WRITTEN, set_budget
from dpframe.front.specs.document import Table
from dpframe.front.specs.keys import BUILT_IN, TYPES, Key
from dpframe.front.specs.spec import Spec
from dpframe.proof.spaces import Adjacency, Edits, Kind, adjacency

WORDS = (
    "name", "title", "source", "adjacency", "columns", "frame", "budget", "keys", "settings", "tables", "node",
    "outputs", "errors", "unit", "unit_rows",
)  # fmt: skip
MOST_BITS = 1023
"""Of a whole number: what a float can hold."""
_KEY_TYPES: Mapping[str, tuple[type, ...]] = {
    "optional": (bool,),
    "unless": (str,),
    "min": (float, int),
    "max": (float, int),
    "choices": (list,),
    "help": (str,),
}


def parse_spec(text: str, where: str = "spec") -> Spec:
    """Read a spec from its text.

    Raises
    ------
    SpecError
    """
    data = _loaded(text, where)
    _only(data, WORDS, where)
    keys = {k: _read_key(k, v) for k, v in _table(data, "keys").items()}
    spec = Spec(
        name=_string(data, "name", where),
        title=_string(data, "title", where, ""),
        source=_string(data, "source", where, ""),
        keys=keys,
        tables=_read_tables(_table(data, "tables"), where),
        adjacency=_read_adjacency(data.get("adjacency")),
        budget=_read_budget(_table(data, "budget")),
        nodes=_read_nodes(data, where),
        outputs=_read_outputs(data, where),
        values={},
        columns=tuple(BUILT_IN["columns"].check(data["columns"])) if "columns" in data else None,
        unit=BUILT_IN["unit"].check(data["unit"]) if "unit" in data else None,
        unit_rows=BUILT_IN["unit_rows"].check(data["unit_rows"]) if "unit_rows" in data else None,
        frame=_read_frame(data, where),
        errors=_read_errors(data, where),
        settings=_table(data, "settings"),
    )
    d, n = _sizes(spec.tables)
    return attrs.evolve(spec, d=d, n=n)


def _loaded(text: str, where: str) -> dict[str, Any]:
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "nested too deeply"
        raise SpecError(f"{where!r} is not TOML: {why}", fix="see docs/specs.md for the form") from None
    except ValueError:  # Python reads no decimal of more than 4300 digits
        raise _too_large(where) from None
    values: list[Any] = [data]
    while values:  # dotted keys nest deeper than calls may
        value = values.pop()
        if isinstance(value, (dict, list)):
            values += value.values() if isinstance(value, dict) else value
        elif isinstance(value, int) and value.bit_length() > MOST_BITS:
            raise _too_large(where)
    return data


def _too_large(where: str) -> SpecError:
    return SpecError(f"{where!r} holds a number of more than {MOST_BITS} bits", fix="write a smaller one")


def _only(data: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    for word in data:
        if word not in known:
            raise SpecError(f"{where}: unknown entry {word!r}", fix=nearest(word, known))


def _table(data: Mapping[str, Any], word: str) -> Mapping[str, Any]:
    value = data.get(word, {})
    if not isinstance(value, Mapping):
        raise SpecError(f"{word!r} must be a table", fix=f"write it as [{word}]")
    return value


def _string(data: Mapping[str, Any], word: str, where: str, default: str | None = None) -> str:
    value = data.get(word, default)
    named = default is None  # it is printed, and stands in files
    if not isinstance(value, str) or (named and not (value and value.isprintable())):
        what = f"{where}: {word!r} must be text{' that can be printed' * named}"
        raise SpecError(what, fix=f'add {word} = "..."')
    return value


def _read_key(name: str, data: Any) -> Key:
    if name in BUILT_IN:
        raise SpecError(f"key {name!r} is built in", fix="leave it out of [keys]")
    if not isinstance(data, Mapping):
        raise SpecError(f"key {name!r} must be a table", fix=f"write it as [keys.{name}]")
    known = [a.name for a in attrs.fields(Key) if a.name != "name"]
    _only(data, known, f"key {name!r}")
    if data.get("type") not in TYPES:
        raise SpecError(f"key {name!r}: type must be one of {', '.join(TYPES)}", fix="add type = ...")
    for word, types in _KEY_TYPES.items():
        value = data.get(word, types[0]())
        if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
            raise SpecError(f"key {name!r}: {word} has a wrong type", fix=f"see docs/specs.md for {word}")
        if isinstance(value, float) and not math.isfinite(value):
            raise SpecError(f"key {name!r}: {word} must be finite", fix=f"leave {word} out")
    if not all(isinstance(choice, str) for choice in data.get("choices", ())):
        raise SpecError(f"key {name!r}: choices must be texts", fix='write choices = ["a", "b"]')
    if data["type"] == "choice" and not data.get("choices"):
        raise SpecError(f"key {name!r}: a choice needs choices", fix='add choices = ["a", "b"], say')
    key = Key(name, **data)
    try:
        return key if key.default is None else attrs.evolve(key, default=key.check(key.default))
    except SpecError as error:
        raise SpecError(f"the default of {error.message}", fix="write one that it may have, or leave it out") from None


def _read_tables(data: Mapping[str, Any], where: str) -> tuple[Table, ...]:
    tables = []
    for name, entry in data.items():
        if not isinstance(entry, Mapping):
            raise SpecError(f"table {name!r} must be a table", fix=f"write it as [tables.{name}]")
        _only(entry, ("kind", "d", "n"), f"table {name!r}")
        if entry.get("kind") not in ("private", "public"):
            raise SpecError(f"table {name!r}: kind must be private or public", fix='add kind = "private"')
        sizes = {k: _size(name, k, entry[k]) for k in ("d", "n") if k in entry}
        tables.append(Table(name, Kind(entry["kind"]), **sizes))
    kinds = [t.kind for t in tables]
    if kinds.count(Kind.PRIVATE) != 1 or kinds.count(Kind.PUBLIC) > 1:
        raise SpecError(f"{where}: needs one private table and at most one public", fix="add [tables.x]")
    return tuple(tables)


def _size(table: str, word: str, value: Any) -> Any:
    if value == f"${word}":
        return value
    try:
        return attrs.evolve(BUILT_IN[word], name=f"tables.{table}.{word}").check(value)
    except SpecError as error:  # no --set reaches it
        raise SpecError(error.message, fix=f'write {word} = "${word}", or the number itself') from None


def _sizes(tables: tuple[Table, ...]) -> tuple[int | None, int | None]:
    """Literal sizes of the private table are the declared d and n."""
    private = next(t for t in tables if t.kind is Kind.PRIVATE)
    return private.d if isinstance(private.d, int) else None, private.n if isinstance(private.n, int) else None


def _read_adjacency(value: Any) -> Adjacency | None:
    if value is None:
        return None
    if isinstance(value, Mapping) and set(value) == {"removed", "added"}:
        return adjacency(Edits(value["removed"], value["added"]))
    return adjacency(BUILT_IN["adjacency"].check(value))


def _read_budget(data: Mapping[str, Any]) -> dict[str, float]:
    _only(data, WRITTEN, "budget")
    if "mu" in data:
        try:
            Key("mu", "positive").check(data["mu"])
        except SpecError as error:  # it can be written, not set
            raise SpecError(error.message, fix="write mu = 1.0, say, under [budget]") from None
    return set_budget({}, {k: float(v if k == "mu" else BUILT_IN[k].check(v)) for k, v in data.items()})


def _read_nodes(data: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], ...]:
    nodes = data.get("node", [])
    if not isinstance(nodes, list) or not nodes or not all(isinstance(n, Mapping) for n in nodes):
        raise SpecError(f"{where}: needs nodes", fix="add [[node]] with name, op and inputs")
    return tuple(nodes)


def _read_outputs(data: Mapping[str, Any], where: str) -> Mapping[str, str]:
    outputs = _table(data, "outputs")
    if not outputs or not all(isinstance(v, str) for v in outputs.values()):
        raise SpecError(f"{where}: [outputs] must map names to references", fix='for example mixture = "mixture"')
    return outputs


def _read_errors(data: Mapping[str, Any], where: str) -> Mapping[str, str]:
    errors, known = _table(data, "errors"), data.get("outputs", {})
    if not all(name in known and isinstance(text, str) and text for name, text in errors.items()):
        raise SpecError(
            f"{where}: [errors] must map outputs to reference instances", fix='for example mean = "one Gaussian"'
        )
    return errors


def _read_frame(data: Mapping[str, Any], where: str) -> tuple[str, ...]:
    names = data.get("frame", [])
    known = data.get("outputs", {})
    if not isinstance(names, list) or not all(isinstance(n, str) and n in known for n in names):
        raise SpecError(f"{where}: frame must list names of outputs", fix='for example frame = ["gram"]')
    return tuple(names)
