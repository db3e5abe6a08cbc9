"""Small changes of code that a test should notice, one at a time, on the syntax tree.

    < ↔ <=, >=   == ↔ !=   in, is, not, and ↔ or, an operand less    comparisons and logic
    True ↔ False   1 → 2, 0   "word" → "word~"   a branch always or never taken
    + ↔ -   * ↔ /   min ↔ max   any ↔ all   sorted → list   a keyword or slice less
    an element or entry less; of a module's tuples also neighbours swapped     literals
    a statement less, return None, continue ↔ break                  statements

What only documents is left alone: docstrings, annotations, type aliases, decorators,
imports, texts with a space in them and what stands around the values of an f-string.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

_SHOWN: Final = 100
_AROUND: Final = 30
"""Of a longer change this many characters around it are shown."""
_WORD: Final = re.compile(r"[\w\[\]:./-]+")
_OTHER: Final[dict[type[ast.AST], tuple[type[Any], ...]]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div,),
    ast.Div: (ast.Mult,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.Continue: (ast.Break,),
    ast.Break: (ast.Continue,),
}
_OTHER_CALL: Final = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}

_DOCUMENTING: Final = frozenset(
    {"annotation", "returns", "decorator_list", "bases", "exc", "format_spec"}
)

_Place: TypeAlias = tuple[ast.AST, str, int | None]
"""Parent, field, and index where the field is a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """One change; the texts are code on one line."""

    where: str
    """Qualified name of the function or class it is in; empty at module level."""
    line: int
    before: str
    after: str


def mutations(tree: ast.Module) -> Iterator[Mutation]:
    """Yield each mutation of a module while *tree* holds it, and undo it afterwards."""
    for where, node, (parent, field, index) in list(_places(tree, "")):
        asked = isinstance(parent, ast.If) and field == "test"
        for other in _variants(node, ordered=not where, asked=asked):
            before, after = _told(_code(node), _code(other))
            if before == after:
                continue
            line = (node.target if isinstance(node, ast.comprehension) else node).lineno
            _put(parent, field, index, other)
            ast.fix_missing_locations(tree)
            yield Mutation(where=where, line=line, before=before, after=after)
            _put(parent, field, index, node)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _told(before: str, after: str) -> tuple[str, str]:
    """Return both without most of what they share, where they are long."""
    if max(len(before), len(after)) <= _SHOWN or before == after:
        return before, after
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    first, last = max(0, start - _AROUND), max(0, end - _AROUND)
    return (
        f"…{before[first : len(before) - last]}…",
        f"…{after[first : len(after) - last]}…",
    )


def _shared(one: str, other: str) -> int:
    """Return how many characters two different texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def _code(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())


def _places(node: ast.AST, where: str) -> Iterator[tuple[str, Any, _Place]]:
    """Yield every statement and expression that may change, with where it stands."""
    for field, value in ast.iter_fields(node):
        if field in _DOCUMENTING:
            continue
        several = isinstance(value, list)
        for index, child in enumerate(value if several else [value]):
            if not isinstance(child, ast.AST) or _documents(node, child):
                continue
            if isinstance(child, ast.stmt | ast.expr | ast.comprehension):
                yield where, child, (node, field, index if several else None)
            inside = where
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                inside = f"{where}.{child.name}".lstrip(".")
            yield from _places(child, inside)


def _documents(parent: ast.AST, node: ast.AST) -> bool:
    match node:
        case ast.AnnAssign():
            return "TypeAlias" in ast.unparse(node.annotation)
        case ast.Assign():
            return ast.unparse(node.targets[0]) == "__all__"
        case ast.Expr(ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
    return isinstance(parent, ast.JoinedStr) and isinstance(node, ast.Constant)


def _variants(node: ast.AST, *, ordered: bool, asked: bool) -> Iterator[ast.AST]:
    """Yield what may stand in place of a node.

    Args:
        node: A statement or expression.
        ordered: Whether neighbours of a tuple may change places.
        asked: Whether it decides about a branch.
    """
    if asked:
        yield from (ast.Constant(taken) for taken in (True, False))
    yield from _logic(node)
    yield from _values(node)
    yield from _calls(node)
    yield from _literals(node)
    yield from _statements(node)
    if ordered and isinstance(node, ast.Tuple):
        for index in range(len(node.elts) - 1):
            swapped = node.elts.copy()
            swapped[index : index + 2] = reversed(swapped[index : index + 2])
            yield ast.Tuple(swapped, ast.Load())


def _logic(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(left, operators, right):
            for index, operator in enumerate(operators):
                for other in _OTHER[type(operator)]:
                    changed = [*operators[:index], other(), *operators[index + 1 :]]
                    yield ast.Compare(left, changed, right)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(_OTHER[type(operator)][0](), values)
            for kept in _one_less(values):
                yield kept[0] if len(kept) == 1 else ast.BoolOp(operator, kept)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.IfExp(_, body, orelse):
            yield from (body, orelse)
        case ast.comprehension(target, source, conditions, is_async):
            for kept in _one_less(conditions):
                yield ast.comprehension(target, source, kept, is_async)


def _values(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(left, operator, right):
            for other in _OTHER.get(type(operator), ()):
                yield ast.BinOp(left, other(), right)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.Constant(float(value)):
            yield ast.Constant(value + 0.5)
        case ast.Constant(str(value)) if _WORD.fullmatch(value):
            yield ast.Constant(value + "~")


def _calls(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Call(function, arguments, keywords):
            if isinstance(function, ast.Name) and function.id in _OTHER_CALL:
                other = _OTHER_CALL[function.id]
                kept = [] if other == "list" else keywords
                yield ast.Call(ast.Name(other, ast.Load()), arguments, kept)
            yield from (ast.Call(function, arguments, kept) for kept in _one_less(keywords))
        case ast.Subscript(value, ast.Slice(), ast.Load()):
            yield value


def _literals(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Tuple(elements, ast.Load()):
            yield from (ast.Tuple(kept, ast.Load()) for kept in _one_less(elements))
        case ast.List(elements, ast.Load()):
            yield from (ast.List(kept, ast.Load()) for kept in _one_less(elements))
        case ast.Set(elements):
            yield from (ast.Set(kept) for kept in _one_less(elements) if kept)
        case ast.Dict(keys, values):
            for pair in zip(_one_less(keys), _one_less(values), strict=True):
                yield ast.Dict(*pair)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.Return(value) if value is not None and _code(value) not in {"None", "False"}:
            yield ast.Return(ast.Constant(None))
        case ast.Continue() | ast.Break():
            yield _OTHER[type(node)][0]()
        case ast.Expr() | ast.AugAssign() | ast.Raise():
            yield ast.Pass()


def _one_less(values: list[Any]) -> Iterator[list[Any]]:
    for index in range(len(values)):
        yield [*values[:index], *values[index + 1 :]]
