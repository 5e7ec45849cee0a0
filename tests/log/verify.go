// Command verify checks a Custody log over HTTP with golang.org/x/mod/sumdb, which knows nothing of
// Custody: the checkpoint's signature, every entry against the tree, proofs of inclusion and of
// consistency, older checkpoints, and receipts.
//
//	verify BASE VERIFIER [-old NOTE_FILE]... [-receipt FILE]...
package main

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

type tiles struct{ base string }

func (t tiles) Height() int                         { return height }
func (t tiles) SaveTiles(_ []tlog.Tile, _ [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range wanted {
		path := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", height))
		data, err := get(t.base + "/log/tile/" + path)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func get(url string) ([]byte, error) {
	answer, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != 200 {
		return nil, fmt.Errorf("%s: %s", url, answer.Status)
	}
	return io.ReadAll(answer.Body)
}

// checkpoint opens a signed note and reads the tree that it is about.
func checkpoint(text []byte, known note.Verifiers) (tlog.Tree, error) {
	opened, err := note.Open(text, known)
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 {
		return tlog.Tree{}, errors.New("a checkpoint has three lines")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// entries checks that each entry of each bundle is the leaf at its index.
func entries(base string, tree tlog.Tree, hashes tlog.HashReader) error {
	for start := int64(0); start < tree.N; start += 256 {
		width := tree.N - start
		if width > 256 {
			width = 256
		}
		tile := tlog.Tile{H: height, L: 0, N: start / 256, W: int(width)}
		path := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/0/", height))
		data, err := get(base + "/log/tile/entries/" + path)
		if err != nil {
			return err
		}
		var indexes []int64
		for n := start; n < start+width; n++ {
			indexes = append(indexes, tlog.StoredHashIndex(0, n))
		}
		leaves, err := hashes.ReadHashes(indexes)
		if err != nil {
			return err
		}
		for n, leaf := range leaves {
			if len(data) < 2 || len(data) < 2+int(binary.BigEndian.Uint16(data)) {
				return fmt.Errorf("bundle %d ends within entry %d", start/256, n)
			}
			length := int(binary.BigEndian.Uint16(data))
			if tlog.RecordHash(data[2:2+length]) != leaf {
				return fmt.Errorf("entry %d is not the leaf of the tree", start+int64(n))
			}
			if !strings.HasPrefix(string(data[2:2+length]), fmt.Sprintf("%d\n", start+int64(n))) {
				return fmt.Errorf("entry %d names another position", start+int64(n))
			}
			data = data[2+length:]
		}
		if len(data) != 0 {
			return fmt.Errorf("bundle %d has %d bytes too many", start/256, len(data))
		}
	}
	return nil
}

// proofs makes and checks proofs of inclusion and of consistency at sizes and indexes all over.
func proofs(tree tlog.Tree, hashes tlog.HashReader) (int, error) {
	made := 0
	for n := int64(0); n < tree.N; n += 1 + tree.N/50 {
		leaf, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, n)})
		if err != nil {
			return made, err
		}
		inclusion, err := tlog.ProveRecord(tree.N, n, hashes)
		if err != nil {
			return made, err
		}
		if err := tlog.CheckRecord(inclusion, tree.N, tree.Hash, n, leaf[0]); err != nil {
			return made, err
		}
		if err := continues(tlog.Tree{N: n + 1}, tree, hashes); err != nil {
			return made, err
		}
		made += 2
	}
	return made, nil
}

// continues checks that tree continues old; an old tree without a hash gets that of its size.
func continues(old, tree tlog.Tree, hashes tlog.HashReader) error {
	if old.N == 0 {
		return nil
	}
	if old.Hash == (tlog.Hash{}) {
		hash, err := tlog.TreeHash(old.N, hashes)
		if err != nil {
			return err
		}
		old.Hash = hash
	}
	proof, err := tlog.ProveTree(tree.N, old.N, hashes)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash)
}

// receipt checks a c2sp.org/tlog-proof whose extra data is the leaf.
func receipt(text string, known note.Verifiers) error {
	head, signed, found := strings.Cut(text, "\n\n")
	lines := strings.Split(head, "\n")
	if !found || len(lines) < 3 || lines[0] != "c2sp.org/tlog-proof@v1" {
		return errors.New("not a tlog-proof")
	}
	tree, err := checkpoint([]byte(signed), known)
	if err != nil {
		return err
	}
	leaf, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(lines[1], "extra "))
	if err != nil {
		return err
	}
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	if err != nil {
		return err
	}
	var proof tlog.RecordProof
	for _, line := range lines[3:] {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, hash)
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, index, tlog.RecordHash(leaf))
}

func run(arguments []string) error {
	if len(arguments) < 2 || len(arguments)%2 != 0 {
		return errors.New("usage: verify BASE VERIFIER [-old FILE]... [-receipt FILE]...")
	}
	base := arguments[0]
	verifier, err := note.NewVerifier(arguments[1])
	if err != nil {
		return err
	}
	known := note.VerifierList(verifier)
	text, err := get(base + "/log/checkpoint")
	if err != nil {
		return err
	}
	tree, err := checkpoint(text, known)
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	hashes := tlog.TileHashReader(tree, tiles{base})
	if err := entries(base, tree, hashes); err != nil {
		return fmt.Errorf("entries: %w", err)
	}
	made, err := proofs(tree, hashes)
	if err != nil {
		return fmt.Errorf("proofs: %w", err)
	}
	for n := 2; n < len(arguments); n += 2 {
		if err := file(arguments[n], arguments[n+1], tree, hashes, known); err != nil {
			return fmt.Errorf("%s: %w", arguments[n+1], err)
		}
	}
	fmt.Printf("%d entries, %d proofs and %d files hold\n", tree.N, made, len(arguments)/2-1)
	return nil
}

func file(
	option, path string, tree tlog.Tree, hashes tlog.HashReader, known note.Verifiers,
) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if option == "-receipt" {
		return receipt(string(text), known)
	}
	old, err := checkpoint(text, known)
	if err != nil {
		return err
	}
	return continues(old, tree, hashes)
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
