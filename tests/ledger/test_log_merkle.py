"""Merkle roots and proofs, against RFC 6962's own words and known answers."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from custody.ledger.log import merkle
from tests.ledger.log_support import naive_root

# The eight leaves and roots that Certificate Transparency implementations share as test vectors.
CT_LEAVES = [bytes.fromhex(leaf) for leaf in (
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
)]  # fmt: skip
CT_ROOTS = [
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
SIZES = st.integers(min_value=1, max_value=600)


class Listed:
    """A tree whose perfect subtrees come from a list of leaf hashes."""

    def __init__(self, leaves: list[bytes]) -> None:
        self.leaves = leaves

    def node(self, level: int, index: int) -> bytes:
        start, stop = index << level, (index + 1) << level
        assert stop <= len(self.leaves), "a proof asked for a subtree that the tree has not"
        return merkle.fold(b"".join(self.leaves[start:stop]))


def leaves_of(count: int) -> list[bytes]:
    return [merkle.leaf_hash(str(n).encode()) for n in range(count)]


def naive_path(index: int, leaves: list[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if index < k:
        return [*naive_path(index, leaves[:k]), naive_root(leaves[k:])]
    return [*naive_path(index - k, leaves[k:]), naive_root(leaves[:k])]


def naive_subproof(old: int, leaves: list[bytes], known: bool) -> list[bytes]:
    if old == len(leaves):
        return [] if known else [naive_root(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if old <= k:
        return [*naive_subproof(old, leaves[:k], known), naive_root(leaves[k:])]
    return [*naive_subproof(old - k, leaves[k:], False), naive_root(leaves[:k])]


def test_the_empty_tree_hashes_nothing() -> None:
    assert merkle.root(Listed([]), 0) == sha256(b"").digest()


@pytest.mark.parametrize("size", range(1, 9))
def test_roots_are_those_of_the_certificate_transparency_vectors(size: int) -> None:
    leaves = [merkle.leaf_hash(leaf) for leaf in CT_LEAVES[:size]]
    assert merkle.root(Listed(leaves), size).hex() == CT_ROOTS[size - 1]


def test_a_leaf_is_the_three_lines_of_the_protocol() -> None:
    assert merkle.leaf_text(7, 1796044800000, "ab") == b"7\n1796044800000\nab\n"
    assert merkle.leaf_hash(b"x") == sha256(b"\x00x").digest()


@settings(max_examples=60, deadline=None)
@given(SIZES)
def test_a_root_is_what_the_rfc_says(size: int) -> None:
    leaves = leaves_of(size)
    assert merkle.root(Listed(leaves), size) == naive_root(leaves)


@settings(max_examples=80, deadline=None)
@given(SIZES, st.data())
def test_an_audit_path_is_the_rfcs_and_leads_to_the_root(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    leaves = leaves_of(size)
    path = merkle.inclusion(Listed(leaves), index, size)
    assert path == naive_path(index, leaves)
    assert merkle.implied_root(leaves[index], index, size, path) == naive_root(leaves)


@settings(max_examples=80, deadline=None)
@given(SIZES, st.data())
def test_a_consistency_proof_is_the_rfcs(size: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, size))
    leaves = leaves_of(size)
    expected = naive_subproof(old, leaves, True)
    assert merkle.consistency(Listed(leaves), old, size) == expected


@settings(max_examples=60, deadline=None)
@given(SIZES, st.data())
def test_a_path_for_another_leaf_does_not_lead_to_the_root(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, size - 1).filter(lambda n: n != index or size == 1))
    leaves = leaves_of(size)
    path = merkle.inclusion(Listed(leaves), index, size)
    wrong = merkle.leaf_hash(b"another") if other == index else leaves[other]
    assert merkle.implied_root(wrong, index, size, path) != naive_root(leaves)


def test_a_path_of_the_wrong_length_is_refused() -> None:
    with pytest.raises(ValueError, match="takes 3 hashes, not 2"):
        merkle.implied_root(leaves_of(8)[0], 0, 8, [b"\0" * 32] * 2)


def test_no_proof_for_a_leaf_beyond_the_tree_or_a_tree_that_shrank() -> None:
    tree = Listed(leaves_of(4))
    with pytest.raises(ValueError, match="no leaf 4"):
        merkle.inclusion(tree, 4, 4)
    with pytest.raises(ValueError, match="does not continue"):
        merkle.consistency(tree, 5, 4)
    assert merkle.consistency(tree, 0, 4) == merkle.consistency(tree, 4, 4) == []
