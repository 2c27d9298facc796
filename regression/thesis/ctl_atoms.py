"""Finds the atom occurrences of the CTL specifications of an SMV file.

SMV text -> [Spec]; Spec.atoms -> [Atom(start, end, polarity)], offsets into the file's text.

This is a deliberately small reader that shares no code with nusmv-rs: it is one half of the truth
generator check_expected.py (the other half is a real NuSMV). It reads specifications only; the rest
of a model is skipped token by token.

An atom occurrence is a maximal subformula without temporal operators and without Boolean
connectives (! & | -> <-> xor xnor). A comparison, an `in`, a `case`/`?:` and a function call are
atoms as a whole, except that `=` and `!=` whose operands hold connectives are themselves treated as
connectives (both operands in both polarities). The constants TRUE and FALSE are no atoms.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"""(?P<skip>\s+|--[^\n]*|/--.*?--/)
      |(?P<word>-?0[us]?[bodhBODH][0-9]*_[0-9a-fA-F_]+)
      |(?P<num>\d+)
      |(?P<id>[A-Za-z_][A-Za-z0-9_$\#\\-]*)
      |(?P<str>"[^"\n]*")
      |(?P<op><->|->|:=|\.\.|::|<<|>>|<=|>=|!=|[-+*/=<>!&|?:;,.\[\](){}])""",
    re.X | re.S,
)

UNARY_TEMPORAL = {"AX", "AF", "AG", "EX", "EF", "EG"}
BOUNDED_TEMPORAL = {"ABF", "ABG", "EBF", "EBG"}
# Words that end a specification when its closing semicolon is left out.
SECTION = set(
    "MODULE VAR IVAR FROZENVAR DEFINE CONSTANTS ASSIGN INIT INVAR TRANS FAIRNESS JUSTICE COMPASSION"
    " SPEC CTLSPEC LTLSPEC INVARSPEC PSLSPEC COMPUTE ISA PRED MIRROR FUN ARRAY".split()
)
CONNECTIVES = {"!", "&", "|", "->", "<->", "xor", "xnor"}


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass
class Node:
    """op is a connective, a temporal operator, 'const', 'rel' (= or !=), or 'term' (all else).

    start..end leaves out the parentheses around the subformula, outer spans them.
    """

    op: str
    start: int
    end: int
    kids: list = field(default_factory=list)
    outer: tuple = ()

    def __post_init__(self):
        self.outer = (self.start, self.end)

    def splits(self):
        """Does a connective or a temporal operator occur in this subformula?"""
        if self.op in ("term", "const"):
            return False
        return self.op != "rel" or any(kid.splits() for kid in self.kids)


@dataclass
class Atom:
    start: int
    end: int
    polarity: str  # "+", "-" or "±"


@dataclass
class Spec:
    module: str
    name: str
    root: Node
    start: int
    end: int
    atoms: list


class SyntaxProblem(Exception):
    pass


def tokens(text):
    result, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SyntaxProblem(f"offset {at}: {text[at:at + 20]!r}")
        at = match.end()
        if match.lastgroup != "skip":
            result.append(Token(match.lastgroup, match.group(), match.start(), at))
    return result


class Parser:
    """Recursive descent over one formula, with NuSMV's precedences."""

    def __init__(self, toks, at):
        self.toks, self.at = toks, at

    def peek(self, ahead=0):
        at = self.at + ahead
        return self.toks[at].text if at < len(self.toks) else ""

    def take(self, text=None):
        if self.at >= len(self.toks) or (text is not None and self.peek() != text):
            raise SyntaxProblem(f"expected {text!r}, found {self.peek()!r}")
        self.at += 1
        return self.toks[self.at - 1]

    def left(self, below, ops, op_name=None):
        node = below()
        while self.peek() in ops:
            op = self.take().text
            right = below()
            node = self.binary(op_name or op, node, right)
        return node

    @staticmethod
    def binary(op, left, right):
        kids = [] if op == "term" else [left, right]
        return Node(op, left.outer[0], right.outer[1], kids)

    def expr(self):
        left = self.iff()
        if self.peek() != "->":
            return left
        self.take()
        return self.binary("->", left, self.expr())

    def iff(self):
        return self.left(self.ternary, {"<->"})

    def ternary(self):
        cond = self.disjunction()
        if self.peek() != "?":
            return cond
        self.take("?")
        self.ternary()
        self.take(":")
        return self.binary("term", cond, self.ternary())

    def disjunction(self):
        return self.left(self.conjunction, {"|", "xor", "xnor"})

    def conjunction(self):
        return self.left(self.relation, {"&"})

    def relation(self):
        node = self.membership()
        while self.peek() in ("=", "!=", "<", ">", "<=", ">="):
            op = "rel" if self.take().text in ("=", "!=") else "term"
            node = self.binary(op, node, self.membership())
        return node

    def membership(self):
        return self.left(self.arithmetic, {"in"}, "term")

    def arithmetic(self):
        ops = {"union", "<<", ">>", "+", "-", "*", "/", "mod", "::"}
        return self.left(self.unary, ops, "term")

    def unary(self):
        tok = self.take()
        if tok.text == "!":
            kid = self.unary()
            return Node("!", tok.start, kid.outer[1], [kid])
        if tok.text == "-":
            return Node("term", tok.start, self.unary().outer[1])
        if tok.text in UNARY_TEMPORAL or tok.text in BOUNDED_TEMPORAL:
            if tok.text in BOUNDED_TEMPORAL:
                self.bounds()
            kid = self.relation()
            return Node(tok.text, tok.start, kid.outer[1], [kid])
        if tok.text in ("A", "E") and self.peek() == "[":
            self.take("[")
            left = self.expr()
            until = self.take().text
            if until == "BU":
                self.bounds()
            elif until != "U":
                raise SyntaxProblem(f"expected U or BU, found {until!r}")
            right = self.expr()
            return Node(tok.text + until, tok.start, self.take("]").end, [left, right])
        return self.primary(tok)

    def bounds(self):
        self.arithmetic()
        self.take("..")
        self.arithmetic()

    def primary(self, tok):
        if tok.text == "(":
            inner = self.expr()
            end = self.take(")").end
            if self.peek() == "[":  # a bit selection
                return self.postfix(tok.start, end)
            inner.outer = (tok.start, end)
            return inner
        if tok.text == "{":
            return self.closing("}", tok.start)
        if tok.text == "case":
            depth = 1
            while depth:
                end = self.take()
                depth += (end.text == "case") - (end.text == "esac")
            return Node("term", tok.start, end.end)
        if tok.text in ("TRUE", "FALSE"):
            return Node("const", tok.start, tok.end)
        if tok.kind in ("id", "num", "word"):
            end = tok.end
            if self.peek() == "..":
                self.take()
                end = self.take().end
            return self.postfix(tok.start, end)
        raise SyntaxProblem(f"unexpected {tok.text!r}")

    def postfix(self, start, end):
        while self.peek() in (".", "[", "("):
            opening = self.take().text
            if opening == ".":
                end = self.take().end
            else:
                end = self.closing("]" if opening == "[" else ")", start).end
        return Node("term", start, end)

    def closing(self, bracket, start):
        depth = 1
        while depth:
            tok = self.take()
            depth += tok.text in ("(", "[", "{")
            depth -= tok.text in (")", "]", "}")
        if tok.text != bracket:
            raise SyntaxProblem(f"expected {bracket!r}, found {tok.text!r}")
        return Node("term", start, tok.end)


FLIP = {"+": "-", "-": "+", "±": "±"}


def atoms(node, polarity="+"):
    """The atom occurrences below node, left to right."""
    if node.op == "const":
        return []
    if not node.splits():
        return [Atom(node.start, node.end, polarity)]
    kids = node.kids
    if node.op == "!":
        return atoms(kids[0], FLIP[polarity])
    if node.op == "->":
        return atoms(kids[0], FLIP[polarity]) + atoms(kids[1], polarity)
    if node.op in ("<->", "xor", "xnor", "rel"):
        polarity = "±"
    return [atom for kid in kids for atom in atoms(kid, polarity)]


def conjuncts(node):
    """The operands of the &-tree at the root, left to right: what --split checks one by one."""
    if node.op == "&":
        return conjuncts(node.kids[0]) + conjuncts(node.kids[1])
    return [node]


def specs(text):
    """The CTL specifications of an SMV file in file order."""
    toks, found, module, at = tokens(text), [], "", 0
    while at < len(toks):
        word = toks[at].text
        if word == "MODULE":
            module = toks[at + 1].text
        if word in ("SPEC", "CTLSPEC"):
            at, name = at + 1, ""
            if toks[at].text == "NAME":
                name, at = toks[at + 1].text, at + 3
            parser = Parser(toks, at)
            root = parser.expr()
            if parser.peek() not in SECTION | {"", ";"}:
                raise SyntaxProblem(f"in {word} {len(found)}: stray {parser.peek()!r}")
            start, end = toks[at].start, toks[parser.at - 1].end
            found.append(Spec(module, name, root, start, end, atoms(root)))
            at = parser.at
        else:
            at += 1
    return found
