"""Python without what only people read, on the same lines: a failure names the right one."""

import ast
import io
import tokenize


def bare(text: str) -> str:
    """Return a module's text with every docstring and comment left out."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if _has_docstring(node):
            _leave_out(lines, node)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return "\n".join(lines) + "\n"


def _has_docstring(node: ast.AST) -> bool:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return isinstance(node, documented) and ast.get_docstring(node) is not None


def _leave_out(lines: list[str], node: ast.AST) -> None:
    """Empty the lines of a docstring; a body of nothing else says that it does nothing."""
    body: list[ast.stmt] = node.body  # type: ignore[attr-defined]  # `_has_docstring` saw one in it
    first, last = body[0].lineno, body[0].end_lineno or body[0].lineno
    for row in range(first, last + 1):
        lines[row - 1] = ""
    if len(body) == 1 and not isinstance(node, ast.Module):
        lines[first - 1] = " " * body[0].col_offset + "pass"
