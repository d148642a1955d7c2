# What a newcomer types. Every target installs what it lacks (tools/setup), builds, and does its work.

CARGO ?= cargo
SYMCRETE := target/release/symcrete

.PHONY: demo build test test-full bench bench-papers fuzz fuzz-bitcode book setup setup-tests clean

demo: build
	@tools/demo $(SYMCRETE)

build: setup
	$(CARGO) build --release --package symcrete-cli

# Formatting, lints, unit and end-to-end tests, the documents, with a bounded part of every long run.
test: setup-tests
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --release -- -D warnings
	$(CARGO) test --workspace --release
	runtime/tests/stdio/run.sh
	runtime/tests/libc/run.sh
	tools/check-book
	tools/check-transcripts $(SYMCRETE)
	tools/check-features $(SYMCRETE)

# The full numbers: 200 csmith programs, every mutation of the bitcode corpus.
test-full: setup-tests
	SYMCRETE_FULL=1 SYMCRETE_MUTATIONS=100000 $(CARGO) test --workspace --release

bench: build setup-tests
	tools/bench $(SYMCRETE); status=$$?; \
	$(CARGO) run --release --quiet --package symcrete-tape --example speed && exit $$status

# The tables of the papers, ours beside theirs: most of an hour.
bench-papers: build setup-tests
	tools/bench-papers --symcrete $(SYMCRETE); status=$$?; \
	$(CARGO) run --release --quiet --package symcrete-solver --example walk_features; exit $$status

# Goes on until stopped, or for FUZZ_SECONDS; shrinks and keeps what it finds in target/fuzz.
fuzz: build setup-tests
	tools/fuzz $(SYMCRETE) $(FUZZ_SECONDS)

# Damaged bitcode files, MUTATIONS of each kind from SEED on.
MUTATIONS ?= 300000
SEED ?= 1
fuzz-bitcode: setup-tests
	SYMCRETE_MUTATIONS=$(MUTATIONS) SYMCRETE_SEED=$(SEED) $(CARGO) test --release --package symcrete-frontend --test mutation --test lower

# The book as HTML in target/book; needs mdbook (cargo install mdbook).
book:
	mdbook build docs/book

setup:
	@tools/setup build

setup-tests: setup
	@tools/setup tests

clean:
	$(CARGO) clean
