# make check is what continuous integration runs; make test is its quick part.

GO ?= go
RACE := $(shell command -v gcc >/dev/null 2>&1 && echo -race)

.PHONY: check test format vet purego systems build wheel dist release

# vet has run by then, and runs all of its checks.
check: format vet
	$(GO) test $(RACE) -vet=off ./...
	@$(MAKE) --no-print-directory purego
	@$(MAKE) --no-print-directory systems

test:
	$(GO) test ./...

format:
	@files=$$(gofmt -l .); if [ -n "$$files" ]; then echo "gofmt wants:"; echo "$$files"; exit 1; fi

vet:
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# The pure-Go twins of the assembly, and a machine without any: the packages
# that compute with them. TestTwins sees to it that no other knows a processor.
purego: PACKAGES = ./internal/vec ./internal/linalg ./internal/tall ./points ./internal/tiles ./internal/neighbours ./kernel ./objective ./gram ./graph ./solve ./deformed
purego:
	$(GO) test -tags purego $(PACKAGES)
	GOARCH=arm64 $(GO) build $(PACKAGES)

# What the program needs of other systems: packages with files for a system are vetted for
# each, tests and all, and the sources of all packages are checked without being compiled,
# which make dist does.
systems: PACKAGES = ./internal/machine ./internal/huge ./internal/atomicfile
systems:
	GOOS=darwin GOARCH=arm64 $(GO) vet $(PACKAGES)
	GOOS=linux GOARCH=arm64 $(GO) vet $(PACKAGES)
	GOOS=windows GOARCH=amd64 $(GO) vet $(PACKAGES)
	$(GO) run ./internal/release systems -targets darwin/arm64,windows/amd64

# Threads that C may run on reserve more of the address space, which ulimit -v bounds.
build:
	CGO_ENABLED=0 $(GO) build -o bin/ ./cmd/lapsvm

# The Python package with the program in it, a wheel for GOOS and GOARCH, this machine's
# where they are not given; PROGRAM is one for them that is built already. The wheel is the
# same for the same sources and setuptools: setuptools works on a copy, whose files have
# the time of the commit and usual permissions.
PYTHON ?= python3
DIST ?= dist
wheel: export GOOS := $(or $(GOOS),$(shell $(GO) env GOOS))
wheel: export GOARCH := $(or $(GOARCH),$(shell $(GO) env GOARCH))
wheel:
	@umask 022; mkdir -p $(DIST); work=$$(mktemp -d) && trap 'rm -rf "$$work"' EXIT && \
	cp -r python "$$work" && rm -rf "$$work"/python/tests "$$work"/python/benchmarks "$$work"/python/examples && \
	program="$$work/python/lapsvm/bin/lapsvm$$($(GO) env GOEXE)" && mkdir "$$work/python/lapsvm/bin" && \
	if [ -n "$(PROGRAM)" ]; then cp "$(PROGRAM)" "$$program"; else \
		CGO_ENABLED=0 $(GO) build -tags static -trimpath -ldflags '-s -w' -o "$$program" ./cmd/lapsvm; fi && \
	chmod -R u=rwX,go=rX "$$work" && chmod 755 "$$program" && \
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || echo 1700000000) \
		$(PYTHON) -m pip wheel --quiet --no-index --no-deps --no-build-isolation --wheel-dir "$(abspath $(DIST))" "$$work/python"

# What is published of a version, for all systems, and the check-list of a release
# (docs/releasing.md).
dist:
	$(GO) run ./internal/release dist -o $(DIST)

release:
	$(GO) run ./internal/release check -o $(DIST)
